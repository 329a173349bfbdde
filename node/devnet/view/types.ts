import type { LoggedEvent } from '../../run/events.ts';
import type { Board, Summary } from '../board.ts';

/** How a run is shown. One of three: a live view on a terminal, plain lines, or one JSON object a line. */
export interface View {
  /** A step of the devnet itself: a process started, ended, a file written. */
  note(who: string, text: string): void;
  /** An event of a node; `news` if no node had told the same fact of the chain before. */
  event(node: string, logged: LoggedEvent, news: boolean): void;
  /** The end: table and addresses. */
  summary(summary: Summary, pages: Readonly<Record<string, string>>): void;
  close(): void;
}

export interface ViewDependencies {
  readonly board: Board;
  readonly write: (text: string) => void;
  /** Seconds since the run began. */
  readonly seconds: () => number;
}
