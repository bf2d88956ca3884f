/** The checks of one commit of the trail: against the commit before it, and against its own words. */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { diffTrees, type TreeChange } from '../../git/objects/tree-diff.ts';
import type { TreeRef } from '../../git/objects/tree-entries.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { isHead, isOutside, isRollback } from '../../operations.ts';
import { isNoText, textFile } from '../../text/document.ts';
import { shortId } from '../../wording.ts';
import { ENGINE } from '../editors.ts';
import type { TrailMeta } from '../message.ts';
import type { Purges } from '../purged.ts';
import { type TrailEntry, treeOf } from '../walk.ts';
import type { Below, Link } from './chain.ts';
import { type Fault, fault, faultsOf } from './faults.ts';
import { isOfBoth, namesNothing, takesBack, wrongBack } from './verify-back.ts';

export interface VerifyContext {
  objects: ObjectDatabase;
  checkedOut: boolean;
  shallow: ReadonlySet<string>;
  below: Below;
  purges: Purges;
  /** The number of lines of each blob that was read and is whole; see linesIn. */
  lines: Map<string, number | null>;
}

export async function checkCommit(known: VerifyContext, { entry, committer }: Link): Promise<Fault[]> {
  const { commit, meta } = entry;
  if (!meta) return [];
  const words = `Committed by ${committer.name} <${committer.email}>, not by the engine: the commit was rewritten.`;
  const faults =
    committer.email === (meta.committer ?? ENGINE.email) ? [] : [fault('rewritten', commit, words)];
  if (known.shallow.has(commit)) return faults;
  return [
    ...faults,
    ...(await faultsOf(commit, null, () => checkLink(known, entry, meta))),
    ...(await faultsOf(commit, null, async () =>
      known.purges.withoutMarked(entry, await checkContent(known, entry, meta)),
    )),
    ...(await checkNames(known, entry, meta)),
  ];
}

/** Checks where the commit stands, and where it says that HEAD stood. */
async function checkLink(known: VerifyContext, entry: TrailEntry, meta: TrailMeta): Promise<Fault[]> {
  const { commit, parents } = entry;
  const wrong = (words: string): Fault[] => [fault('link', commit, words)];
  const [parent, second] = parents;
  if (parent !== undefined) await known.objects.read(parent, 'commit');
  if (isHead(meta.op)) {
    if (parents.length === 2 && second === meta.head) return [];
    return wrong('It joins another commit than the HEAD that its trailer names.');
  }
  if (parents.length > 1) return wrong(`It has ${parents.length} parents; the commit of an edit has one.`);
  if (known.checkedOut || meta.head === undefined) return [];
  const before = parent === undefined ? undefined : known.below.get(parent);
  const stood = before?.meta ? before.meta.head : parent;
  if (stood === undefined || meta.head === stood || (await known.below.has(meta.head))) return [];
  const other = before?.meta ? 'the commit below it says' : 'it stands on';
  return wrong(`It says that HEAD was at ${shortId(meta.head)}; ${other} ${shortId(stood)}.`);
}

async function checkContent(known: VerifyContext, entry: TrailEntry, meta: TrailMeta): Promise<Fault[]> {
  const { objects } = known;
  const [first] = entry.parents;
  const before = first === undefined ? null : await treeOf(objects, first);
  const changes = await diffTrees(objects, before, entry.tree);
  if (isHead(meta.op)) return checkSync(known, entry, changes);
  const faults = [...(await readBlobs(known, entry, changes)), ...checkPaths(entry, meta, changes)];
  if (faults.length > 0) return faults;
  return [...checkLines(known, entry, changes), ...(await checkBack(known, entry))];
}

async function readBlobs(
  { objects, lines }: VerifyContext,
  { commit }: TrailEntry,
  changes: readonly TreeChange[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { path, before, after } of changes) {
    for (const ref of [before, after]) {
      if (!ref || ref.mode === '160000' || lines.has(ref.oid)) continue;
      const check = async (): Promise<Fault[]> => {
        lines.set(ref.oid, linesIn((await objects.read(ref.oid, 'blob')).content));
        return [];
      };
      faults.push(...(await faultsOf(commit, path, check)));
    }
  }
  return faults;
}

/** Counts lines as a diff does, which knows no other line end than LF; `null` for what is no text. */
function linesIn(bytes: Uint8Array): number | null {
  try {
    const { text } = textFile('', bytes, '');
    const ends = text.split('\n').length - 1;
    return bytes.length === 0 || text.endsWith('\n') ? ends : ends + 1;
  } catch (error) {
    if (isNoText(error)) return null;
    throw error;
  }
}

