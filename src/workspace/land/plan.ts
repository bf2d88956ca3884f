/** What a landing comes to: which edits, on which branch, as which commits. Nothing is written. */

import { EditError } from '../../errors.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import type { TrailHead } from '../../trail/head.ts';
import { landsOf } from '../../trail/lands.ts';
import type { Lands } from '../../trail/lands-trailer.ts';
import { type PendingEntry, pendingEntries } from '../../trail/pending.ts';
import { type PathContents, type Pick, Picker } from '../../trail/pick.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import { syncTrail } from '../change/sync.ts';
import type { Context } from '../context.ts';
import { type KnownElsewhere, knownElsewhere, withElsewhere } from '../elsewhere.ts';
import { openTrail } from '../open-trail.ts';
import type { NamedCommits } from '../revision.ts';
import { checkIdle } from '../transaction/in-progress.ts';
import type { StagedEntry } from '../transaction/record.ts';
import { landConflict } from './conflict.ts';
import { allDiscarded, type Discarded, findDiscarded, withoutPaths } from './discarded.ts';
import { planStaged } from './index.ts';
import { formatLandMessage } from './message.ts';
import { chooseEntries, compactPicks, straightPicks } from './select.ts';
import { findTarget, type LandTarget } from './target.ts';
import { resolveCommits } from './wish.ts';

/** What a caller asks of a landing. */
export interface LandRequest {
  /** Only edits of this session. */
  session?: string | undefined;
  /** Only these edits: ids, `~N`, or rows of them as `after..last`. Default: all that have not landed. */
  commits?: readonly string[] | undefined;
  /** The branch; default: the checked-out one. */
  onto?: string | undefined;
  /** One commit for each edit, in place of one for all. */
  each?: boolean | undefined;
  /** Also what was changed outside the engine and recorded before an edit. Default: it stays uncommitted. */
  outside?: boolean | undefined;
  /** The message in place of a list of the edits; trailers are added to it. */
  message?: string | undefined;
  /** `Name <address>` of people to name as co-authors. */
  co_authors?: readonly string[] | undefined;
}

export interface LandPlan {
  target: LandTarget;
  /** Oldest first, each on top of the one before. */
  commits: LandCommit[];
  picker: Picker;
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
  const entries = await pendingEntries(objects, query);
  const commits = named ? await resolveCommits(named, entries, request.commits ?? []) : undefined;
  const wanted = chooseEntries(entries, {
    session: request.session,
    commits,
    outside: request.outside ?? false,
  });
  // Edits that are named one by one are wanted, whatever the files hold.
  const discarded = commits ? [] : await discardedOf(context, trail, target, wanted);
  const chosen = withoutPaths(wanted, discarded);
  if (!chosen.some(({ entry }) => entry.meta!.op !== 'outside')) throw allDiscarded(context, discarded);
  const applied = await applyBest(context, target, entries, chosen, request.each ?? false);
  const elsewhere = await knownElsewhere(context, trail);
  return finishPlan(context, request, { target, entries, chosen, discarded, applied, elsewhere });
}

