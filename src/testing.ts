/** The entry `versioned-edit/testing`, for those who write a store: the cases that it must pass, one in memory, and its parts. */

export {
  entriesBelow,
  type RecordedChange,
  type RecordedFile,
  type Replayed,
  recordChanges,
  replayChanges,
  versionOf,
} from './stores/record.ts';
export { type MemoryStore, memoryStore } from './stores/simple.ts';
export { type StoreCase, type StoreCaseOptions, type StoreUnderTest, storeCases } from './stores/suite.ts';
