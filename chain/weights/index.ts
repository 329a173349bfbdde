export type {
  WeightsAction,
  WeightsJournalStore,
  WeightsRow,
  WeightsState,
  WeightsTarget,
  WeightsView,
} from './journal.ts';
export { MemoryWeightsJournal } from './memory.ts';
export { type PublisherOptions, type PublishOutcome, WeightsPublisher } from './publisher.ts';
export { checkVector, sameVector, type WeightsVector } from './vector.ts';
