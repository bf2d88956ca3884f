/** What a landing comes to: which edits, on which branch, as which commits. Nothing is written. */

import { EditError } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { isOutside } from '../../operations.ts';
import type { TrailHead } from '../../trail/head.ts';
import type { CherryPicker, PathContents } from '../../trail/history/cherry-pick.ts';
import { editsMerged } from '../../trail/history/entries-not-in.ts';
import { readPending } from '../../trail/history/pending.ts';
import { landsOf } from '../../trail/landing/lands.ts';
import type { Lands } from '../../trail/landing/lands-trailer.ts';
import { openEdits, type PendingEntry } from '../../trail/open-edits.ts';
import { sameRecorded } from '../../trail/steps.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { syncTrail } from '../change/sync.ts';
import { type Context, fromTrail, givenPath, toTrail } from '../context.ts';
import { Snapshot } from '../files/snapshot.ts';
import { findSession } from '../queries/sessions.ts';
import type { NamedCommits } from '../revision.ts';
import { type KnownElsewhere, knownElsewhere, withElsewhere } from '../trails/elsewhere.ts';
import { openTrail } from '../trails/open-trail.ts';
import { openHere } from '../trails/open-work.ts';
import { assertOwnTrail } from '../trails/own-trail.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import type { StagedEntry } from '../transaction/journal/record.ts';
import { type Applied, applyBest, type Work } from './apply.ts';
import { type Hands, handsOf } from './by-hand.ts';
import { allDiscarded, type Discarded, findDiscarded, findRestored, withoutDiscarded } from './discarded.ts';
import { planStaged } from './index.ts';
import { formatLandMessage } from './message.ts';
import { chooseEntries } from './select.ts';
import { resolveCommits } from './selection.ts';
import { findTarget, type LandTarget } from './target.ts';

/** What a caller asks of a landing. */
export interface LandRequest {
  /** Only edits of this session. */
  session?: string | undefined;
  /** Only edits of this agent. */
  agent?: string | undefined;
  /** Only what is about these files and folders. */
  paths?: readonly string[] | undefined;
  /** Only these edits: ids, `~N`, or rows of them as `after..last`. Default: all that have not landed. */
  commits?: readonly string[] | undefined;
  /** The branch; default: the checked-out one. */
  onto?: string | undefined;
  /** One commit for each edit, in place of one for all. */
  each?: boolean | undefined;
  /** Also what was changed outside the engine in the same files. Default: it stays uncommitted. */
  outside?: boolean | undefined;
  /** The message in place of a list of the edits; trailers are added to it. */
  message?: string | undefined;
  /** `Name <address>` of people to name as co-authors. */
  coAuthors?: readonly string[] | undefined;
}

export interface LandPlan {
  target: LandTarget;
  /** Oldest first, each on top of the one before. */
  commits: LandCommit[];
  picker: CherryPicker;
  /** What the branch will hold otherwise than now. */
  changes: PathContents;
  /** Contents that merges made. */
  objects: EncodedObject[];
  staged: StagedEntry[];
  /** Paths with outside changes that stay uncommitted. */
  outside: string[];
  /** Work in the files that this trail knows nothing of. */
  elsewhere: KnownElsewhere[];
  /** What the person took back in the files, and so stays behind. */
  discarded: Discarded[];
  /** How many edits stay behind besides. */
  left: number;
}

export interface LandCommit {
  edits: TrailEntry[];
  changes: PathContents;
  lands: Lands[];
  message: string;
  /** When it was edited, where the commit is one edit. Seconds since 1970. */
  time: number | null;
}

/** `named` are the commits that the request names. Throws NO_CHANGE, CONFLICT, INVALID_INPUT. */
export async function planLanding(
  context: Context,
  request: LandRequest,
  named: NamedCommits | null,
): Promise<LandPlan> {
  if (request.each && request.message !== undefined) throw eachHasItsOwn();
  const trail = await openTrail(context);
  assertOwnTrail(trail);
  return planOn(context, request, trail, named).catch(async error => {
    throw await withElsewhere(context, trail, error);
  });
}

async function planOn(
  context: Context,
  request: LandRequest,
  found: TrailHead,
  named: NamedCommits | null,
): Promise<LandPlan> {
  const { objects } = context;
  const target = await findTarget(context, request.onto);
  checkElsewhere(found, target);
  if (target.checkedOut) await checkIdle(context);
  const { trail } = await syncTrail(context, found);
  const all = request.commits !== undefined;
  const tip = found.tip && trail.parent;
  const query = { tip, checkedOut: trail.checkedOut, head: trail.head, target: target.commit, all };
  const { entries, open: pending } = await readPending(objects, query);
  const commits = named ? await resolveCommits(named, entries, request.commits ?? []) : undefined;
  const { session, agent } = request;
  const paths = request.paths?.map(path => toTrail(context, givenPath(context, path, { folder: true })));
  const wanted = chooseEntries(entries, {
    session: session === undefined ? undefined : await findSession(context, session),
    agent,
    paths,
    commits,
    outside: request.outside ?? false,
  });
  const snapshot = new Snapshot(context, trail);
  // Edits that are named one by one are wanted, whatever the files hold.
  const hands: Hands = commits ? new Map() : await handsOf(snapshot, entries, wanted);
  const takesOwn = request.outside ?? false;
  const discarded = await (takesOwn ? findRestored : findDiscarded)(snapshot, hands, wanted);
  const chosen = takesOwn ? wanted : withoutDiscarded(wanted, discarded);
  if (!chosen.some(({ entry }) => !isOutside(entry.meta!.op))) throw await allDiscarded(snapshot, discarded);
  const work: Work = { snapshot, target, entries, hands, takesOwn };
  const applied = await applyBest(work, chosen, request.each ?? false);
  // What had not landed before, as it is counted elsewhere, too.
  const open = target.checkedOut ? await openHere(snapshot, pending) : openEdits(pending);
  const elsewhere = await knownElsewhere(context, trail);
  return finishPlan(request, { ...work, chosen, discarded, applied, open, elsewhere });
}