async function discardedOf(
  context: Context,
  trail: TrailHead,
  target: LandTarget,
  chosen: readonly PendingEntry[],
): Promise<Discarded[]> {
  const { picker } = await applyPicks(context, target, straightPicks(chosen));
  return findDiscarded(context, trail, target, chosen, picker);
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

interface Applied {
  picker: Picker;
  parts: Array<{ entry: TrailEntry; changes: PathContents }>;
}

/** Edits that were taken back are left out where that is possible, and always tried where it is the cleaner history. */
async function applyBest(
  context: Context,
  target: LandTarget,
  entries: readonly PendingEntry[],
  chosen: readonly PendingEntry[],
  compactFirst: boolean,
): Promise<Applied> {
  const forms = [straightPicks(chosen), compactPicks(chosen)];
  let first: Applied | null = null;
  for (const picks of compactFirst ? forms.reverse() : forms) {
    const applied = await applyPicks(context, target, picks);
    if (applied.picker.conflicts.length === 0) return applied;
    first ??= applied;
  }
  throw landConflict(first!.picker.conflicts, entries, chosen);
}

async function applyPicks(context: Context, target: LandTarget, picks: readonly Pick[]): Promise<Applied> {
  const picker = new Picker(context.objects, target.tree);
  const parts: Applied['parts'] = [];
  for (const pick of picks) parts.push({ entry: pick.entry, changes: await picker.pick(pick) });
  return { picker, parts };
}

interface Found {
  target: LandTarget;
  entries: readonly PendingEntry[];
  chosen: readonly PendingEntry[];
  discarded: Discarded[];
  applied: Applied;
  elsewhere: KnownElsewhere[];
}

async function finishPlan(context: Context, request: LandRequest, found: Found): Promise<LandPlan> {
  const { target, entries, chosen, discarded, applied } = found;
  const { picker } = applied;
  const changes = picker.changes();
  if (changes.size === 0) throw discarded.length > 0 ? allDiscarded(context, discarded) : holdsAll(target);
  const { staged, objects } = await planStaged(context, target, picker, changes);
  const commits = request.each ? singles(found) : [squashed(found, changes)];
  const contents = commits.flatMap(commit => [...commit.changes.values()]);
  const accounted = new Set(chosen.map(({ entry }) => entry.commit));
  const open = entries.filter(one => !one.landed && !accounted.has(one.entry.commit));
  const outside = open.filter(({ entry }) => entry.meta!.op === 'outside').flatMap(one => one.paths);
  return {
    target,
    commits: commits.map(one => ({ ...one, message: messageOf(one, request) })),
    picker,
    changes,
    objects: [...(await picker.blobs(contents)), ...objects],
    staged,
    outside: [...new Set(outside)].filter(path => changes.has(path)).sort(),
    elsewhere: found.elsewhere,
    discarded,
    left: open.filter(({ entry, undone }) => entry.meta!.op !== 'outside' && !undone).length,
  };
}

function holdsAll(target: LandTarget): EditError {
  return new EditError('NO_CHANGE', `${target.name} holds all of that already: nothing would change.`, {
    branch: target.name,
  });
}

type Bare = Omit<LandCommit, 'message'>;

function squashed({ entries, chosen, applied }: Found, changes: PathContents): Bare {
  const ids = new Set(chosen.map(({ entry }) => entry.commit));
  const edits = credited(chosen, applied);
  const lands = landsOf(
    entries.map(({ entry }) => entry),
    ids,
  );
  return { edits, changes, lands, time: null };
}

/** The edits of which something lands; all of them where that would be none. */
function credited(chosen: readonly PendingEntry[], { parts }: Applied): TrailEntry[] {
  const edits = parts.filter(({ entry }) => entry.meta!.op !== 'outside');
  const open = new Set(compactPicks(chosen).map(({ entry }) => entry.commit));
  const own = edits.filter(({ entry, changes }) => changes.size > 0 && open.has(entry.commit));
  return (own.length > 0 ? own : edits).map(({ entry }) => entry);
}

/** One commit each; the last one accounts also for those of which nothing is left. */
function singles({ entries, chosen, applied }: Found): Bare[] {
  const parts = applied.parts.filter(({ changes }) => changes.size > 0);
  const own = new Set(parts.map(({ entry }) => entry.commit));
  const rest = new Set(chosen.map(({ entry }) => entry.commit).filter(commit => !own.has(commit)));
  const restLands = landsOf(
    entries.map(({ entry }) => entry),
    rest,
  );
  return parts.map(({ entry, changes }, index) => ({
    edits: [entry],
    changes,
    lands: [{ after: null, last: entry.commit }, ...(index === parts.length - 1 ? restLands : [])],
    time: entry.time,
  }));
}

function messageOf({ edits, changes, lands }: Bare, request: LandRequest): string {
  const { message, co_authors: coAuthors = [] } = request;
  return formatLandMessage({ edits, paths: [...changes.keys()], lands, message, coAuthors });
}
