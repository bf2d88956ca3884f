/** Holds what there is to land. */

import type { Context } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import type { TrailRow } from '../history/walk.ts';
import type { LandContents } from './contents.ts';
import type { LandFile } from './land-files.ts';
import type { LandRequest } from './request.ts';
import type { LandTarget } from './target.ts';

export interface LandWork {
  request: LandRequest;
  context: Context;
  snapshot: Snapshot;
  target: LandTarget;
  /** The trail's commits about the files, oldest first, and those that are to land. */
  rows: readonly TrailRow[];
  chosen: readonly TrailRow[];
  files: readonly LandFile[];
  contents: LandContents;
}
