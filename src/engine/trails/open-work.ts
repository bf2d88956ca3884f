/** The edits of which something is in the files and not on the branch. Whoever counts them (status, sessions, landings) counts these. */

import { diffTrees } from '../../git/objects/tree-diff.ts';
import { type TrailEntry, treeOf } from '../../history/walk.ts';
import { isWork } from '../../operations.ts';
import { type Context, toTrail } from '../context.ts';
import { type OutsideChange, outsideChanges } from '../files/outside.ts';
import { Snapshot } from '../files/snapshot.ts';
import { newestOf } from '../status/newest.ts';
import { Statuses } from '../status/statuses.ts';

/** Whether the folder tells what files hold. */
type Told = { files?: boolean };

export interface OpenWork {
  /** Oldest first. */
  edits: TrailEntry[];
  /** The number of edits of the same files that somebody took out by hand. */
  takenBack: number;
  /** By where they are, as in the status of an edit, the number of edits that are neither here nor taken back. */
  away: Map<string, number>;
  /** True when there are older commits that were not looked at. */
  more: boolean;
}

const NONE: OpenWork = { edits: [], takenBack: 0, away: new Map(), more: false };

/**
 * Returns the open work of the trail beside the branch that is checked out, brought up to HEAD. `outside`: what is known of
 * it already.
 */
export async function openWork(snapshot: Snapshot, outside?: readonly OutsideChange[]): Promise<OpenWork> {
  const { context, trail } = snapshot;
  if (trail.checkedOut || !trail.tip) return NONE;
  const changes = outside ?? (await outsideChanges(snapshot)).changes;
  return openIn(snapshot, [
    ...(await differing(snapshot)),
    ...changes.map(({ path }) => toTrail(context, path)),
  ]);
}

/**
 * Returns the open work of a trail beside a branch whose files are not here. `target`: the newest commit of that
 * branch.
 */
export async function openWorkOf(
  context: Context,
  ref: string,
  tip: string,
  target: string | null,
): Promise<OpenWork> {
  const trail = {
    ref,
    checkedOut: false,
    oid: tip,
    tip,
    parent: tip,
    tree: await treeOf(context.objects, tip),
    head: target,
    branch: null,
    seen: target,
  };
  const snapshot = new Snapshot(context, trail);
  return openIn(snapshot, await differing(snapshot), { files: false });
}

/** The paths that the trail holds otherwise than HEAD. */
async function differing({ context: { objects }, trail }: Snapshot): Promise<string[]> {
  const head = trail.head && (await treeOf(objects, trail.head));
  return (await diffTrees(objects, head, trail.tree)).map(({ path }) => path);
}

async function openIn(snapshot: Snapshot, paths: readonly string[], told: Told = {}): Promise<OpenWork> {
  const { rows, more } = await newestOf(snapshot);
  const { branch } = snapshot.trail;
  const elsewhere = rows.filter(row => row.branch !== undefined && row.branch !== branch && isWork(row.op));
  const wanted = told.files === false ? paths : [...paths, ...elsewhere.flatMap(row => row.paths)];
  if (wanted.length === 0) return NONE;
  const options = { ...told, ...(more && { since: new Set(rows.map(({ commit }) => commit)) }) };
  let statuses = await Statuses.read(snapshot, wanted, options);
  const { commits, paths: read } = statuses;
  const about = rows.filter(row => commits.has(row.commit) && isWork(row.op)).reverse();
  // An edit of several files may have others of which nothing is open.
  const others = about.flatMap(row => row.paths).filter(path => !read.has(path));
  if (others.length > 0) statuses = await Statuses.read(snapshot, [...wanted, ...others], options);
  const found: OpenWork = { edits: [], takenBack: 0, away: new Map(), more };
  for (const row of about) {
    const entry = await row.entry();
    const { now, lines, by } = await statuses.of(entry);
    if (lines.open) found.edits.push(entry);
    if (now === 'taken out by hand') found.takenBack++;
    if (now === 'away') found.away.set(by!, (found.away.get(by!) ?? 0) + 1);
  }
  return found;
}
