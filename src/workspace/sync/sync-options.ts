/** What a sync of hosts is given, and what it answers. */

import * as z from 'zod';
import { type CheckOptions, type FieldsOf, optionsCheck } from '../calls/call-options.ts';
import type { SetAside } from '../calls/events.ts';
import type { MergeConflict } from './merge-conflict.ts';
import { type RemoteOptions, remoteFields } from './remote-options.ts';

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
  /** The most bytes that are fetched at once; default: 1 GiB. */
  maxBytes?: number | undefined;
}

export const syncFields: FieldsOf<SyncOptions> = {
  ...remoteFields,
  onConflict: z
    .custom<NonNullable<SyncOptions['onConflict']>>(
      value => value === 'stop' || value === 'server' || typeof value === 'function',
      '"stop", "server" or a function',
    )
    .optional(),
  withOutside: z.boolean().optional(),
  withUnpushedCommits: z.boolean().optional(),
  allowUnrelated: z.boolean().optional(),
  maxBytes: z.int().positive().optional(),
};

export const checkSync: CheckOptions<SyncOptions> = optionsCheck(syncFields, { onConflict: 'server' });

export interface SyncData {
  remote: string;
  /** The own trail, and the ref on the server that the hosts share. */
  trail: string;
  ref: string;
  /** The newest commit, here and on the server; `null`: neither has one yet. */
  head: string | null;
  /** Commits of others that came in, and own ones that went up. */
  pulled: number;
  pushed: number;
  /** Merge commits that were made; none where the own trail only went on to the server's. */
  merges: string[];
  aside: SetAside[];
  /** Files that changed here with what came in. */
  paths: string[];
  /** How often another host came first meanwhile. */
  outrun: number;
}
