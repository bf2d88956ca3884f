/** Selects the edits that a landing is about, and their files. */

import { type Context, toTrail } from '../engine/context.ts';
import { outsideChanges } from '../engine/files/outside.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { NamedCommits, rangeEnds } from '../engine/revision.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { EditError } from '../errors.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { revList } from '../git/rev-list.ts';
import { listedSome } from '../text/words.ts';
import { isBelow } from '../trail/changed-paths.ts';
import { type TrailEntry, walkTrail } from '../trail/walk.ts';
import { toolName } from '../wording.ts';
import { canLand } from './land-files.ts';
import type { LandTarget } from './target.ts';

/** The selection that the caller wants landed; ids are full. */
export interface LandSelection {
  session?: string | undefined;
  agent?: string | undefined;
  turn?: string | undefined;
  /** Files and folders, as the trail records them. */
  paths?: readonly string[] | undefined;
  /** Single commits; absent: all that is not landed yet. */
  commits?: ReadonlySet<string> | undefined;
}

/**
 * The commits of the trail that record work, oldest first. Where the trail is the checked-out branch, with `target`, those
 * that it does not have.
 */
export async function landEntries(snapshot: Snapshot, target: LandTarget | null): Promise<TrailEntry[]> {
  const { context, trail } = snapshot;
  const tip = trail.tip && trail.parent;
  if (tip === null) return [];
  const isBranch = trail.checkedOut;
  const missing = isBranch && target ? await revList(context.objects, tip, target.commit) : null;
  const entries: TrailEntry[] = [];
  for await (const entry of walkTrail(context.objects, tip, { ownOnly: !isBranch, joined: 'shared' })) {
    if (missing && !missing.has(entry.commit)) break;
    if (entry.meta) entries.push(entry);
  }
  return entries.reverse();
}

/** The files that may change on the branch: those of named edits; else those that it, the trail and the folder have otherwise. */
export async function pathsToLand(
  snapshot: Snapshot,
  target: LandTarget,
  { paths, commits }: LandSelection,
  entries: readonly TrailEntry[],
): Promise<string[]> {
  const { context, trail } = snapshot;
  const found = new Set<string>();
  if (commits) {
    for (const { commit, meta } of entries)
      if (commits.has(commit)) for (const path of meta!.paths) found.add(path);
  } else {
    for (const { path } of await diffTrees(context.objects, target.tree, trail.tree)) found.add(path);
    for (const { path } of (await outsideChanges(snapshot)).changes) found.add(toTrail(context, path));
  }
  return [...found].filter(path => paths === undefined || paths.some(folder => isBelow(path, folder))).sort();
}

/** The edits, ways back and rejections that are to land, oldest first. */
export function chooseEdits(entries: readonly TrailEntry[], wish: LandSelection): TrailEntry[] {
  const { session, agent, turn, commits } = wish;
  return entries.filter(entry => {
    const { meta, commit } = entry;
    if (!canLand(entry)) return false;
    if (session !== undefined && meta!.session !== session) return false;
    if (agent !== undefined && meta!.agent !== agent) return false;
    if (turn !== undefined && meta!.turn !== turn) return false;
    return commits?.has(commit) ?? true;
  });
}

export function nothingToLand(asked: Omit<LandSelection, 'commits'> & { commits?: unknown }): EditError {
  const { session, agent, turn, paths, commits } = asked;
  const whose = [
    session === undefined ? '' : ` of session ${session}`,
    agent === undefined ? '' : ` by ${agent}`,
    turn === undefined ? '' : ` in turn ${turn}`,
    paths ? ` in ${listedSome(paths)}` : '',
  ].join('');
  const what = commits
    ? 'These edits are on the branch already, or taken back.'
    : `There is no edit${whose} that has not landed.`;
  return new EditError('NO_CHANGE', `${what} ${toolName('log')} lists the edits.`, {
    session: session ?? null,
  });
}

/** The commits that the specs name, found before the landing waits for anything. */
export async function landNames(context: Context, specs: readonly string[]): Promise<NamedCommits> {
  const names = specs.flatMap(spec => {
    const [after, last] = rangeEnds(spec) ?? [spec];
    return last === undefined ? [after] : [...(after === '' ? [] : [after]), last || '@'];
  });
  return NamedCommits.of(context, await openTrail(context), names);
}

/** Full ids, of `entries` (the trail, oldest first). Throws INVALID_INPUT for what is no edit of them. */
export async function resolveCommits(
  named: NamedCommits,
  entries: readonly TrailEntry[],
  specs: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set<string>();
  for (const spec of specs) {
    const row = rangeEnds(spec);
    const ids = row ? await rowOf(named, entries, ...row) : [await editOf(named, entries, spec)];
    for (const id of ids) wanted.add(id);
  }
  return wanted;
}

async function editOf(named: NamedCommits, entries: readonly TrailEntry[], spec: string): Promise<string> {
  const commit = await named.find(spec);
  if (entries.some(one => one.commit === commit)) return commit;
  throw noEdit(spec, commit);
}

/** Returns the edits of a range; an end that is left out is that of the trail. */
async function rowOf(
  named: NamedCommits,
  entries: readonly TrailEntry[],
  after: string,
  last: string,
): Promise<string[]> {
  const place = async (spec: string): Promise<number> => {
    const commit = await named.find(spec);
    const found = placeAfter(entries, commit);
    if (found !== null) return found;
    if (commit === named.trail.parent) return entries.length;
    throw noEdit(spec, commit);
  };
  const start = after === '' ? 0 : await place(after);
  const end = await place(last || '@');
  return entries.slice(start, end).map(one => one.commit);
}

/** The index of the first entry above a commit of the trail, which need not be an edit itself. */
function placeAfter(entries: readonly TrailEntry[], commit: string): number | null {
  const at = entries.findIndex(one => one.commit === commit);
  if (at >= 0) return at + 1;
  const above = entries.findIndex(one => one.parents[0] === commit);
  return above >= 0 ? above : null;
}

function noEdit(spec: string, commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${spec} is not an edit of this history that could land. ${toolName('log')} lists them; a row of them is <after>..<last>.`,
    { field: 'commits', commit },
  );
}
