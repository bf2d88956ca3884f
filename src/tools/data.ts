/** The data of each tool's answer, by the tool's name. */

import type { EditName } from '../edits/index.ts';
import type { DoneData } from '../engine/answer.ts';
import type { BlameData } from '../queries/blame.ts';
import type { DiffData } from '../queries/diff/compare.ts';
import type { LogData, ShowData } from '../queries/log/history.ts';
import type { StatusData } from '../queries/status.ts';
import type { TrailsData } from '../queries/trails.ts';
import type { VerifyData } from '../queries/verify.ts';
import type { ViewData } from '../queries/view.ts';

export interface ToolData extends Record<EditName, DoneData> {
  view: ViewData;
  change: DoneData;
  preview: DoneData;
  undo: DoneData;
  redo: DoneData;
  revert: DoneData;
  rollback: DoneData;
  restore: DoneData;
  log: LogData;
  show: ShowData;
  diff: DiffData;
  blame: BlameData;
  status: StatusData;
  trails: TrailsData;
  verify: VerifyData;
}

export type ToolName = keyof ToolData;