function eachHasItsOwn(): EditError {
  return new EditError(
    'INVALID_INPUT',
    'One message does not fit several commits: with each, every commit has the reason of its edit. Leave one of the two out.',
    { field: 'message' },
  );
}

function checkElsewhere(trail: TrailHead, target: LandTarget): void {
  if (!trail.checkedOut || trail.ref !== target.ref) return;
  throw new EditError(
    'INVALID_INPUT',
    `The edits are commits of ${target.name} already: here the trail is the checked-out branch. Name another branch to land them on.`,
    { field: 'onto', branch: target.name },
  );
}

interface Found extends Work {
  chosen: readonly PendingEntry[];
  discarded: Discarded[];
  applied: Applied;
  open: readonly PendingEntry[];
  elsewhere: KnownElsewhere[];
}

async function finishPlan(request: LandRequest, found: Found): Promise<LandPlan> {
  const { snapshot, target, entries, chosen, discarded, applied, open } = found;
  const { context } = snapshot;
  const { picker } = applied;
  const changes = picker.changes();
  if (changes.size === 0)
    throw discarded.length > 0 ? await allDiscarded(snapshot, discarded) : holdsAll(target);
  const { staged, objects } = await planStaged(context, target, picker, changes);
  const commits = request.each ? singles(found) : [squashed(found, changes)];
  const contents = commits.flatMap(commit => [...commit.changes.values()]);
  const accounted = new Set(wholeOnes(chosen));
  const others = entries.filter(one => !one.landed && !accounted.has(one.entry.commit));
  return {
    target,
    commits: await Promise.all(
      commits.map(async one => ({ ...one, message: await messageOf(context.objects, one, request) })),
    ),
    picker,
    changes,
    objects: [...(await picker.madeBlobs(contents)), ...objects],
    staged,
    outside: await uncommitted(found, changes, others),
    elsewhere: found.elsewhere,
    discarded,
    left: open.filter(({ entry }) => !accounted.has(entry.commit)).length,
  };
}

/** Landed paths of which the person has more than lands: by the file, where that belongs to the branch. */
async function uncommitted(
  { snapshot, target, hands }: Work,
  changes: PathContents,
  others: readonly PendingEntry[],
): Promise<string[]> {
  const outside = new Set(others.filter(({ entry }) => isOutside(entry.meta!.op)).flatMap(one => one.paths));
  const isOwn = (path: string): boolean => {
    const file = target.checkedOut ? hands.get(path)?.file : undefined;
    if (file === undefined) return outside.has(path);
    return !sameRecorded(changes.get(path) ?? null, file && { mode: file.mode, oid: file.version });
  };
  const paths = [...changes.keys()].filter(isOwn).sort();
  return paths.map(path => fromTrail(snapshot.context, path) ?? path);
}

function holdsAll(target: LandTarget): EditError {
  return new EditError('NO_CHANGE', `${target.name} holds all of that already: nothing would change.`, {
    branch: target.name,
  });
}

/** The commits of which all lands: of others the branch's content alone tells what has landed. */
function wholeOnes(chosen: readonly PendingEntry[]): string[] {
  return chosen.filter(one => !one.part).map(({ entry }) => entry.commit);
}

type Bare = Omit<LandCommit, 'message'>;

function squashed({ entries, chosen, applied, open }: Found, changes: PathContents): Bare {
  const ids = new Set(wholeOnes(chosen));
  const edits = credited(open, applied);
  const lands = landsIn(entries, ids);
  return { edits, changes, lands, time: null };
}

function landsIn(entries: readonly PendingEntry[], ids: ReadonlySet<string>): Lands[] {
  const chain = entries.map(({ entry }) => entry);
  return landsOf(chain, ids, { joined: entries.some(({ joined }) => joined) });
}

/** Of the edits that had not landed, those of which something lands; of edits that were named, whatever does. */
function credited(open: readonly PendingEntry[], { parts }: Applied): TrailEntry[] {
  const edits = parts.filter(({ entry }) => !isOutside(entry.meta!.op));
  const ids = new Set(open.map(({ entry }) => entry.commit));
  const changing = edits.filter(({ brings }) => brings);
  const own = changing.filter(({ entry }) => ids.has(entry.commit));
  const found = [own, changing, edits].find(some => some.length > 0) ?? [];
  return found.map(({ entry }) => entry);
}

/** One commit each; the last one accounts also for those of which nothing is left. */
function singles({ entries, chosen, applied }: Found): Bare[] {
  const parts = applied.parts.filter(({ brings }) => brings);
  const own = new Set(parts.map(({ entry }) => entry.commit));
  const whole = new Set(wholeOnes(chosen));
  const rest = new Set([...whole].filter(commit => !own.has(commit)));
  const restLands = landsIn(entries, rest);
  return parts.map(({ entry, changes }, index) => ({
    edits: [entry],
    changes,
    lands: [
      ...(whole.has(entry.commit) ? [{ after: null, last: entry.commit }] : []),
      ...(index === parts.length - 1 ? restLands : []),
    ],
    time: entry.time,
  }));
}

async function messageOf(
  objects: Context['objects'],
  { edits, changes, lands }: Bare,
  request: LandRequest,
): Promise<string> {
  const { message, coAuthors = [] } = request;
  const brought = (await Promise.all(edits.map(edit => editsMerged(objects, edit)))).flat();
  return formatLandMessage({ edits, brought, paths: [...changes.keys()], lands, message, coAuthors });
}
