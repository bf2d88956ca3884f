/**
 * The objects folder that a fetch writes to: beside the repository's own, which it names as its alternate. What was fetched
 * is looked at there, and moves in only when it is sound; until then nothing in the repository can lead to it. Git has checked it
 * too (fetch.fsckObjects), but a person's config may have taught git to look away.
 */

import { fromLatin1, nameOf } from '../../bytes.ts';
import type { Context } from '../../engine/context.ts';
import { EditError } from '../../errors.ts';
import { createFile, ensureFolder, exists, removeTree, syncFile, syncFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import { parseCommit } from '../../git/objects/commit.ts';
import { type ObjectDatabase, openObjects } from '../../git/objects/object-database.ts';
import { isGitlink, isTree, parseTree, type TreeEntry } from '../../git/objects/tree-entries.ts';
import { inGitsOrder } from '../../git/objects/tree-extents.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { foldsTo } from '../../stores/paths.ts';
import { shortId } from '../../wording.ts';

/** Milliseconds after which what a dead process left is removed. */
const OLD = 24 * 3_600_000;

export class Quarantine {
  /** Absolute; ends with `objects`. */
  readonly objectsDir: string;
  /** Reads what was fetched, and what the repository has. */
  readonly objects: ObjectDatabase;
  readonly #context: Context;
  readonly #folder: string;

  private constructor(context: Context, folder: string) {
    const { fs, codec } = context;
    this.#context = context;
    this.#folder = folder;
    this.objectsDir = `${folder}/objects`;
    this.objects = openObjects({ fs, codec, objectsDir: this.objectsDir });
  }

  static async open(context: Context): Promise<Quarantine> {
    const { fs, repo, folder } = context;
    const parent = `${folder}/fetch`;
    await assertNoSymlinks(fs, repo.commonDir, parent);
    await ensureFolder(fs, parent);
    await sweep(context, parent);
    const own = `${parent}/${randomToken()}`;
    for (const name of ['objects/info', 'objects/pack']) await ensureFolder(fs, `${own}/${name}`);
    const objects = `${repo.commonDir}/objects\n`;
    await createFile(fs, `${own}/objects/info/alternates`, new TextEncoder().encode(objects), {
      sync: false,
    });
    const shallow = await orNull(fs.readFile(`${repo.commonDir}/shallow`));
    if (shallow) await createFile(fs, `${own}/shallow`, shallow, { sync: false });
    return new Quarantine(context, own);
  }

  /** Moves the packs into the repository, durably, each index last: git knows no pack without it. */
  async moveIn(): Promise<void> {
    const { fs, repo } = this.#context;
    await this.objects.close();
    const [from, to] = [`${this.objectsDir}/pack`, `${repo.commonDir}/objects/pack`];
    const names = (await fs.readdir(from)).filter(name => /^pack-[0-9a-f]{40}\.\w+$/.test(name));
    for (const made of await ensureFolder(fs, to)) await syncFolder(fs, made);
    for (const name of names) await syncFile(fs, `${from}/${name}`);
    const isIndex = (name: string): boolean => name.endsWith('.idx');
    for (const name of [...names.filter(one => !isIndex(one)), ...names.filter(isIndex)]) {
      // The same objects were fetched before: their pack is the same.
      if (!(await exists(fs, `${to}/${name}`))) await fs.rename(`${from}/${name}`, `${to}/${name}`);
    }
    await syncFolder(fs, to);
  }

  /** Removes the quarantine; what cannot be removed is swept a day later, and is no failure of what was fetched. */
  async close(): Promise<void> {
    await this.objects.close();
    await removeTree(this.#context.fs, this.#folder).catch(() => {});
  }
}

async function sweep({ fs, now }: Context, parent: string): Promise<void> {
  for (const name of await fs.readdir(parent)) {
    const stat = await fs.lstat(`${parent}/${name}`);
    const age = stat === null ? 0 : now().getTime() - Number(stat.mtimeNs / 1_000_000n);
    if (age > OLD) await removeTree(fs, `${parent}/${name}`);
  }
}

export interface FetchedTip {
  oid: string;
  /** The commit that the mirror is at; `null`: there is none yet. */
  mirror: string | null;
}

/** Deeper folders than an edit may make are a trap for programs that recurse. */
const DEEPEST = 255;

const MODES: ReadonlySet<string> = new Set(['40000', '100644', '100664', '100755', '120000', '160000']);

/** No commit of an edit is longer, not of a hundred thousand files. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Lists the commits of a trail that are new. Throws CORRUPT where it does not end in a commit. */
export async function newsOf(
  objects: ObjectDatabase,
  oid: string,
  known: readonly string[],
): Promise<Set<string>> {
  await objects.read(oid, 'commit');
  return revList(objects, oid, known);
}

/**
 * Checks what was fetched of a trail. Throws CORRUPT where the trail does not go on from its mirror, or holds what is no commit, or a tree with a name that
 * leads out of it or into git's own folder. `objects` reads what was fetched too, `own` only what the repository has.
 */
export async function checkFetched(
  objects: ObjectDatabase,
  own: ObjectDatabase,
  { oid, mirror }: FetchedTip,
  news: ReadonlySet<string>,
): Promise<void> {
  if (mirror !== null && !(await isAncestor(objects, mirror, oid)))
    throw unsound(
      `it was rewound or rewritten: ${shortId(mirror)}, which was fetched before, is not in its history any more`,
      oid,
    );
  const trees = new Set<string>();
  for (const commit of news) {
    const { content } = await objects.read(commit, 'commit');
    if (content.length > MOST_BYTES) throw unsound(`a commit has ${content.length} bytes`, commit);
    trees.add(parseCommit(content).tree);
  }
  const seen = new Set<string>();
  for (const tree of trees) await checkTree(objects, own, tree, seen);
}

/** Checks a fetched tree; trees that the repository has are not looked at again. */
async function checkTree(
  objects: ObjectDatabase,
  own: ObjectDatabase,
  root: string,
  seen: Set<string>,
): Promise<void> {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw unsound(`a tree has more than ${DEEPEST} folders in each other`, root);
    const next: string[] = [];
    for (const oid of level) {
      if (seen.has(oid)) continue;
      seen.add(oid);
      if (await own.has(oid)) continue;
      const entries = parseTree((await objects.read(oid, 'tree')).content);
      checkOrder(entries, oid);
      for (const entry of entries) {
        checkEntry(entry, oid);
        if (isTree(entry.mode)) next.push(entry.oid);
        else if (!isGitlink(entry.mode) && !(await objects.has(entry.oid)))
          throw unsound(`the content ${entry.oid} is missing`, oid);
      }
    }
    level = next;
  }
}

/** Refuses a tree in which a name is there twice: one program reads the first entry and another one the last. */
function checkOrder(entries: readonly TreeEntry[], tree: string): void {
  const named = entries.map(({ name, mode }) => ({ name: fromLatin1(name), isFolder: isTree(mode) }));
  const isSorted = named.every((one, n) => n === 0 || inGitsOrder(named[n - 1]!, one) < 0);
  if (!isSorted || new Set(entries.map(({ name }) => name)).size < entries.length)
    throw unsound('a tree is not sorted, or has a name twice', tree);
}

function checkEntry({ name, mode }: TreeEntry, tree: string): void {
  const text = nameOf(fromLatin1(name));
  const folded = text === '' || text.includes('/') ? 'dots' : foldsTo(text);
  if (folded === '.git' || folded === 'dots')
    throw unsound(
      `a tree has the name ${JSON.stringify(text.slice(0, 80))}, which leads out of it or into git's own folder`,
      tree,
    );
  if (!MODES.has(mode.replace(/^0+/, ''))) throw unsound(`a tree has the mode ${JSON.stringify(mode)}`, tree);
}

function unsound(what: string, oid: string): EditError {
  return new EditError('CORRUPT', what, { oid });
}
