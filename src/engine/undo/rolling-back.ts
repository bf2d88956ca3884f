/** Rollback: the files that were edited since a commit become what they were at it. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { changedPaths, isBelow } from '../../history/changed-paths.ts';
import { entriesSince, placeOnTrail } from '../../history/place.ts';
import { findUndoable, UndoState } from '../../history/undo.ts';
import { readEntry, type TrailEntry, treeOf } from '../../history/walk.ts';
import { isHead, isRestore, isWork } from '../../operations.ts';
import { capital, fieldName, ifTool, pathName, shortId, toolName } from '../../wording.ts';
import { editorWords } from '../change/base/stale.ts';
import type { Planned } from '../change/planned.ts';
import { namedPath, toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { planNewest, standingAgain, standingOf, walk } from './undo.ts';
import { UndoPlan } from './undo-plan.ts';

export interface RollbackScope {
  paths?: readonly string[] | undefined;
  /** Where the commit is counted, or given by a mark, only edits of this session; absent: anybody's. */
  session?: string | undefined;
  /** The name that the session gave to the commit. */
  mark?: string | undefined;
}

/** The paths that the engine touched since `target` become what they were then. Throws INVALID_INPUT, CONFLICT. */
export async function planBack(
  snapshot: Snapshot,
  target: string,
  { paths: only, session, mark }: RollbackScope = {},
): Promise<Planned> {
  const { context, trail } = snapshot;
  const named = await snapshot.commit(target);
  const commit = (await placeOnTrail(context.objects, trail, named)) ?? named;
  const paths: string[] | undefined = only && [];
  for (const path of only ?? [])
    paths!.push(toTrail(context, await namedPath(context, path, { folder: true })));
  const isMeant = (path: string): boolean => !paths || paths.some(one => isBelow(path, one));
  const since = await entriesSince(context.objects, trail, commit);
  if (!since) throw notOnTrail(commit, trail.ref);
  const own = since.filter(({ meta }) => isWork(meta?.op) && meta!.paths.some(isMeant));
  if (paths && own.length === 0) await checkKnown(snapshot, commit, paths);
  const kept = await notIn(snapshot, named, commit, paths);
  if (own.length === 0)
    throw nothingSince(mark ?? target, await readEntry(context.objects, named), kept, only);
  if (session !== undefined && (mark !== undefined || (await snapshot.isCounted(target)))) {
    const others = (await openSince(snapshot, since, own)).filter(({ meta }) => meta!.session !== session);
    if (others.length > 0) throw othersToo(mark ?? target, commit, others);
  }
  const touched = [...new Set(own.flatMap(({ meta }) => meta!.paths))].filter(isMeant).sort();
  const outside = new Set<string>();
  for (const entry of since.filter(({ meta }) => !isWork(meta?.op)))
    for (const path of await changedPaths(context.objects, entry, touched)) outside.add(path);
  const notes = [
    ...[...outside].map(path => `${path} was also changed since then, not through vedit; that was kept`),
    ...(kept.length === 0 ? [] : [`${untouchedWords(kept, named)} and stay`]),
    'what the files held is still in history, secrets too',
  ];
  const planOf = async (edits: readonly TrailEntry[], is: typeof isMeant): Promise<Planned> =>
    (await UndoPlan.of(snapshot, edits.toReversed(), is)).plan();
  const planned = await planOf(own, isMeant);
  const lost = await lostBy(snapshot, commit, planned);
  const edits = own.filter(({ meta }) => !isRestore(meta?.op));
  const back = lost.size === 0 ? planned : await planOf(edits, path => lost.has(path));
  const left = [...planned.targets].filter(([path]) => !lost.has(toTrail(context, path)));
  const targets = new Map([...left, ...back.targets]);
  return { ...planned, ...back, targets, meta: { restores: commit }, notes };
}

/** The files that were there at a commit and that a plan deletes: somebody else took them since, and a restore brought them back. */
async function lostBy(
  { context }: Snapshot,
  commit: string,
  { targets }: Planned,
): Promise<ReadonlySet<string>> {
  const tree = await treeOf(context.objects, commit);
  const gone = [...targets].filter(([, file]) => file === null).map(([path]) => toTrail(context, path));
  const were = await Promise.all(gone.map(path => tree && lookup(context.objects, tree, path)));
  return new Set(gone.filter((_, at) => were[at] !== null));
}

/** The edits since then that still stand. */
async function openSince(
  snapshot: Snapshot,
  since: readonly TrailEntry[],
  own: readonly TrailEntry[],
): Promise<TrailEntry[]> {
  const state = new UndoState();
  for (const entry of since) state.note(entry);
  const undone = own.filter(({ commit }) => state.isUndone(commit));
  const stands = await standingOf(snapshot, undone);
  const found = own.filter(({ commit }) => !state.isUndone(commit) || stands.has(commit));
  // What takes back or puts back only edits that are undone, or stand again, brings nothing besides.
  return found.filter(({ meta }) => {
    const named = [...(meta!.undoes ?? []), ...(meta!.redoes ?? [])];
    return named.length === 0 || !named.every(commit => undone.some(one => one.commit === commit));
  });
}

