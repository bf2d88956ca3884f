/**
 * The rooms of a workspace beside the one in which edits are made: each call is loaded with its first use, so that a
 * program which only edits has none of them.
 */

import { late, lateEach } from '../lazy.ts';

export const knownElsewhere: typeof import('./trails/elsewhere.ts').knownElsewhere = late(
  async () => (await import('./trails/elsewhere.ts')).knownElsewhere,
);
export const planRecord: typeof import('./change/record.ts').planRecord = late(
  async () => (await import('./change/record.ts')).planRecord,
);
export const planUndo: typeof import('./history/undo-turn.ts').planUndo = late(
  async () => (await import('./history/undo-turn.ts')).planUndo,
);
export const namingElsewhere: typeof import('./history/taking-back.ts').namingElsewhere = late(
  async () => (await import('./history/taking-back.ts')).namingElsewhere,
);
export const planRevert: typeof import('./history/taking-back.ts').planRevert = late(
  async () => (await import('./history/taking-back.ts')).planRevert,
);
export const planBack: typeof import('./history/rolling-back.ts').planBack = late(
  async () => (await import('./history/rolling-back.ts')).planBack,
);
export const planUndoAll: typeof import('./history/rolling-back.ts').planUndoAll = late(
  async () => (await import('./history/rolling-back.ts')).planUndoAll,
);
export const planRestore: typeof import('./history/restoring.ts').planRestore = late(
  async () => (await import('./history/restoring.ts')).planRestore,
);
export const view: typeof import('./queries/view.ts').view = late(
  async () => (await import('./queries/view.ts')).view,
);
export const log: typeof import('./queries/log/history.ts').log = late(
  async () => (await import('./queries/log/history.ts')).log,
);
export const logEntries: typeof import('./queries/log/history.ts').logEntries = lateEach(
  async () => (await import('./queries/log/history.ts')).logEntries,
);
export const show: typeof import('./queries/log/history.ts').show = late(
  async () => (await import('./queries/log/history.ts')).show,
);
export const exportEntries: typeof import('./queries/export.ts').exportEntries = lateEach(
  async () => (await import('./queries/export.ts')).exportEntries,
);
export const timeline: typeof import('./queries/timeline/timeline.ts').timeline = late(
  async () => (await import('./queries/timeline/timeline.ts')).timeline,
);
export const graphEntries: typeof import('./queries/log/log-graph.ts').graphEntries = lateEach(
  async () => (await import('./queries/log/log-graph.ts')).graphEntries,
);
export const blameFile: typeof import('./queries/blame.ts').blameFile = late(
  async () => (await import('./queries/blame.ts')).blameFile,
);
export const diff: typeof import('./queries/diff/compare.ts').diff = late(
  async () => (await import('./queries/diff/compare.ts')).diff,
);
export const readRefusals: typeof import('./change/refusals.ts').readRefusals = late(
  async () => (await import('./change/refusals.ts')).readRefusals,
);
export const status: typeof import('./queries/status.ts').status = late(
  async () => (await import('./queries/status.ts')).status,
);
export const verify: typeof import('./queries/verify.ts').verify = late(
  async () => (await import('./queries/verify.ts')).verify,
);
export const trails: typeof import('./queries/trails.ts').trails = late(
  async () => (await import('./queries/trails.ts')).trails,
);
export const sessions: typeof import('./queries/sessions.ts').sessions = late(
  async () => (await import('./queries/sessions.ts')).sessions,
);
export const signHead: typeof import('./signing/sign.ts').signHead = late(
  async () => (await import('./signing/sign.ts')).signHead,
);
export const findCommit: typeof import('./revision.ts').findCommit = late(
  async () => (await import('./revision.ts')).findCommit,
);
