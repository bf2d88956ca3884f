/**
 * The rooms of a workspace beside the one in which edits are made: each call is loaded with its first use, so that a
 * program which only edits has none of them.
 */

export const findOtherTrails: typeof import('../engine/trails/other-trails.ts').findOtherTrails = async (
  ...args
) => (await import('../engine/trails/other-trails.ts')).findOtherTrails(...args);
export const planRecord: typeof import('../engine/change/record.ts').planRecord = async (...args) =>
  (await import('../engine/change/record.ts')).planRecord(...args);
export const planUndo: typeof import('../engine/undo/undo-turn.ts').planUndo = async (...args) =>
  (await import('../engine/undo/undo-turn.ts')).planUndo(...args);
export const withOtherTrailsNamed: typeof import('../engine/undo/undo.ts').withOtherTrailsNamed = async (
  ...args
) => (await import('../engine/undo/undo.ts')).withOtherTrailsNamed(...args);
export const planRevert: typeof import('../engine/undo/undo.ts').planRevert = async (...args) =>
  (await import('../engine/undo/undo.ts')).planRevert(...args);
export const planBack: typeof import('../engine/undo/rolling-back.ts').planBack = async (...args) =>
  (await import('../engine/undo/rolling-back.ts')).planBack(...args);
export const planUndoAll: typeof import('../engine/undo/rolling-back.ts').planUndoAll = async (...args) =>
  (await import('../engine/undo/rolling-back.ts')).planUndoAll(...args);
export const planRestore: typeof import('../engine/undo/restoring.ts').planRestore = async (...args) =>
  (await import('../engine/undo/restoring.ts')).planRestore(...args);
export const view: typeof import('../queries/view.ts').view = async (...args) =>
  (await import('../queries/view.ts')).view(...args);
export const log: typeof import('../queries/log/history.ts').log = async (...args) =>
  (await import('../queries/log/history.ts')).log(...args);
export const logEntries: typeof import('../queries/log/history.ts').logEntries = async function* (...args) {
  yield* (await import('../queries/log/history.ts')).logEntries(...args);
};
export const show: typeof import('../queries/log/history.ts').show = async (...args) =>
  (await import('../queries/log/history.ts')).show(...args);
export const exportEntries: typeof import('../queries/export.ts').exportEntries = async function* (...args) {
  yield* (await import('../queries/export.ts')).exportEntries(...args);
};
export const timeline: typeof import('../queries/timeline/timeline.ts').timeline = async (...args) =>
  (await import('../queries/timeline/timeline.ts')).timeline(...args);
export const graphEntries: typeof import('../queries/log/log-graph.ts').graphEntries = async function* (
  ...args
) {
  yield* (await import('../queries/log/log-graph.ts')).graphEntries(...args);
};
export const blameFile: typeof import('../queries/blame.ts').blameFile = async (...args) =>
  (await import('../queries/blame.ts')).blameFile(...args);
export const diff: typeof import('../queries/diff/compare.ts').diff = async (...args) =>
  (await import('../queries/diff/compare.ts')).diff(...args);
export const readRefusals: typeof import('../engine/change/refusals.ts').readRefusals = async (...args) =>
  (await import('../engine/change/refusals.ts')).readRefusals(...args);
export const status: typeof import('../queries/status.ts').status = async (...args) =>
  (await import('../queries/status.ts')).status(...args);
export const verify: typeof import('../queries/verify.ts').verify = async (...args) =>
  (await import('../queries/verify.ts')).verify(...args);
export const trails: typeof import('../queries/trails.ts').trails = async (...args) =>
  (await import('../queries/trails.ts')).trails(...args);
export const sessions: typeof import('../engine/trails/sessions.ts').sessions = async (...args) =>
  (await import('../engine/trails/sessions.ts')).sessions(...args);
export const signHead: typeof import('../signing/sign.ts').signHead = async (...args) =>
  (await import('../signing/sign.ts')).signHead(...args);
export const findCommit: typeof import('../engine/revision.ts').findCommit = async (...args) =>
  (await import('../engine/revision.ts')).findCommit(...args);
