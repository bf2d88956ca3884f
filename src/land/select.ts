/** Selects the edits that a landing is about, and their files. */

import { type Context, toTrail } from '../engine/context.ts';
import { outsideChanges } from '../engine/files/outside.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { NamedCommits, rangeEnds } from '../engine/revision.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { EditError } from '../errors.ts';
import { diffTrees } from '../git/objects/tree-diff.ts';
import { revList } from '../git/rev-list.ts';
import { isBelow } from '../history/changed-paths.ts';
import { type TrailRow, walkRows } from '../history/walk.ts';
import { isWork } from '../operations.ts';
import { listedSome } from '../text/words.ts';
import { optionWords, toolName } from '../wording.ts';
import type { LandRequest } from './request.ts';
import type { LandTarget } from './target.ts';

/** The selection that the caller wants landed: ids are full, and paths as the trail records them. */
export interface LandSelection extends Pick<LandRequest, 'session' | 'agent' | 'turn' | 'paths'> {
  /** Single commits; `null`: all that is not landed yet. */
  commits: ReadonlySet<string> | null;
}

/**
 * The commits of the trail that record work, oldest first. Where the trail is the checked-out branch, with `target`, those
 * that it does not have.
 */
export async function landRows(snapshot: Snapshot, target: LandTarget | null): Promise<TrailRow[]> {
  const { context, trail } = snapshot;
  const tip = trail.tip && trail.parent;
  if (tip === null) return [];
  const isBranch = trail.checkedOut;
  const missing = isBranch && target ? await revList(context.objects, tip, target.commit) : null;
  const found: TrailRow[] = [];
  walk: for await (const rows of walkRows(context.objects, tip, { ownOnly: !isBranch }))
    for (const row of rows) {
      if (missing && !missing.has(row.commit)) break walk;
      if (row.op !== null) found.push(row);
    }
  return found.reverse();
}

/** The files that may change on the branch: those of named edits; else those that it, the trail and the folder have otherwise. */
export async function pathsToLand(
  snapshot: Snapshot,
  target: LandTarget,
  { paths, commits }: LandSelection,
  rows: readonly TrailRow[],
): Promise<string[]> {
  const { context, trail } = snapshot;
  const found = new Set<string>();
  if (commits) {
    for (const row of rows) if (commits.has(row.commit)) for (const path of row.paths) found.add(path);
  } else {
    for (const { path } of await diffTrees(context.objects, target.tree, trail.tree)) found.add(path);
    for (const { path } of (await outsideChanges(snapshot)).changes) found.add(toTrail(context, path));
  }
  return [...found].filter(path => paths === undefined || paths.some(folder => isBelow(path, folder))).sort();
}

/** The edits, ways back and rejections that are to land, oldest first. */
export async function chooseEdits(rows: readonly TrailRow[], wish: LandSelection): Promise<TrailRow[]> {
  const { session, agent, turn, commits } = wish;
  const chosen: TrailRow[] = [];
  for (const row of rows) {
    if (session !== undefined && row.session !== session) continue;
    if (agent !== undefined && row.agent !== agent) continue;
    if (turn !== undefined && row.turn !== turn) continue;
    if (commits && !commits.has(row.commit)) continue;
    if (isWork(row.op) || (await isReviewed(row))) chosen.push(row);
  }
  return chosen;
}

/** True for a rejection, and for one that is taken back: they are recorded as from outside, and can land all the same. */
async function isReviewed(row: TrailRow): Promise<boolean> {
  const { meta } = await row.entry();
  return meta?.rejects !== undefined || meta?.unrejects !== undefined;
}

/** `beside`: the files with text that no edit wrote. */
export function nothingToLand(
  { session, agent, turn, paths, commits }: LandRequest,
  beside: readonly string[],
): EditError {
  const whose = [
    session === undefined ? '' : ` of session ${session}`,
    agent === undefined ? '' : ` by ${agent}`,
    turn === undefined ? '' : ` in turn ${turn}`,
    paths ? ` in ${listedSome(paths)}` : '',
  ].join('');
  const what = commits
    ? 'These edits are on the branch already, or taken back.'
    : `There is no edit${whose} that has not landed.`;
  const rest =
    beside.length === 0
      ? ''
      : ` What ${listedSome(beside)} ${beside.length === 1 ? 'holds' : 'hold'} besides did not come through vedit: land it with your own changes (${optionWords('outside', true)}).`;
  const message = `${what}${rest} ${toolName('log')} lists the edits.`;
  return new EditError('NO_CHANGE', message, { session: session ?? null });
}

/** The commits that the specs name, found before the landing waits for anything. */
export async function landNames(context: Context, specs: readonly string[]): Promise<NamedCommits> {
  const names = specs.flatMap(spec => {
    const [after, last] = rangeEnds(spec) ?? [spec];
    return last === undefined ? [after] : [...(after === '' ? [] : [after]), last || '@'];
  });
  return NamedCommits.of(context, await openTrail(context), names);
}

/** Full ids, of `rows` (the trail, oldest first). Throws INVALID_INPUT for what is no edit of them. */
export async function resolveCommits(
  named: NamedCommits,
  rows: readonly TrailRow[],
  specs: readonly string[],
): Promise<ReadonlySet<string>> {
  /** The number of edits up to a commit of the trail, which need not be an edit itself. */
  const placeOf = async (spec: string): Promise<number> => {
    const commit = await named.find(spec);
    const at = rows.findIndex(one => one.commit === commit || one.parent === commit);
    if (at < 0 && commit !== named.trail.parent) throw noEdit(spec, commit);
    return at < 0 ? rows.length : at + (rows[at]!.commit === commit ? 1 : 0);
  };
  const wanted = new Set<string>();
  for (const spec of specs) {
    const range = rangeEnds(spec);
    const [after, last] = range ?? ['', spec];
    const end = await placeOf(last || '@');
    const start = range ? (after === '' ? 0 : await placeOf(after)) : end - 1;
    const found = rows.slice(Math.max(0, start), end);
    const commit = range ? null : await named.find(spec);
    if (commit !== null && found[0]?.commit !== commit) throw noEdit(spec, commit);
    for (const one of found) wanted.add(one.commit);
  }
  return wanted;
}

function noEdit(spec: string, commit: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${spec} is not an edit of this history that could land. ${toolName('log')} lists them; a row of them is <after>..<last>.`,
    { field: 'commits', commit },
  );
}
