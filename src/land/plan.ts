/** Plans a landing: which edits, on which branch, as which commits. Writes nothing. */

import { checkLanding } from '../engine/admission/policy/rules.ts';
import { syncTrail } from '../engine/change/sync.ts';
import { type Context, fromTrail, givenPath, toTrail } from '../engine/context.ts';
import { Snapshot } from '../engine/files/snapshot.ts';
import { standingRejections, textsBack } from '../engine/rejections/rejected-text.ts';
import type { NamedCommits } from '../engine/revision.ts';
import { standing } from '../engine/standing.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { openWork } from '../engine/trails/open-work.ts';
import { assertOwnTrail } from '../engine/trails/own-trail.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { findTurn } from '../engine/trails/turns.ts';
import { checkIdle } from '../engine/transaction/in-progress.ts';
import type { StagedEntry } from '../engine/transaction/journal/record.ts';
import { EditError } from '../errors.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import type { LineFile } from '../line/files.ts';
import type { LandingPast } from '../line/landing.ts';
import { presentLines } from '../line/rejected.ts';
import { MOST_CHANGED } from '../line/weave.ts';
import { isWork } from '../operations.ts';
import type { TrailHead } from '../trail/head.ts';
import type { TrailEntry, TrailRow } from '../trail/walk.ts';
import { pathName } from '../wording.ts';
import { checkStates } from './check.ts';
import { landConflict, revisedConflict } from './conflict.ts';
import { landContents } from './contents.ts';
import { acceptedRows, type LandHunk } from './hunks.ts';
import { planStaged } from './index.ts';
import { changesBy, type LandChoice, type LandedFile, LandFile, type LandTerms } from './land-files.ts';
import { formatLandMessage } from './message.ts';
import {
  type Bare,
  type LandCommit,
  type Planned,
  singles,
  squashed,
  statesOf,
  type Work,
} from './plan-commits.ts';
import {
  chooseEdits,
  type LandSelection,
  landRows,
  nothingToLand,
  pathsToLand,
  resolveCommits,
} from './select.ts';
import { allOmitted, findOmitted, nothingButRejected, unexplainedFiles } from './stays-behind.ts';
import { findTarget, type LandTarget } from './target.ts';

/** The wishes of the caller of a landing. */
export interface LandRequest {
  /** Only edits of this session. */
  session?: string | undefined;
  /** Only edits of this agent. */
  agent?: string | undefined;
  /** Only edits of this turn: its id, the start of it, or `latest`. */
  turn?: string | undefined;
  /** Only what is about these files and folders. */
  paths?: readonly string[] | undefined;
  /** Only these edits: ids, `~N`, or rows of them as `after..last`. Default: all that have not landed. */
  commits?: readonly string[] | undefined;
  /** The branch to land on; default: the checked-out one. */
  onto?: string | undefined;
  /** One commit for each edit, in place of one for all. */
  each?: boolean | undefined;
  /** Also what was changed outside the engine in the same files. Default: it stays uncommitted. */
  outside?: boolean | undefined;
  /** Only what was accepted in the review. The rest stays uncommitted. */
  accepted?: boolean | undefined;
  /** Only these places, by the ids that a dry run has of them. */
  hunks?: readonly string[] | undefined;
  /** Answer what would land; write nothing. */
  dryRun?: boolean | undefined;
  /** The message in place of a list of the edits; trailers are added to it. */
  message?: string | undefined;
  /** `Name <address>` of people to name as co-authors. */
  coAuthors?: readonly string[] | undefined;
}

export interface LandPlan extends Planned {
  /** The branch as it was asked for; absent: the checked-out one. */
  onto: string | undefined;
  /** The commits to make, oldest first, each on top of the one before. */
  commits: LandCommit[];
  objects: EncodedObject[];
  staged: StagedEntry[];
  /** Paths whose files hold more than what lands. */
  outside: string[];
  /** Work in the files that this trail knows nothing of. */
  /** The places that land; and the files of which some stayed, since it is not accepted, or was not chosen. */
  hunks: LandHunk[];
  notTaken: string[];
  /** The number of edits that stay behind besides. */
  left: number;
}

/** `named` are the commits that the request names. Throws NO_CHANGE, CONFLICT, INVALID_INPUT, TOO_LARGE. */
export async function planLanding(
  context: Context,
  request: LandRequest,
  named: NamedCommits | null,
): Promise<LandPlan> {
  if (request.each && request.message !== undefined) throw eachHasItsOwn();
  const trail = await openTrail(context);
  await assertOwnTrail(context.repo, trail);
  return planOn(context, request, trail, named);
}

