/** Selects the edits that a landing is about, and their files. */

import { EditError } from '../../errors.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { revList } from '../../git/rev-list.ts';
import { listedSome } from '../../text/words.ts';
import { isBelow } from '../../trail/changed-paths.ts';
import { type TrailEntry, walkTrail } from '../../trail/walk.ts';
import { toolName } from '../../wording.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { outsideChanges } from '../queries/outside.ts';
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

export function nothingToLand({
  session,
  agent,
  turn,
  paths,
  commits,
}: Pick<LandSelection, 'session' | 'agent' | 'turn' | 'paths'> & { commits?: unknown }): EditError {
  const by = session === undefined ? '' : ` of session ${session}`;
  const then = turn === undefined ? '' : ` in turn ${turn}`;
  const whose =
    by + (agent === undefined ? '' : ` by ${agent}`) + then + (paths ? ` in ${listedSome(paths)}` : '');
  const what = commits
    ? 'These edits are on the branch already, or taken back.'
    : `There is no edit${whose} that has not landed.`;
  return new EditError('NO_CHANGE', `${what} ${toolName('log')} lists the edits.`, {
    session: session ?? null,
  });
}