function checkPaths(entry: TrailEntry, meta: TrailMeta, changes: readonly TreeChange[]): Fault[] {
  const named = new Set(meta.paths);
  const changed = new Set(changes.map(change => change.path));
  const silent = [...changed].filter(path => !named.has(path));
  const unchanged = [...named].filter(path => !changed.has(path));
  return [
    ...silent.map(path =>
      fault('paths', entry.commit, `It changes ${path}, which no trailer of it names.`, path),
    ),
    ...unchanged.map(path =>
      fault('paths', entry.commit, `Its trailer names ${path}, which it does not change.`, path),
    ),
  ];
}

/** Each path is as HEAD has it, as the trail had it, or as HEAD has it with what the agents did since the one before. */
async function checkSync(
  known: VerifyContext,
  entry: TrailEntry,
  fromTrail: readonly TreeChange[],
): Promise<Fault[]> {
  const { objects } = known;
  const [first, head] = entry.parents;
  if (first === undefined || head === undefined) return [];
  const strange = await diffTrees(objects, await treeOf(objects, head), entry.tree);
  const ours = new Map(fromTrail.map(change => [change.path, change.before]));
  const faults: Fault[] = [];
  for (const { path, before: theirs, after } of strange) {
    if (!ours.has(path)) continue;
    if (await isOfBoth(objects, path, after, [theirs, ours.get(path)!])) continue;
    const words = `It holds at ${path} what neither HEAD nor the history had there.`;
    faults.push(fault('head', entry.commit, words, path));
  }
  return faults;
}

/**
 * Compares the subject with the files. However a difference is cut into lines, `+a -b` adds a - b lines to the files. The subject of an outside change counts
 * none: it ends with a name, which may look like that.
 */
function checkLines(
  known: VerifyContext,
  { commit, subject, meta }: TrailEntry,
  changes: readonly TreeChange[],
): Fault[] {
  const [, added, removed] = / \(\+(\d+) -(\d+)\)$/.exec(subject) ?? [];
  if (added === undefined || removed === undefined || isOutside(meta?.op)) return [];
  let grown = 0;
  for (const { before, after } of changes) {
    const [old, now] = [lineCount(known, before), lineCount(known, after)];
    if (old === null || now === null) return [];
    grown += now - old;
  }
  const told = Number(added) - Number(removed);
  if (grown === told) return [];
  const words = `Its subject says +${added} -${removed}, and its files have ${Math.abs(grown)} lines ${grown < 0 ? 'less' : 'more'}.`;
  return [fault('lines', commit, words)];
}

function lineCount({ lines }: VerifyContext, ref: TreeRef | null): number | null {
  if (!ref) return 0;
  return ref.mode.startsWith('100') ? (lines.get(ref.oid) ?? null) : null;
}

async function checkBack(known: VerifyContext, entry: TrailEntry): Promise<Fault[]> {
  const { objects } = known;
  const { undoes = [], redoes = [], restores, op } = entry.meta!;
  if (namesNothing(entry))
    return [fault('back', entry.commit, `It is a ${op}, and no trailer of it names what it goes back to.`)];
  if (!takesBack(entry)) return [];
  for (const oid of [...undoes, ...redoes]) if (!(await known.below.has(oid))) return [];
  if (restores !== undefined && !(await objects.has(restores))) return [];
  const [parent] = entry.parents;
  if (isRollback(op) && !(parent && (await isAncestor(objects, restores!, parent))))
    return [fault('names', entry.commit, `It restores ${shortId(restores!)}, which is not below it.`)];
  return (await wrongBack(objects, entry)).map(path => {
    const words = `It is a ${op}, and ${path} is not what that would make of it.`;
    return fault('back', entry.commit, words, path);
  });
}

/**
 * Checks the names in a commit: what it takes back must be below it on the trail; its base, HEAD and what it restores
 * must at least be there, unless a shallow clone left them out.
 */
async function checkNames(known: VerifyContext, { commit }: TrailEntry, meta: TrailMeta): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const oid of [...(meta.undoes ?? []), ...(meta.redoes ?? [])]) {
    if (await known.below.has(oid)) continue;
    if (known.shallow.size > 0 && !(await known.objects.has(oid))) continue;
    faults.push(fault('names', commit, `It takes back or puts back ${shortId(oid)}, which is not below it.`));
  }
  for (const oid of [meta.base, meta.restores, meta.head]) {
    if (oid === undefined || known.below.get(oid) || known.shallow.size > 0) continue;
    const isThere = async (): Promise<Fault[]> => {
      await known.objects.read(oid, 'commit');
      return [];
    };
    const found = await faultsOf(commit, null, isThere);
    faults.push(
      ...found.map(one => ({ ...one, kind: 'names' as const, message: `It names ${one.message}` })),
    );
  }
  return faults;
}