async function planOn(
  context: Context,
  request: LandRequest,
  found: TrailHead,
  named: NamedCommits | null,
): Promise<LandPlan> {
  const target = await findTarget(context, request.onto);
  checkElsewhere(found, target);
  if (target.checkedOut) await checkIdle(context);
  const snapshot = new Snapshot(context, (await syncTrail(context, found)).trail);
  const work = await workOf(context, request, { snapshot, target, named });
  const discarded = findOmitted(work.files, work.chosen, request.outside ?? false);
  const gone = new Set(discarded.flatMap(({ path, edits }) => edits.map(commit => `${commit} ${path}`)));
  const known = new Set(work.files.flatMap(({ names }) => names));
  const isThere = new Set(work.files.flatMap(file => [...file.commits].filter(one => !file.hasLanded(one))));
  const landed: LandedFile[] = [];
  for (const file of work.files) landed.push(await file.land(work.wish, work.choice));
  await checkStuck(work, landed);
  checkHunks(request, landed);
  const leftOut = landed.flatMap(one => one.leftOut);
  const isPartial = request.accepted === true || request.hunks !== undefined;
  for (const { path, open, lands } of isPartial ? landed : [])
    for (const commit of open.before) if (!lands.has(commit)) gone.add(`${commit} ${path}`);
  for (const { path, edits } of leftOut) for (const commit of edits) gone.add(`${commit} ${path}`);
  const changes = changesBy(landed);
  if (changes.size === 0 && landed.some(one => one.isPart)) throw nothingTaken(request);
  if (changes.size === 0 && leftOut.length > 0) throw nothingButRejected(context, leftOut);
  if (changes.size === 0) {
    if (discarded.length > 0) throw await allOmitted(snapshot, discarded);
    const isOnBranch = work.chosen.length > 0 && !work.chosen.some(({ commit }) => isThere.has(commit));
    throw isOnBranch && request.commits ? holdsAll(target) : nothingToLand(request);
  }
  await checkLanding(context, found, changes.keys());
  const isWhole = ({ commit, paths }: TrailRow): boolean =>
    isThere.has(commit) &&
    !paths.every(path => gone.has(`${commit} ${path}`)) &&
    paths.every(path => known.has(path) || request.paths === undefined);
  const whole = work.chosen.filter(isWhole);
  return finishPlan(request, { ...work, landed, changes, discarded, leftOut, whole });
}

async function workOf(
  context: Context,
  request: LandRequest,
  { snapshot, target, named }: Pick<Work, 'snapshot' | 'target'> & { named: NamedCommits | null },
): Promise<Work> {
  const { agent, outside = false } = request;
  const session = request.session === undefined ? undefined : await findSession(context, request.session);
  const turn = request.turn === undefined ? undefined : await findTurn(context, request.turn, session);
  const isHead = target.checkedOut && target.commit === snapshot.trail.head;
  const all = await landRows(snapshot, named ? null : target);
  const paths = request.paths && trailPaths(context, request.paths);
  const names = named ? await resolveCommits(named, all, request.commits ?? []) : undefined;
  const selection: LandSelection = { session, agent, turn, paths, commits: names };
  const read = await standing(snapshot, await pathsToLand(snapshot, target, selection, all), {
    ...(isHead ? {} : { target: target.commit }),
  });
  const contents = landContents(context.objects);
  const choice: LandChoice = {
    accepted: request.accepted ? await acceptedRows(context) : undefined,
    hunks: request.hunks && new Set(request.hunks),
    lists: request.dryRun || request.hunks !== undefined,
  };
  const commits = new Map(read.files.map(file => [file, commitsOf(file)]));
  const about = new Set([...commits.values()].flatMap(some => [...some]));
  const rows = all.filter(one => about.has(one.commit));
  const chosen = await chooseEdits(rows, selection);
  const ids = new Set(chosen.map(({ commit }) => commit));
  const wish: LandTerms = { takes: commit => ids.has(commit), outside, named: named !== null };
  // What somebody else's files hold is not asked for.
  const isNarrow = [session, agent, turn].some(one => one !== undefined);
  const isOwn = (file: LineFile): boolean => [...commits.get(file)!].some(commit => ids.has(commit));
  const past = pastOf(all);
  const files: LandFile[] = [];
  for (const file of read.files.filter(one => !isNarrow || isOwn(one)).sort(byName)) {
    const path = file.names.at(-1)!;
    if (file.weave.lost) throw tooLarge(fromTrail(context, path) ?? path);
    const rejected = textsBack(await standingRejections(context, read, file), presentLines(file.weave));
    const accepted = choice.accepted?.get(path);
    const former = await formerNames(snapshot, file, read.files);
    const asked = { target, past, rejected, accepted, former, isGone: file.tip === null };
    files.push(await LandFile.of(snapshot, file, contents, asked));
  }
  const { edits: open } = await openWork(snapshot);
  return { context, snapshot, target, rows, chosen, files, contents, wish, choice, open };
}

/** The commits that changed a file. */
function commitsOf({ weave }: LineFile): Set<string> {
  const events = weave.lost ?? weave.rows().flatMap(({ log }) => log.map(({ event }) => event));
  return new Set([...events].map(({ id }) => id));
}

function byName({ names: one }: LineFile, { names: other }: LineFile): number {
  return one.at(-1)! < other.at(-1)! ? -1 : 1;
}

/** Tells the history's events that are work from those that came from outside. `rows`: all of its commits that record work. */
function pastOf(rows: readonly TrailRow[]): LandingPast {
  const work = new Set(rows.filter(({ op }) => isWork(op)).map(({ commit }) => commit));
  return {
    isWork: ({ id, kind, byAgent }) => kind !== 'head' && (kind !== 'outside' || (byAgent && work.has(id))),
  };
}

