/** Plans a landing: which edits, on which branch, as which commits. Writes nothing. */

import { checkLanding } from '../engine/admission/policy/rules.ts';
import { syncTrail } from '../engine/change/sync.ts';
import { type Context, toTrail } from '../engine/context.ts';
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
import { readIndexEntry } from '../git/index/file.ts';
import type { EncodedObject } from '../git/objects/object.ts';
import type { TrailRow } from '../history/walk.ts';
import type { LineFile } from '../line/files.ts';
import type { LandingPast } from '../line/landing.ts';
import { MOST_CHANGED } from '../line/weave.ts';
import { isWork } from '../operations.ts';
import { listedSome } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { checkStates } from './check.ts';
import { landConflict, revisedConflict } from './conflict.ts';
import { LandContents, nameOf, type PathContents } from './contents.ts';
import { acceptedRows } from './hunks.ts';
import { planStaged } from './index.ts';
import { changesOf, type LandedFile, LandFile, nameInHead, namesOf } from './land-files.ts';
import { type LandCommit, singles, squashed, statesOf } from './plan-commits.ts';
import type { LandRequest } from './request.ts';
import {
  chooseEdits,
  type LandSelection,
  landRows,
  nothingToLand,
  pathsToLand,
  resolveCommits,
} from './select.ts';
import {
  allOmitted,
  type Became,
  becameOf,
  nothingButRejected,
  type OmittedWork,
  unexplainedFiles,
} from './stays-behind.ts';
import { findTarget, type LandTarget } from './target.ts';
import type { LandWork } from './work.ts';

export interface LandPlan extends LandWork {
  /** The paths at which the branch will differ from what it holds now, with their new contents. */
  changes: PathContents;
  /** The commits to make, oldest first, each on top of the one before. */
  commits: LandCommit[];
  objects: EncodedObject[];
  staged: StagedEntry[];
  /** Tells what becomes of each file. */
  landed: readonly LandedFile[];
  /** The work that stays behind, and what became of it. */
  omitted: readonly OmittedWork[];
  became: Became;
  /** The person's files that nothing of it is about, and that stay. */
  beside: string[];
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
  const target = await findTarget(context, request.onto);
  if (trail.checkedOut && trail.ref === target.ref) throw isThere(target);
  if (target.checkedOut) await checkIdle(context);
  const snapshot = new Snapshot(context, (await syncTrail(context, trail)).trail);
  const work = await workOf(snapshot, target, request, named);
  const landed: LandedFile[] = [];
  const chosen = new Set(work.chosen.map(({ commit }) => commit));
  for (const file of work.files) landed.push(await file.land(request, commit => chosen.has(commit)));
  noteTakenNames(work, landed);
  await checkStuck(work, landed);
  checkHunks(request, landed);
  const changes = changesOf(landed);
  if (changes.size === 0) throw await nothingLands(work, landed);
  await checkLanding(context, trail, changes.keys());
  if (target.checkedOut) await checkHidden(context, changes.keys());
  return planOf(work, landed, changes);
}

/** Git makes no commit of files that it was told to pass over: its own refusal does not say why. Throws GIT_REFUSED. */
async function checkHidden(context: Context, paths: Iterable<string>): Promise<void> {
  const index = await context.index.read();
  for (const path of paths) {
    const entry = index && readIndexEntry(index, path);
    const mark = entry?.assumeValid ? 'assume-unchanged' : entry?.skipWorktree ? 'skip-worktree' : null;
    if (mark === null) continue;
    const words = `${nameOf(context, path)} is marked ${mark}, so git makes no commit of it. Nothing was changed. Take the mark off with git update-index --no-${mark}, then land it; or land the others alone.`;
    throw new EditError('GIT_REFUSED', words, { exit: null, output: '', path });
  }
}

