/** A conflict of a merge, as those are told who decide on it. */

import type { ConflictRegion } from '../../errors.ts';

/** A file that cannot be merged by itself, as those are told who decide. */
export interface MergeConflict {
  path: string;
  /** The lines that both sides changed; none where the file cannot be merged by lines. */
  regions: readonly ConflictRegion[];
  version?: string | undefined;
  note?: string;
  /** The versions that both sides have in common and that theirs is, for whoever merges by hand; absent for what is no plain file. */
  versions?: { base: string | null; theirs: string | null };
  /** The newest commit of the other side. */
  commit: string;
  /** The newest edits of the file on each side. */
  mine: SideEdit[];
  theirs: SideEdit[];
}

/** An edit of one side, for those who decide. */
export interface SideEdit {
  commit: string;
  subject: string;
  agent: string | null;
  session: string | null;
  author: string;
}
