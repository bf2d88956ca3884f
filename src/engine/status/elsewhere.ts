/**
 * Where rows are that vanished from the file and from HEAD: in the index, a stash, another branch, or a HEAD without one. Asked only where nothing
 * recorded says why they went.
 */

import { fromUtf8 } from '../../bytes.ts';
import { orNull } from '../../fs/fs.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readRef } from '../../git/refs/refs.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { recordedRows, rowsInTree } from '../../history/file-rows.ts';
import type { TrailHead } from '../../history/head.ts';
import { readEntryOrNull } from '../../history/walk.ts';
import type { LineFile } from '../../line/files.ts';
import { heldRows } from '../../line/row.ts';
import type { RowsElsewhere } from '../../line/standing.ts';
import type { Token } from '../../text/diff/alignment.ts';
import type { Context } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { indexEntry } from '../transaction/index-step.ts';

/** The most stashes, and commits that HEAD left, the newest, and the most branches, the first by name, that are looked at. */
const MOST = { stashes: 50, branches: 100 };

interface Place {
  where: string;
  /** The texts of a file there, by the names that it had. */
  texts(names: readonly string[]): Promise<readonly Token[]>;
  /** The commit that it was made from. */
  from?: string | null | undefined;
}

/** Answers of a file the places that have it, the likeliest first; they are looked for once. What cannot be read has nothing. */
export function elsewhere(snapshot: Snapshot): (file: LineFile) => Promise<RowsElsewhere[]> {
  const { context } = snapshot;
  let places: Promise<Place[]> | null = null;
  return async ({ names, weave }) => {
    places ??= placesOf(snapshot);
    const rows = weave.rows();
    const found: RowsElsewhere[] = [];
    for (const { where, texts, from } of await places) {
      const text = await texts(names).catch(() => []);
      const was = from ? await rowsInCommit(context, from, names).catch(() => []) : [];
      if (text.length + was.length > 0)
        found.push({ where, held: heldRows(rows, text), ...(from && { from: heldRows(rows, was) }) });
    }
    return found;
  };
}

async function placesOf({ context, trail }: Snapshot): Promise<Place[]> {
  const { repo } = context;
  const stash = /^[0-9a-f]{40} ([0-9a-f]{40}) /gm;
  const stashes = await logged(context, `${repo.commonDir}/logs/refs/stash`, stash);
  const asides = [...(await rebased(context)), await readRef(repo, 'MERGE_AUTOSTASH').catch(() => null)];
  const named = [
    ...stashes.slice(0, MOST.stashes).map((oid, n) => [`stash@{${n}}`, oid] as const),
    ...asides.flatMap(oid => (oid ? [['autostash', oid] as const] : [])),
  ];
  const stashed = await Promise.all(named.map(([where, oid]) => placesOfStash(context, where, oid)));
  return [
    { where: 'index', texts: names => staged(context, names), from: trail.head },
    ...stashed.flat(),
    ...(await branches(context, trail)),
    ...(await detached(context, trail)),
  ];
}

function placeAt(context: Context, where: string, oid: string, from?: string): Place {
  return { where, texts: names => rowsInCommit(context, oid, names), from };
}

async function staged({ index, objects }: Context, names: readonly string[]): Promise<readonly Token[]> {
  const bytes = await index.read();
  for (const name of bytes ? names.toReversed() : []) {
    const entry = indexEntry(bytes!, name);
    if (entry) return recordedRows(objects, name, entry);
  }
  return [];
}

/** Commits that HEAD was at without a branch when somebody switched away, and is not above of now. */
async function detached(context: Context, { head }: TrailHead): Promise<Place[]> {
  const left = /^[0-9a-f]{40} [0-9a-f]{40} .*\tcheckout: moving from ([0-9a-f]{40}) to /gm;
  const ids = await logged(context, `${context.repo.gitDir}/logs/HEAD`, left);
  const found: Place[] = [];
  for (const oid of [...new Set(ids)].slice(0, MOST.stashes)) {
    const isBelow = head !== null && (await isAncestor(context.objects, oid, head));
    if (!isBelow) found.push(placeAt(context, oid, oid));
  }
  return found;
}

/** Reads what the entries of a reflog say, the newest first. */
async function logged({ fs }: Context, path: string, entry: RegExp): Promise<string[]> {
  const bytes = await orNull(fs.readFile(path)).catch(() => null);
  const found = [...(fromUtf8(bytes ?? new Uint8Array()) ?? '').matchAll(entry)];
  return found.map(([, id]) => id!).reverse();
}

async function rebased({ fs, repo }: Context): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    const bytes = await orNull(fs.readFile(`${repo.gitDir}/${folder}/autostash`));
    const id = bytes && fromUtf8(bytes)?.trim();
    if (id) found.push(id);
  }
  return found;
}

/** A stash is a commit of the files; its second parent has the index, its third the untracked files. */
async function placesOfStash(context: Context, where: string, oid: string): Promise<Place[]> {
  const entry = await readEntryOrNull(context.objects, oid).catch(() => null);
  const [base, index, untracked] = entry?.parents ?? [];
  return [
    placeAt(context, where, oid, base),
    ...(index ? [placeAt(context, where, index, base)] : []),
    ...(untracked ? [placeAt(context, where, untracked)] : []),
  ];
}

async function branches(context: Context, { ref, head }: TrailHead): Promise<Place[]> {
  const refs = await listRefs(context.repo, 'refs/heads/').catch(() => []);
  return refs
    .filter(({ name, oid }) => name !== ref && oid !== head)
    .slice(0, MOST.branches)
    .map(({ name, oid }) => placeAt(context, `branch ${name.slice('refs/heads/'.length)}`, oid));
}

async function rowsInCommit(
  { objects }: Context,
  oid: string,
  names: readonly string[],
): Promise<readonly Token[]> {
  const entry = await readEntryOrNull(objects, oid);
  return rowsInTree(objects, entry?.tree ?? null, names);
}
