/**
 * Plans what a merge makes of the files: clean paths as they merge, the others decided by the caller or refused all
 * together.
 */

import { checkReadable } from '../../engine/admission/policy/readable.ts';
import { orNone } from '../../engine/change/folders.ts';
import type { Planned } from '../../engine/change/planned.ts';
import { type Context, fromTrail } from '../../engine/context.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { outsideWorkspace, UndoPlan } from '../../engine/undo/undo-plan.ts';
import { type ConflictRegion, EditError } from '../../errors.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { type Incoming, incomingTrail } from '../../trail/history/incoming.ts';
import { blobsOf, type Merged, mergeStep } from '../../trail/history/merge-steps.ts';
import type { Replay } from '../../trail/history/replay.ts';
import { aboutPath } from '../../trail/message.ts';
import { fileAt, type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { fieldName, pathName, shortId } from '../../wording.ts';
import { Carrier } from './carried.ts';
import type { MergeConflict } from './conflict.ts';
import { countedHead, type OtherSide } from './peer-head.ts';
import { type Conflict, type OtherTrail, Sides } from './sides.ts';

/**
 * The side whose text a path gets that cannot be merged; `server`: theirs, with what of the own edits fits; `resolved`: what
 * a person made of both in the file.
 */
export type Side = 'mine' | 'theirs' | 'server' | 'resolved';

/** Asked for each path that cannot be merged; `null`: nobody decides. */
export type Decide = (path: string, tell: () => Promise<MergeConflict>) => Promise<Side | null> | Side | null;

export interface About extends OtherTrail {
  decide: Decide;
  /** The own edits made again on theirs; see Side. */
  replay?: (() => Promise<Replay>) | undefined;
}

/** Plans what comes in. Throws CONFLICT, naming both sides, and what a path that no edit could write is refused with. */
export async function planIncoming(snapshot: Snapshot, incoming: Incoming, about: About): Promise<Planned> {
  const undoPlan = new UndoPlan(snapshot);
  const sides = new Sides(snapshot, incoming, about);
  const conflicts: Conflict[] = [];
  const meta: { keeps: string[]; setsAside: string[] } = { keeps: [], setsAside: [] };
  const steps: Step[] = [];
  const settled = new Set<string>();
  const carrier = await Carrier.of(snapshot, incoming);
  for (const recorded of incoming.paths) {
    const one = await mergePath(snapshot, incoming, recorded, carrier);
    if (one === null) continue;
    const conflict = 'conflict' in one.merged ? await conflictAt(incoming, one, recorded) : null;
    const wanted = conflict && (await about.decide(one.path, async () => sides.describe(conflict)));
    const side = one.isCarried && wanted === 'resolved' ? null : wanted;
    if (conflict && side === null) {
      conflicts.push(conflict);
      continue;
    }
    if (side !== null) meta.keeps.push(aboutPath(side, recorded));
    const to = await chooseContent(snapshot, incoming, about, { ...one, recorded, side });
    meta.setsAside.push(...to.aside.map(commit => aboutPath(commit, recorded)));
    if (one.isCarried) {
      carrier.take({ path: one.path, recorded, from: one.ours, to: to.recorded });
      continue;
    }
    if (sameRecorded(one.present, to.recorded) && sameRecorded(one.ours, to.recorded)) continue;
    // The file holds it already, and the trail shall say so.
    if (sameRecorded(one.present, to.recorded)) settled.add(one.path);
    steps.push({ path: recorded, from: one.present, to: to.recorded, commit: about.commit });
  }
  if (conflicts.length > 0) throw await sides.conflictOf(conflicts);
  await undoPlan.mergeSteps(steps).catch(error => tooLargeAt(snapshot, about.name, steps, error));
  const plan = undoPlan.plan(null);
  const { carried, blocked } = await carrier.changes(plan.targets, steps);
  if (blocked.length > 0) throw await sides.inTheWay(blocked);
  const lists = Object.entries(meta).filter(([, list]) => list.length > 0);
  return { ...plan, carried, settled, meta: Object.fromEntries(lists) };
}

/** Throws NO_CHANGE where all of a trail is here. */
export async function assertNew(
  { context, trail }: Snapshot,
  { name, commit }: Pick<About, 'name' | 'commit'>,
): Promise<void> {
  if (
    trail.tip !== null &&
    trail.parent !== null &&
    (await isAncestor(context.objects, commit, trail.parent))
  )
    throw new EditError('NO_CHANGE', `All edits of ${name} are here already.`, { commit });
}

/** Plans taking in a whole trail, with both histories behind it. Throws as countedHead and planIncoming, and TOO_LARGE, naming it. */
export async function planTrail(snapshot: Snapshot, about: About & OtherSide): Promise<Planned> {
  const { name, commit } = about;
  const counts = snapshot.trail.parent === null ? null : await countedHead(snapshot, about);
  const planned = await planIncoming(snapshot, await incomingOf(snapshot, about, counts), about);
  const meta = { ...planned.meta, merges: commit, ...(counts === null ? {} : { counts }) };
  return { ...planned, meta, title: name, joins: commit };
}

async function incomingOf(
  { context: { objects }, trail }: Snapshot,
  { name, commit }: About,
  counts: string | null,
): Promise<Incoming> {
  return incomingTrail(objects, trail.parent, commit, counts).catch(error => {
    if (!(error instanceof EditError) || error.code !== 'TOO_LARGE') throw error;
    const message = `${name} (${shortId(commit)}) is too large to be merged, so nothing was: ${error.message}`;
    throw new EditError('TOO_LARGE', message, error.data as { limit: number });
  });
}

/** Throws an error that names the file which is too large: a peer may have put anything into a tree. */
async function tooLargeAt(
  { context: { objects } }: Snapshot,
  peer: string,
  steps: readonly Step[],
  error: unknown,
): Promise<never> {
  if (!(error instanceof EditError) || error.code !== 'TOO_LARGE') throw error;
  for (const { path, to } of steps) {
    const found = to === null ? null : await objects.read(to.oid).catch(one => one as EditError);
    if (!(found instanceof EditError) || found.code !== 'TOO_LARGE') continue;
    const message = `${pathName(path)} of ${peer} is too large to be merged, so nothing was: ${found.message}.`;
    throw new EditError('TOO_LARGE', message, { ...(found.data as { limit: number }), path });
  }
  throw error;
}

const WHOLE = 'one side has no such file, or a file that cannot be merged by lines';

async function conflictAt(
  incoming: Incoming,
  { path, present, merged, isCarried }: MergedPath,
  recorded: string,
): Promise<Conflict> {
  const regions: readonly ConflictRegion[] = 'conflict' in merged ? merged.conflict : [];
  const note = regions.length > 0 ? {} : { note: WHOLE };
  const [base, theirs] = [await incoming.common(recorded), await incoming.theirs(recorded)];
  const versions = { base: base?.oid ?? null, theirs: theirs?.oid ?? null };
  return { path, recorded, regions, version: present?.oid, ...note, ...(isCarried ? {} : { versions }) };
}

interface MergedPath {
  path: string;
  /** The present content of the file, and what is recorded of it. */
  present: Recorded;
  ours: Recorded;
  merged: Merged;
  /** True for what no edit could write; see Carrier. */
  isCarried?: boolean;
}

/** Returns what the path shall hold, and the own edits that are put aside for it. */
async function chooseContent(
  snapshot: Snapshot,
  incoming: Incoming,
  { replay }: About,
  { merged, path, recorded, present, ours, side }: MergedPath & { recorded: string; side: Side | null },
): Promise<{ recorded: Recorded; aside: string[] }> {
  if (!('conflict' in merged)) return { recorded: merged.recorded, aside: [] };
  if (side === 'mine' || side === 'resolved') return { recorded: present, aside: [] };
  if (side !== 'server' || !replay) return { recorded: await incoming.theirs(recorded), aside: [] };
  const { objects } = snapshot.context;
  const replayed = await (await replay()).at(recorded);
  remember(objects, replayed);
  if (sameRecorded(present, ours)) return replayed;
  const onTop = await onUnsaved(snapshot, { path, present, ours, to: replayed.recorded });
  return 'conflict' in onTop ? replayed : { recorded: onTop.recorded, aside: replayed.aside };
}

/** Merges what a path shall hold, on what it holds now, unsaved work too; `null` where nothing comes in. */
async function mergePath(
  snapshot: Snapshot,
  incoming: Incoming,
  recorded: string,
  carrier: Carrier,
): Promise<MergedPath | null> {
  const { context, trail } = snapshot;
  const { objects } = context;
  const ours = trail.tree ? await fileAt(objects, trail.tree, recorded) : null;
  const merged = await incoming.merge(recorded, ours);
  if (!('conflict' in merged) && sameRecorded(merged.recorded, ours)) return null;
  const path = fromTrail(context, recorded);
  if (path === null) throw outsideWorkspace(recorded, 'merged');
  // A conflict would show both sides.
  await checkReadable(context, await snapshot.layers(), path);
  const to = 'conflict' in merged ? await incoming.theirs(recorded) : merged.recorded;
  if (await carrier.carries(path, ours, to)) return { path, present: ours, ours, merged, isCarried: true };
  if ((await snapshot.resolve(path)) !== path) throw behindLink(path);
  const file = await orNone(() => snapshot.asRecorded(path));
  const present = file && { mode: file.mode, oid: file.version };
  if ('conflict' in merged) {
    if (file) remember(objects, { recorded: present, content: file.bytes });
    return { path, present, ours, merged };
  }
  remember(objects, merged);
  if (sameRecorded(present, ours)) return { path, present, ours, merged };
  const onTop = await onUnsaved(snapshot, { path, present, ours, to: merged.recorded });
  return { path, present, ours, merged: onTop };
}

/** Merges what comes in with work that nobody recorded yet: the change records it first, and what comes in goes on top. */
async function onUnsaved(
  snapshot: Snapshot,
  { path, present, ours, to }: { path: string; present: Recorded; ours: Recorded; to: Recorded },
): Promise<Merged> {
  const { objects } = snapshot.context;
  const file = await snapshot.asRecorded(path);
  if (file) objects.remember({ oid: file.version, type: 'blob', content: file.bytes });
  const contents = new Map(file ? [[file.version, file.bytes]] : []);
  const onTop = await mergeStep(blobsOf(objects, contents), present, { path, from: ours, to });
  if (!('conflict' in onTop)) remember(objects, onTop);
  return onTop;
}

function remember(
  objects: Context['objects'],
  { recorded, content }: { recorded: Recorded; content?: Uint8Array },
): void {
  if (content && recorded) objects.remember({ oid: recorded.oid, type: 'blob', content });
}

function behindLink(path: string): EditError {
  const message = `${path} leads through a link here, and the other history has a file there. Nothing was merged. Remove the link, or take edits of other files (${fieldName('edits')}).`;
  return new EditError('SPECIAL_FILE', message, { path });
}
