/** The data of each tool's answer, by the tool's name. */

import type { EditName } from '../edits/index.ts';
import type { DoneData } from '../workspace/answer.ts';
import type { BlameData } from '../workspace/reading/blame.ts';
import type { DiffData } from '../workspace/reading/compare.ts';
import type { LogData, ShowData } from '../workspace/reading/history.ts';
import type { StatusData } from '../workspace/reading/status.ts';
import type { TrailsData } from '../workspace/reading/trails.ts';
import type { VerifyData } from '../workspace/reading/verify.ts';
import type { ViewData } from '../workspace/reading/view.ts';

export interface ToolData extends Record<EditName, DoneData> {
  view: ViewData;
  change: DoneData;
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