/** Reads what there is to land, and what is asked for of it. */
async function workOf(
  snapshot: Snapshot,
  target: LandTarget,
  request: LandRequest,
  named: NamedCommits | null,
): Promise<LandWork> {
  const { context, trail } = snapshot;
  const all = await landRows(snapshot, named ? null : target);
  const commits = named && (await resolveCommits(named, all, request.commits ?? []));
  const selection = { ...(await selectionOf(snapshot, request)), commits };
  const isHead = target.checkedOut && target.commit === trail.head;
  const read = await standing(snapshot, await pathsToLand(snapshot, target, selection, all), {
    ...(isHead ? {} : { target: target.commit }),
  });
  const changers = new Map(read.files.map(file => [file, commitsOf(file)]));
  const about = new Set([...changers.values()].flatMap(some => [...some]));
  const rows = all.filter(one => about.has(one.commit));
  const chosen = await chooseEdits(rows, selection);
  const ids = new Set(chosen.map(({ commit }) => commit));
  // What somebody else's files hold is not asked for.
  const isNarrow = [selection.session, selection.agent, selection.turn].some(one => one !== undefined);
  const isAsked = (file: LineFile): boolean =>
    !isNarrow || [...changers.get(file)!].some(one => ids.has(one));
  const askedNames = new Set(read.files.filter(isAsked).map(({ names }) => names.at(-1)!));
  const shareName = ({ names }: LineFile): boolean => names.some(name => askedNames.has(name));
  const [contents, past] = [new LandContents(context.objects), pastOf(all)];
  const agents = new Map(all.map(({ commit, agent }) => [commit, agent]));
  const agentOf = (commit: string): string | undefined => agents.get(commit);
  const accepted = request.accepted ? await acceptedRows(context) : undefined;
  const { rejections } = await context.rejections.read();
  const index = target.checkedOut ? await context.index.read() : null;
  const there = read.files.filter(({ tip }) => tip !== null);
  const present = new Map(there.map(file => [file.names.at(-1)!, nameInHead(file) === file.names.at(-1)]));
  const files: LandFile[] = [];
  for (const file of read.files.filter(shareName).sort(byName)) {
    const path = file.names.at(-1)!;
    if (file.weave.lost) throw tooLarge(nameOf(context, path));
    const rejected = textsBack(await standingRejections(context, read, file, rejections), file.weave);
    const asked = {
      target,
      past,
      contents,
      present,
      agentOf,
      index,
      rejected,
      accepted: accepted?.get(path),
    };
    files.push(await LandFile.of(snapshot, file, asked));
  }
  return { request, context, snapshot, target, rows, chosen, files, contents };
}

async function selectionOf(
  snapshot: Snapshot,
  { agent, ...given }: LandRequest,
): Promise<Omit<LandSelection, 'commits'>> {
  const { context } = snapshot;
  const session = given.session === undefined ? undefined : await findSession(context, given.session);
  const turn = given.turn === undefined ? undefined : await findTurn(context, given.turn, session);
  return { session, agent, turn, paths: given.paths && (await trailPaths(snapshot, given.paths)) };
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

async function planOf(
  work: LandWork,
  landed: readonly LandedFile[],
  changes: PathContents,
): Promise<LandPlan> {
  const { request, context, target, contents } = work;
  const { staged, objects } = await planStaged(context, target, contents, changes);
  const whole = wholeOf(work, landed);
  const commits = request.each
    ? await singles(work, whole)
    : [await squashed(work, { landed, changes, whole })];
  const used = new Set(commits.flatMap(commit => [...commit.changes.values()].map(held => held?.oid)));
  const made = [...contents.made].filter(([oid]) => used.has(oid));
  const blobs = await Promise.all(made.map(([, content]) => contents.codec.encode('blob', content)));
  await checkStates(work, statesOf(commits));
  const omitted = landed.flatMap(one => one.omitted ?? []);
  return {
    ...work,
    changes,
    commits,
    objects: [...blobs, ...objects],
    staged,
    landed,
    omitted,
    became: await becameOf(work.snapshot, omitted),
    beside: await leftBeside(work),
    left: await countLeft(work.snapshot, landed),
  };
}

/** The person's files beside those of a landing that takes their text too, unless it is asked for single edits or places. */
async function leftBeside({ request, context, snapshot, files }: LandWork): Promise<string[]> {
  const { session, agent, turn, commits, hunks, paths } = request;
  const isNarrow = [session, agent, turn, commits, hunks].some(one => one !== undefined);
  if (!request.outside || isNarrow) return [];
  const only = paths && (await trailPaths(snapshot, paths));
  return (await unexplainedFiles(snapshot, files, only)).map(path => nameOf(context, path));
}

function trailPaths(snapshot: Snapshot, paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map(async path => toTrail(snapshot.context, await snapshot.named(path))));
}

