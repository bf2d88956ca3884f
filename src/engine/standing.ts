/** Reads how files stand: their histories (src/line/files.ts), brought up to what HEAD and the folder hold now. */

import { EditError } from '../errors.ts';
import type { TrailHead } from '../history/head.ts';
import { type FileContent, fileAt } from '../history/steps.ts';
import { type LineFiles, type LineQuery, lineFiles, type Now } from '../line/files.ts';
import { MOST_CHANGED } from '../line/weave.ts';
import { type Context, fromTrail } from './context.ts';
import { movedTo } from './files/outside.ts';
import type { Snapshot } from './files/snapshot.ts';

export interface StandingOptions {
  /** Reads back to where all of these commits were read, and no further; default: all of the history. */
  since?: ReadonlySet<string>;
  /** The commit of a branch that counts in place of HEAD; `null`: one without commits. */
  target?: string | null;
  /** Whether the folder tells what files hold; default: unless they are those of another history, or in git alone. */
  files?: boolean;
}

/** Reads the files of a history that have one of these names, or had it, and takes in what is there `now`. */
export async function linesNow(
  snapshot: Snapshot,
  paths: Iterable<string>,
  query: Omit<LineQuery, 'tip' | 'ownOnly'>,
  now: Omit<Now, 'head'> & { head?: string | null },
): Promise<LineFiles> {
  const { context, trail } = snapshot;
  const about = { tip: trail.tip && trail.parent, ownOnly: !trail.checkedOut, ...query };
  const read = await lineFiles(context.objects, about, paths);
  await read.look({ head: trail.head, movedTo: movedTo(snapshot), ...now });
  return read;
}

/**
 * Reads the files that have one of these names, as the history records them, or had it, with what is there now. Where the
 * folder cannot tell, a file is as the history has it. A file of which too much was changed at once has no rows.
 */
export function standing(
  snapshot: Snapshot,
  paths: Iterable<string>,
  { since, target, files = doFilesTell(snapshot.context, snapshot.trail) }: StandingOptions = {},
): Promise<LineFiles> {
  const now = {
    ...(target !== undefined && { head: target, isOther: true }),
    ...(files ? {} : { movedTo: async () => null }),
    present: (path: string) => (files ? presentAt : recordedAt)(snapshot, path),
  };
  return linesNow(snapshot, paths, { most: MOST_CHANGED, ...(since && { since }) }, now);
}

/**
 * True where the folder tells. Where the branch is the history, or files live in git alone, what a person does is a commit or
 * an edit; and the files here tell nothing of the history of another clone or work tree.
 */
export function doFilesTell({ store }: Context, trail: TrailHead): boolean {
  return store.separate && !trail.checkedOut && !trail.mirror;
}

/** Reads a file as git would record it; one that is outside of the workspace, withheld or unreadable is as the history has it. */
export async function presentAt(snapshot: Snapshot, recorded: string): Promise<FileContent | null> {
  const path = fromTrail(snapshot.context, recorded);
  if (path === null) return recordedAt(snapshot, recorded);
  try {
    const file = await snapshot.entryAsRecorded(path);
    const content = file?.mode === '120000' ? null : (file?.bytes ?? null);
    return file && { mode: file.mode, oid: file.version, content };
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return error.code === 'IS_DIRECTORY' ? null : recordedAt(snapshot, recorded);
  }
}

export async function recordedAt({ context, trail }: Snapshot, path: string): Promise<FileContent | null> {
  const { objects } = context;
  const held = trail.tree === null ? null : await fileAt(objects, trail.tree, path);
  if (!held || held.mode === '40000') return null;
  const isRegular = held.mode.startsWith('100');
  return { ...held, content: isRegular ? await objects.file(path, held.oid) : null };
}