/** Names that a file had before, at which there is another file now. */
async function formerNames(
  snapshot: Snapshot,
  { names }: LineFile,
  files: readonly LineFile[],
): Promise<ReadonlySet<string>> {
  const taken = new Set(files.map(one => one.names.at(-1)!));
  const former = new Set<string>();
  for (const path of names.slice(0, -1)) {
    const name = taken.has(path) ? null : fromTrail(snapshot.context, path);
    if (name !== null && (await snapshot.entryAsRecorded(name).catch(() => null))) former.add(path);
  }
  return former;
}

function tooLarge(path: string): EditError {
  const message = `${pathName(path)} has too many changed lines to compare, so that nobody can tell what of it is whose. Commit this file with git; to land the others now, name their paths.`;
  return new EditError('TOO_LARGE', message, { path, limit: MOST_CHANGED });
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
    `The edits are commits of ${target.name} already: here the checked-out branch is the history itself. Name another branch to land them on.`,
    { field: 'onto', branch: target.name },
  );
}

/** Throws CONFLICT where something that is to land cannot land without something else. */
async function checkStuck({ context, rows, chosen }: Work, landed: readonly LandedFile[]): Promise<void> {
  const stuck = landed.flatMap(one => one.stuck);
  const needing = stuck.filter(({ isRevised }) => !isRevised);
  if (needing.length > 0) throw await landConflict(context, needing, rows, chosen);
  if (stuck.length > 0) throw revisedConflict(context, stuck);
}

async function finishPlan(request: LandRequest, plan: Planned): Promise<LandPlan> {
  const { context, target, contents, changes, landed } = plan;
  const { staged, objects } = await planStaged(context, target, contents, changes);
  const commits = request.each ? await singles(plan) : [await squashed(plan)];
  const used = new Set(commits.flatMap(commit => [...commit.changes.values()].map(held => held?.oid)));
  const made = [...contents.blobs.made].filter(([oid]) => used.has(oid));
  await checkStates(plan, statesOf(commits));
  const before = new Set(landed.flatMap(({ open }) => [...open.before]));
  const after = new Set(landed.flatMap(({ open }) => [...open.after]));
  const isLeft = ({ commit }: TrailEntry): boolean => after.has(commit) || !before.has(commit);
  const named = (paths: readonly string[]): string[] =>
    paths.map(path => fromTrail(context, path) ?? path).sort();
  const blobs = await Promise.all(made.map(([, content]) => contents.blobs.codec.encode('blob', content)));
  return {
    ...plan,
    onto: request.onto,
    commits: commits.map(one => ({ ...one, message: messageOf(one, request) })),
    objects: [...blobs, ...objects],
    staged,
    outside: named([
      ...landed.filter(one => one.leavesOutside).map(({ path }) => path),
      ...(await leftBeside(plan, request)),
    ]),
    hunks: landed.flatMap(({ hunks, path }) =>
      hunks.map(one => ({ ...one, path: fromTrail(context, path) ?? path })),
    ),
    notTaken: named(landed.filter(one => one.isPart).map(({ path }) => path)),
    left: plan.open.filter(isLeft).length,
  };
}

/** The person's files beside those of a landing that takes their text too, unless it is asked for single edits or places. */
async function leftBeside({ context, snapshot, files }: Planned, request: LandRequest): Promise<string[]> {
  const { session, agent, turn, commits, hunks, paths } = request;
  const isNarrow = [session, agent, turn, commits, hunks].some(one => one !== undefined);
  if (!request.outside || isNarrow) return [];
  return unexplainedFiles(snapshot, files, paths && trailPaths(context, paths));
}

function trailPaths(context: Context, paths: readonly string[]): string[] {
  return paths.map(path => toTrail(context, givenPath(context, path, { folder: true })));
}

/** Throws CONFLICT where a place that was chosen is not there as it was shown. */
function checkHunks({ hunks = [] }: LandRequest, landed: readonly LandedFile[]): void {
  const there = new Set(landed.flatMap(one => one.hunks.map(({ id }) => id)));
  const missing = hunks.filter(id => !there.has(id));
  if (missing.length === 0) return;
  throw new EditError(
    'CONFLICT',
    `${missing.length} of the ${hunks.length} chosen places changed since they were listed. Nothing was committed; list them again (a dry run does), and choose.`,
    { hunks: missing },
  );
}

function nothingTaken({ accepted }: LandRequest): EditError {
  const message = accepted
    ? `Nothing of it is accepted as the files have it. Review it first (vedit review), or land without asking what was accepted.`
    : 'None of the places that would land was chosen.';
  return new EditError('NO_CHANGE', message, {});
}

function holdsAll(target: LandTarget): EditError {
  return new EditError('NO_CHANGE', `${target.name} holds all of that already: nothing would change.`, {
    branch: target.name,
  });
}

function messageOf({ edits, changes, lands }: Bare, { message, coAuthors = [] }: LandRequest): string {
  return formatLandMessage({ edits, paths: [...changes.keys()], lands, message, coAuthors });
}
