/**
 * Work in the files that the workspace's trail knows nothing of and another trail does: carried over to a branch whose own
 * trail has grown apart from it, or made on a trail that was picked by its name. Readers name that trail.
 */

import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { readHead } from '../../git/refs/refs.ts';
import { listedSome } from '../../text/words.ts';
import type { TrailHead } from '../../trail/head.ts';
import { isOnBranch, TRAIL_PREFIX } from '../../trail/head.ts';
import { type Recorded, sameRecorded } from '../../trail/steps.ts';
import { isEdit, readEntryOrNull, type TrailEntry, walkTrail } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import { openWorkOf } from './open-work.ts';
import { commitsBackTo, growsFrom, type OtherTrailWork, otherTrails, Stand } from './other-trail-work.ts';

export interface KnownElsewhere {
  /** The ref of the other trail, or of the branch that edits were made on. */
  trail: string;
  /** The number of its edits that are about these paths and open. */
  edits: number;
  /** Files of the workspace that hold work of that trail. */
  paths: string[];
  /** All of that in words, such as `the trail of main has 2 edits in a.txt that this trail knows nothing of (...)`. */
  message: string;
}

/** So far down the branch edits are looked for that were made on it. */
const BELOW_HEAD = 50;
/** The most paths that are named in words. */
const NAMED = 5;

/** Empty in the common case, where there is one trail; see Stand for what is looked at. */
export async function findOtherTrails(context: Context, trail: TrailHead): Promise<KnownElsewhere[]> {
  if (!context.store.separate) return [];
  const stand = new Stand(context, trail);
  const found: KnownElsewhere[] = [];
  for (const other of await otherTrails(context, trail)) {
    const standing = await stand.of(other);
    if (!standing || standing.inFiles.length === 0) continue;
    const edits = await editsAbout(context, trail, standing);
    const touched = new Set(edits.flatMap(({ meta }) => meta!.paths));
    const about = standing.inFiles.filter(path => touched.has(path));
    const paths = about.map(path => fromTrail(context, path)).filter(path => path !== null);
    if (edits.length > 0) found.push(describeTrail({ trail: other.ref, edits: edits.length, paths }));
  }
  return [...found, ...(await madeOnBranch(context, trail))];
}

/**
 * Before a trail beside the branch begins: the edits that the engine made on the branch itself, as in a clone whose newest
 * commit is a person's (see inheritsHome).
 */
async function madeOnBranch(
  context: Context,
  { tip, head, checkedOut }: TrailHead,
): Promise<KnownElsewhere[]> {
  const { ref } = await readHead(context.repo);
  if (tip !== null || checkedOut || ref === null) return [];
  const edits: TrailEntry[] = [];
  for await (const entry of walkTrail(context.objects, head, { ownOnly: false, limit: BELOW_HEAD }))
    if (isOnBranch(entry) && isEdit(entry)) edits.push(entry);
  if (edits.length === 0) return [];
  const recorded = [...new Set(edits.flatMap(({ meta }) => meta!.paths))];
  const paths = recorded.map(path => fromTrail(context, path)).filter(path => path !== null);
  const what = `${edits.length} ${edits.length === 1 ? 'edit' : 'edits'} in ${named(paths)}`;
  const message = `the branch ${ref.replace('refs/heads/', '')} holds ${what} that were made on it (vedit log --trail HEAD; git config vedit.trail HEAD goes on with them)`;
  return [{ trail: ref, edits: edits.length, paths, message }];
}

/** The open edits of the other trail that are about the files, without those that both trails have. */
async function editsAbout(
  context: Context,
  { head, tip }: TrailHead,
  { ref, oid, inFiles }: OtherTrailWork,
): Promise<TrailEntry[]> {
  const wanted = new Set(inFiles);
  const { edits } = await openWorkOf(context, ref, oid, head);
  const about = edits.filter(({ meta }) => meta!.paths.some(path => wanted.has(path)));
  const own = new Set<string>();
  const oldest = about[0];
  if (oldest && tip !== null) for await (const one of commitsBackTo(context, tip, oldest)) own.add(one);
  return about.filter(({ commit }) => !own.has(commit));
}

/**
 * The newest commits of other trails whose own work is what these paths hold now (as the trail records them): whoever asks
 * who wrote that text finds it there.
 */
export async function trailsWith(
  context: Context,
  trail: TrailHead,
  present: ReadonlyMap<string, Recorded>,
): Promise<string[]> {
  const { objects } = context;
  const found: string[] = [];
  for (const { entry } of await otherTrails(context, trail)) {
    const seen = entry.meta!.head;
    const before = seen === undefined ? null : await readEntryOrNull(objects, seen);
    const isWork = async ([path, now]: [string, Recorded]): Promise<boolean> =>
      now !== null &&
      sameRecorded(await lookup(objects, entry.tree, path), now) &&
      !(before && sameRecorded(await lookup(objects, before.tree, path), now));
    const paths = await Promise.all([...present].map(isWork));
    if (!paths.some(Boolean)) continue;
    if (trail.tip === null || !(await growsFrom(context, trail.tip, entry.commit))) found.push(entry.commit);
  }
  return found;
}

function describeTrail({ trail, edits, paths }: Omit<KnownElsewhere, 'message'>): KnownElsewhere {
  const name = trail.slice(TRAIL_PREFIX.length);
  const what = `${edits} ${edits === 1 ? 'edit' : 'edits'} in ${named(paths)}`;
  const message = `the history of ${name} has ${what} that this one knows nothing of (vedit log --trail ${name})`;
  return { trail, edits, paths, message };
}

function named(paths: readonly string[]): string {
  return listedSome(
    paths.map(path => gitName(path)),
    NAMED,
  );
}

/** The refusal of a call that found nothing to do, with where the work is known; any other error as it is. */
export async function withOtherTrails(context: Context, trail: TrailHead, error: unknown): Promise<unknown> {
  if (!(error instanceof EditError) || error.code !== 'NO_CHANGE') return error;
  const elsewhere = await findOtherTrails(context, trail);
  if (elsewhere.length === 0) return error;
  const message = [error.message, ...elsewhere.map(one => `But ${one.message}.`)].join(' ');
  return new EditError(error.code, message, { ...error.data, elsewhere }, { cause: error });
}
