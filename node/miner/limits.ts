/** Bounds of following a proposal. */
/** Milliseconds between two looks at a node. */
export const FOLLOW_POLL_MS = 2000;
/** Rows asked for at once; what the status server gives at most. */
export const FOLLOW_PAGE_ROWS = 200;
/** Pages of records searched for a proposal of which the event log says nothing any more. */
export const FOLLOW_RECORD_PAGES = 10;
/** Pages of events read in one look. */
export const FOLLOW_EVENT_PAGES = 20;
/** Reservations of one hotkey that are followed at once; the newest ones. */
export const FOLLOW_MAX_RESERVATIONS = 64;
