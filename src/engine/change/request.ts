/** A change as it is asked for: by whom, on which terms, and how it is planned. */

import type { Cancellation } from '../calls/cancel.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { Approve, Asked } from './approval.ts';
import type { Planned } from './planned.ts';

export interface ChangeRequest extends Asked {
  cancel: Cancellation;
  dryRun: boolean;
  /** The hash of a request that has an id of its own: by it is told that the same is asked for again. */
  editHash?: string | undefined;
  base?: string | undefined;
  /** Further commits that the plan asks the snapshot for, as the caller named them. */
  names?: ReadonlyArray<string | undefined>;
  /** Also what looks like a key, with the reason. */
  allowSecret?: boolean | undefined;
  /** Asked after the workspace's own. */
  beforeCommit?: Approve | undefined;
  /**
   * The commit up to which HEAD's are others': what the newer ones hold is the change's own, and the next one brings the trail up
   * to them. A trail that has not begun yet begins on this commit, where there is one.
   */
  upTo?: string | null;
  /** Told which commit it will be, before it is on the trail. */
  onDrafted?: (commit: string, trail: string) => Promise<void>;
  /** Told that HEAD moved since the trail last looked. */
  onSynced?: () => void;
  /** Decides on a snapshot; called again when somebody moved the trail or a file before the change was published. */
  plan(snapshot: Snapshot): Promise<Planned>;
}