/** The chosen edits of which all lands, or lies behind it; of a part of what is open only those of which something lands. */
function wholeOf(
  { request: { paths: isNarrow, accepted, hunks }, chosen, files }: LandWork,
  landed: readonly LandedFile[],
): TrailRow[] {
  const known = new Set(files.flatMap(({ names }) => names));
  const stays = new Set(landed.flatMap(one => [...one.stays].map(commit => `${commit} ${one.path}`)));
  const lands = new Set(landed.flatMap(one => [...one.lands]));
  return chosen.filter(
    ({ commit, paths }) =>
      isOpen(files, commit) &&
      (!(accepted || hunks) || lands.has(commit)) &&
      !paths.every(path => stays.has(`${commit} ${path}`)) &&
      (isNarrow === undefined || paths.every(path => known.has(path))),
  );
}

function isOpen(files: readonly LandFile[], commit: string): boolean {
  return files.some(file => file.isOpen(commit));
}

async function countLeft(snapshot: Snapshot, landed: readonly LandedFile[]): Promise<number> {
  const before = new Set(landed.flatMap(({ open }) => [...open.before]));
  const after = new Set(landed.flatMap(({ open }) => [...open.after]));
  const { edits } = await openWork(snapshot);
  return edits.filter(({ commit }) => after.has(commit) || !before.has(commit)).length;
}

/** Notes what would land over a file that the branch keeps under that name, because its move does not land. */
function noteTakenNames({ files }: LandWork, landed: readonly LandedFile[]): void {
  for (const { changes, stuck, lands, name, path: own } of landed)
    for (const path of [...changes.keys()].filter(one => changes.get(one))) {
      const isKept = (at: number): boolean => landed[at]!.path !== own && !landed[at]!.changes.has(path);
      const other = files.find((file, at) => file.nameOnBranch === path && isKept(at));
      if (other) stuck.push(other.inTheWay(name, [...lands]));
    }
}

/** Throws CONFLICT where something that is to land cannot land without something else. */
async function checkStuck({ rows, chosen }: LandWork, landed: readonly LandedFile[]): Promise<void> {
  const stuck = landed.flatMap(one => one.stuck);
  const needing = stuck.filter(({ isRevised }) => !isRevised);
  const landing = chosen.map(({ commit }) => commit);
  if (needing.length > 0) throw await landConflict(needing, rows, landing);
  if (stuck.length > 0) throw revisedConflict(stuck);
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

/** Says why nothing lands. */
async function nothingLands(work: LandWork, landed: readonly LandedFile[]): Promise<EditError> {
  const { request, target, chosen, files } = work;
  if (landed.some(one => one.isPart)) return nothingTaken(request);
  const leftOut = landed.flatMap(one => one.leftOut);
  if (leftOut.length > 0) return nothingButRejected(leftOut);
  const omitted = landed.flatMap(one => one.omitted ?? []);
  if (omitted.length > 0) return allOmitted(omitted, await becameOf(work.snapshot, omitted));
  const givenUp = namesOf(landed, one => one.isGivenUp);
  if (givenUp.length > 0) return nothingButGivenUp(givenUp);
  const isOnBranch = chosen.length > 0 && !chosen.some(({ commit }) => isOpen(files, commit));
  const beside = namesOf(landed, one => one.leavesOutside);
  if (!isOnBranch || !request.commits) return nothingToLand(request, beside);
  const message = `${target.name} holds all of that already: nothing would change.`;
  return new EditError('NO_CHANGE', message, { branch: target.name });
}

function nothingButGivenUp(paths: readonly string[]): EditError {
  const message = `Nothing is left to land but what is in ${listedSome(paths)}, which your branch gave up (git rm --cached), or your index, so it stays out. To have it on the branch again, commit it with git, or unstage that (git restore --staged).`;
  return new EditError('NO_CHANGE', message, {});
}

function nothingTaken({ accepted }: LandRequest): EditError {
  const message = accepted
    ? `Nothing of it is accepted as the files have it. Review it first (vedit review), or land without asking what was accepted.`
    : 'None of the places that would land was chosen.';
  return new EditError('NO_CHANGE', message, {});
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

function isThere({ name }: LandTarget): EditError {
  return new EditError(
    'INVALID_INPUT',
    `The edits are commits of ${name} already: here the checked-out branch is the history itself. Name another branch to land them on.`,
    { field: 'onto', branch: name },
  );
}
