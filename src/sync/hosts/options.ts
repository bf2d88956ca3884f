/** Options of a sync of hosts. */

import * as z from 'zod';
import { type CheckOptions, type FieldsOf, optionsCheck, shapeOf } from '../../engine/calls/call-options.ts';
import * as option from '../../engine/calls/option.ts';
import type { MergeConflict } from '../merge/conflict.ts';
import { type RemoteOptions, remoteFields } from '../remote-options.ts';

/** Decides on a file that both sides changed in the same lines; `stop` refuses the merge with CONFLICT. */
export type DecideConflict = (
  conflict: MergeConflict,
) => Promise<'mine' | 'server' | 'stop'> | 'mine' | 'server' | 'stop';

export interface SyncOptions extends RemoteOptions {
  /**
   * Where both sides changed the same lines of a file: `stop` (default) refuses with CONFLICT and writes nothing; `server`
   * makes the own edits again on the server's text, and puts aside those that do not fit; a function decides file by file.
   */
  onConflict?: 'stop' | 'server' | DecideConflict | undefined;
  /** Publish also text of people that was recorded as outside changes. */
  withOutside?: boolean | undefined;
  /** Publish also commits of HEAD that are on no branch of the remote. */
  withUnpushedCommits?: boolean | undefined;
  /** Merge also a history that has no commit in common with this one. */
  allowUnrelated?: boolean | undefined;
  /** Take in also what looks like a key, with the reason, which history keeps. */
  allowSecret?: boolean | undefined;
  reason?: string | undefined;
  /** The most bytes that are fetched at once; default: 1 GiB. */
  maxBytes?: number | undefined;
}

const syncFields: FieldsOf<SyncOptions> = {
  ...remoteFields,
  onConflict: () =>
    z
      .custom<NonNullable<SyncOptions['onConflict']>>(
        value => value === 'stop' || value === 'server' || typeof value === 'function',
        '"stop", "server" or a function',
      )
      .optional(),
  withOutside: option.flag,
  withUnpushedCommits: option.flag,
  allowUnrelated: option.flag,
  allowSecret: option.flag,
  reason: option.text,
  maxBytes: option.positive,
};

export const checkSync: CheckOptions<SyncOptions> = optionsCheck(syncFields, { onConflict: 'server' });

/** Options of the syncs that a workspace makes by itself. */
export interface WorkspaceSync extends SyncOptions {
  /**
   * `interval` (default): every so often, and edits wait for nothing. `before-answer`: an edit is answered once the server
   * has it too; where that fails, it is answered all the same, with `data.sync: 'pending'` and why, and the workspace syncs
   * again by itself until the server has it.
   */
  when?: 'interval' | 'before-answer' | undefined;
  /** Milliseconds from one sync to the next; default 10,000, which suits GitHub, and with `before-answer` none. */
  interval?: number | undefined;
}

const workspaceFields: FieldsOf<WorkspaceSync> = {
  ...syncFields,
  when: () => z.enum(['interval', 'before-answer']).optional(),
  interval: () => z.number().nonnegative().optional(),
};

export const workspaceSync = (): z.ZodType<WorkspaceSync> =>
  z.strictObject(shapeOf(workspaceFields)) as z.ZodType<WorkspaceSync>;
