/** Reads which commits of a trail changed files, and what they made of them. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { isHead, isOutside, isRedo, isShell, isWayBack } from '../operations.ts';
import type { FileChange } from './changes.ts';
import type { TrailMeta } from './message.ts';
import { renamesOf } from './renames.ts';
import { fileAt, type Recorded, sameRecorded } from './steps.ts';
import { readEntryOrNull, type TrailEntry, type TrailRow, walkRows } from './walk.ts';

/** An edit, a way back, a rejection, a change from outside, or a commit of a person that HEAD came to. */
export type StepKind = 'edit' | 'back' | 'reject' | 'outside' | 'head';

export interface HistoryQuery {
  /** The newest commit; `null` where nothing was edited. */
  tip: string | null;
  /** On a trail beside the branch: HEAD's history is left out. */
  ownOnly: boolean;
  /** Reads back to where all of these were read, and no further; what was before is the base then. */
  since?: ReadonlySet<string>;
  /** A commit that is read, whatever it is about. */
  also?: string | undefined;
}

/** On the checked-out branch, older commits are not read. */
const MOST_ON_BRANCH = 10_000;

export interface Step {
  commit: string;
  parents: readonly string[];
  kind: StepKind;
  /** HEAD's commit when it was made, on a trail beside the branch. */
  head: string | undefined;
  /** The agent that made it, where it has a name. */
  agent: string | undefined;
  /** `null` where the commit says nothing of others. */
  meta: TrailMeta | null;
  /** True where what it brings back is not its own: of a way back, or a command such as `git stash pop`. */
  brings: boolean;
  /** The contents of the files that are asked for, after the commit. */
  changes: FileChange[];
  renames: ReadonlyMap<string, string>;
}

/** Reads the commits that changed a file with one of these names, and those that may have; newest first. */
export async function stepsOf(
  objects: ObjectDatabase,
  { tip, ownOnly, since, also }: HistoryQuery,
  wanted: ReadonlySet<string>,
): Promise<Step[]> {
  const steps: Step[] = [];
  const limit = ownOnly ? {} : { limit: MOST_ON_BRANCH };
  const left = new Set(since);
  for await (const rows of walkRows(objects, tip, { ownOnly, ...limit })) {
    for (const row of rows) {
      // A commit that brings HEAD may change any file.
      const isAbout = row.op === null || isHead(row.op) || row.paths.some(path => wanted.has(path));
      if (isAbout || row.commit === also)
        steps.push(plainStep(row, wanted) ?? (await stepOf(objects, row, wanted)));
      left.delete(row.commit);
      if (since !== undefined && left.size === 0) return steps;
    }
  }
  return steps;
}

/** The step of most commits, without a wait: what it changed is known, and no file came or went. Else `null`. */
function plainStep(row: TrailRow, wanted: ReadonlySet<string>): Step | null {
  const kept = row.changes();
  if (kept === null || kept instanceof Promise || !kept.kind) return null;
  const asked = kept.files.filter(({ path }) => wanted.has(path));
  if (asked.some(isComeOrGone)) return null;
  const changes = asked.filter(({ before, after }) => !sameRecorded(before, after));
  return { ...knownStep(row, kept.kind), changes, renames: NONE };
}

function knownStep(
  { commit, parent, head, op, agent }: TrailRow,
  kind: StepKind,
): Omit<Step, 'changes' | 'renames'> {
  return {
    commit,
    kind,
    meta: null,
    brings: brings(op) || kind === 'reject',
    parents: parent === null ? [] : [parent],
    head,
    agent,
  };
}

function brings(op: string | null, meta?: TrailMeta | null): boolean {
  return isWayBack(op) || isShell(op) || meta?.unrejects !== undefined || meta?.rejects !== undefined;
}

async function stepOf(objects: ObjectDatabase, row: TrailRow, wanted: ReadonlySet<string>): Promise<Step> {
  const kept = await row.changes();
  const entry = kept?.kind ? null : await row.entry();
  const all = kept?.files ?? (await changesIn(objects, entry!, wanted));
  const changes = all.filter(one => wanted.has(one.path) && !sameRecorded(one.before, one.after));
  const renames = changes.some(isComeOrGone) ? await renamesAmong(objects, all) : NONE;
  if (!entry) return { ...knownStep(row, kept!.kind!), changes, renames };
  const { commit, parents, meta } = entry;
  const kind = kindOf(meta);
  const { head, agent } = row;
  return { commit, parents, kind, meta, brings: brings(row.op, meta), head, agent, changes, renames };
}

const NONE: ReadonlyMap<string, string> = new Map();

function isComeOrGone({ before, after }: FileChange): boolean {
  return (before === null) !== (after === null);
}

/** None where a shallow clone ends: nobody can say what the commit changed. */
async function changesIn(
  objects: ObjectDatabase,
  entry: TrailEntry,
  wanted: ReadonlySet<string>,
): Promise<readonly FileChange[]> {
  const files = await namedFiles(objects, entry, wanted);
  if (files) return files;
  const before = await treeBelow(objects, entry);
  return before === undefined ? [] : diffTrees(objects, before, entry.tree);
}

/**
 * Reads the files that a commit names: all of them, or the wanted ones, with the others where one of those may have been
 * moved, to or from their names. `null` where it may change others, or a shallow clone ends.
 */
export async function namedFiles(
  objects: ObjectDatabase,
  entry: TrailEntry,
  wanted?: ReadonlySet<string>,
): Promise<FileChange[] | null> {
  const { meta, tree } = entry;
  const below = !meta || isHead(meta.op) ? undefined : await treeBelow(objects, entry);
  if (below === undefined) return null;
  const read = async (path: string): Promise<FileChange> => ({
    path,
    before: below === null ? null : await fileAt(objects, below, path),
    after: await fileAt(objects, tree, path),
  });
  const files: FileChange[] = [];
  for (const path of meta!.paths) if (wanted?.has(path) ?? true) files.push(await read(path));
  if (!wanted || !files.some(isComeOrGone)) return files;
  for (const path of meta!.paths) if (!wanted.has(path)) files.push(await read(path));
  return files;
}

/** The tree of the first parent, `null` for none; `undefined` where a shallow clone ends. */
async function treeBelow(
  objects: ObjectDatabase,
  { parents: [parent] }: TrailEntry,
): Promise<string | null | undefined> {
  return parent === undefined ? null : (await readEntryOrNull(objects, parent))?.tree;
}

export function renamesAmong(
  objects: ObjectDatabase,
  changes: ReadonlyArray<Pick<FileChange, 'path' | 'before' | 'after'>>,
): Promise<Map<string, string>> {
  return renamesOf(changes, (path, held: NonNullable<Recorded>) => ({
    path,
    oid: held.oid,
    read: async () => {
      const { content } = await objects.read(held.oid);
      return { bytes: content, version: held.oid };
    },
  }));
}

export function kindOf(meta: TrailMeta | null): StepKind {
  if (meta === null || isHead(meta.op)) return 'head';
  if (meta.rejects) return 'reject';
  // Taking a rejection back is no change from outside, though a person makes it.
  if (isOutside(meta.op)) return meta.unrejects === undefined ? 'outside' : 'edit';
  const isBack = isWayBack(meta.op) && !isRedo(meta.op) && meta.unrejects === undefined;
  return isBack ? 'back' : 'edit';
}

/** The changes of a commit, without those of files that it gave other names. */
export function withoutMoved({ changes, renames }: Step): readonly FileChange[] {
  const moved = new Set(renames.values());
  return moved.size === 0 ? changes : changes.filter(({ path, after }) => after !== null || !moved.has(path));
}