/** Takes back all edits of the session, or of anybody, for a mark that was set before there was any commit. */
export async function planUndoAll(
  snapshot: Snapshot,
  paths: readonly string[] | undefined,
  session: string | undefined,
): Promise<Planned> {
  if (paths) {
    const message = 'The mark was set before there was a commit: roll back to it without paths.';
    throw new EditError('INVALID_INPUT', message, { field: 'paths' });
  }
  const all = Number.MAX_SAFE_INTEGER;
  const stands = await standingAgain(snapshot, all, { session });
  const open = await findUndoable(walk(snapshot), all, { session, stands });
  return planNewest(snapshot, 'undo', Math.max(1, open.length), { session }, null);
}

/**
 * The paths at which the trail had edits when it was brought up to a commit of the branch that are not in that commit: a
 * rollback to it, which is about what was edited since, leaves them.
 */
async function notIn(
  { context }: Snapshot,
  named: string,
  place: string,
  only: readonly string[] | undefined,
): Promise<string[]> {
  const { tree, meta } = await readEntry(context.objects, place);
  if (!isHead(meta?.op) || meta?.head !== named) return [];
  const differing = await diffTrees(context.objects, await treeOf(context.objects, named), tree);
  const isMeant = (path: string): boolean => !only || only.some(one => isBelow(path, one));
  return differing.map(({ path }) => path).filter(isMeant);
}

function untouchedWords(paths: readonly string[], commit: string): string {
  const names = paths.length > MOST_NAMED ? `${paths.length} files` : paths.join(', ');
  return `what was edited in ${names} before ${shortId(commit)} and is not in it was there then,`;
}

/** The most files that are named in a note. */
const MOST_NAMED = 5;

function nothingSince(
  target: string,
  { commit, subject }: TrailEntry,
  kept: readonly string[],
  only: readonly string[] | undefined,
): EditError {
  const id = shortId(commit);
  const name = target.trim() === id || commit.startsWith(target.trim()) ? id : `${target.trim()} (${id})`;
  const what = only === undefined ? 'Nothing' : `Nothing in ${only.join(', ')}`;
  const rest =
    kept.length === 0
      ? ''
      : ` ${capital(untouchedWords(kept, commit))} so a rollback to it leaves that: ${ifTool('undo', tool => `${tool} takes the newest edit back, and `)}a rollback to an older commit${ifTool('log', tool => ` (${tool})`)} all that came after that one.`;
  const message = `${what} was edited since ${name} ${JSON.stringify(subject)}.${rest}`;
  return new EditError('NO_CHANGE', message, { commit, not_in_it: [...kept] });
}

/** The most edits of others that are told of in words, and in data. */
const OTHERS = { words: 5, data: 100 };

/**
 * Refuses a rollback by a count that would take back edits of others: who counts back means their own edits, as they
 * remember them.
 */
function othersToo(target: string, commit: string, edits: readonly TrailEntry[]): EditError {
  const lines = edits
    .slice(0, OTHERS.words)
    .map(({ commit: id, subject, meta }) => `- ${shortId(id)} ${subject} (${editorWords(meta!)})`);
  const more =
    edits.length > OTHERS.words
      ? [`[and ${edits.length - OTHERS.words} more${ifTool('log', tool => `: see ${tool}`)}]`]
      : [];
  const message = [
    `A rollback to ${target} (${shortId(commit)}) would take back what others edited since:`,
    ...lines,
    ...more,
    `Nothing was changed. ${ifTool('undo', tool => `To take back only your own newest edits, use ${tool}${ifTool('revert', tool => `; one edit, whoever made it, ${tool}`)}. `)}To take back all of this, give ${fieldName('with_others')}.`,
  ].join('\n');
  const others = edits.slice(0, OTHERS.data).map(({ commit: id, subject, meta }) => {
    const { op, session = null, agent = null, paths } = meta!;
    return { commit: id, op, subject, session, agent, paths: [...paths] };
  });
  return new EditError('CONFLICT', message, { commit, others });
}

/** A name that is nowhere is a slip, not a file that is as it was. */
async function checkKnown(
  { context, trail }: Snapshot,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  const then = await treeOf(context.objects, commit);
  for (const path of paths) {
    const trees = [trail.tree, then].filter(tree => tree !== null);
    const found = await Promise.all(trees.map(tree => lookup(context.objects, tree, path)));
    if (found.some(one => one !== null)) continue;
    const words = `There is no ${pathName(path)} in this history, neither now nor at ${shortId(commit)}. Check the name${ifTool('log', tool => `; ${tool} lists the edits with their paths`)}.`;
    throw new EditError('FILE_NOT_FOUND', words, { path, commit });
  }
}

function notOnTrail(target: string, trail: string): EditError {
  return new EditError(
    'INVALID_INPUT',
    `${shortId(target)} is not a commit of this history, nor one of the branch that it was brought up to. ${toolName('log')} lists its commits; the one below its first takes back all of them.`,
    { commit: target, trail },
  );
}
