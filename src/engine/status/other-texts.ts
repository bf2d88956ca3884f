/**
 * Where text is that is neither in the file nor in HEAD: in the index, a stash, a branch, a trail or the files of another
 * work tree. Asked only where lines vanished and nothing says why.
 */

import { fromUtf8 } from '../../bytes.ts';
import { orNull } from '../../fs/fs.ts';
import { baseName } from '../../git/paths.ts';
import { listRefs } from '../../git/refs/ref-list.ts';
import { readRef } from '../../git/refs/refs.ts';
import { worktreeHeads } from '../../git/repository/worktrees.ts';
import type { Token } from '../../text/diff/alignment.ts';
import { TRAIL_PREFIX } from '../../trail/head.ts';
import { recordedRows, rowsInTree, rowsOf } from '../../trail/history/file-rows.ts';
import type { TextElsewhere } from '../../trail/history/status.ts';
import type { FileHistory } from '../../trail/history/versions.ts';
import { readEntryOrNull } from '../../trail/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { indexEntry } from '../transaction/index-step.ts';

/** The most stashes, the newest, and the most branches and trails, the first by name, that are looked at. */
const MOST = { stashes: 50, refs: 100 };

/** Reads the rows that a place has of the file; `null` where it has no files at all. */
interface TextSource {
  where: string;
  rows(names: readonly string[]): Promise<readonly Token[] | null>;
  /** The commit that it was made from, where that is known. */
  from?(): Promise<string | null | undefined>;
}

export class TextsElsewhere {
  readonly #snapshot: Snapshot;
  #places: Promise<TextSource[]> | null = null;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The places that have the file, the likeliest first. What cannot be read has nothing. */
  async of({ names, weave }: FileHistory): Promise<TextElsewhere[]> {
    this.#places ??= this.#find();
    const found: TextElsewhere[] = [];
    for (const { where, rows, from } of await this.#places) {
      const text = await rows(names).catch(() => null);
      const base = text && (await from?.().catch(() => null));
      const was = base ? await this.#inCommit(base, names).catch(() => []) : [];
      if (!text || text.length + was.length === 0) continue;
      found.push({ where, held: weave.place(text).held, from: weave.place(was).held });
    }
    return found;
  }

  async #find(): Promise<TextSource[]> {
    const { repo } = this.#snapshot.context;
    const stashes = await this.#stashes().catch(() => []);
    const autostash = await readRef(repo, 'MERGE_AUTOSTASH').catch(() => null);
    return [
      { where: 'index', rows: names => this.#staged(names), from: async () => this.#snapshot.trail.head },
      ...stashes.flatMap((oid, n) => this.#stash(`stash@{${n}}`, oid)),
      ...[...(await this.#rebased()), ...(autostash ? [autostash] : [])].flatMap(oid =>
        this.#stash('autostash', oid),
      ),
      ...(await this.#refs('refs/heads/', 'branch')),
      ...(await this.#refs(TRAIL_PREFIX, 'trail')),
      ...(await this.#workTrees()),
    ];
  }

  async #staged(names: readonly string[]): Promise<readonly Token[] | null> {
    const { index, objects } = this.#snapshot.context;
    const bytes = await index.read();
    if (!bytes) return null;
    for (const name of [...names].reverse()) {
      const entry = indexEntry(bytes, name);
      if (entry) return recordedRows(objects, name, entry);
    }
    return [];
  }

  async #stashes(): Promise<string[]> {
    const { fs, repo } = this.#snapshot.context;
    const bytes = await orNull(fs.readFile(`${repo.commonDir}/logs/refs/stash`));
    const ids = [...(fromUtf8(bytes ?? new Uint8Array()) ?? '').matchAll(/^[0-9a-f]{40} ([0-9a-f]{40}) /gm)];
    return ids
      .map(([, id]) => id!)
      .reverse()
      .slice(0, MOST.stashes);
  }

  async #rebased(): Promise<string[]> {
    const { fs, repo } = this.#snapshot.context;
    const found: string[] = [];
    for (const folder of ['rebase-merge', 'rebase-apply']) {
      const bytes = await orNull(fs.readFile(`${repo.gitDir}/${folder}/autostash`));
      const id = bytes && fromUtf8(bytes)?.trim();
      if (id) found.push(id);
    }
    return found;
  }

  /** A stash is a commit of the files; its second parent has the index, its third the untracked files. */
  #stash(where: string, oid: string): TextSource[] {
    const parent = async (at: number): Promise<string | undefined> =>
      (await readEntryOrNull(this.#snapshot.context.objects, oid))?.parents[at];
    const rowsAt = async (commit: string | undefined, names: readonly string[]): Promise<readonly Token[]> =>
      commit ? this.#inCommit(commit, names) : [];
    return [
      { where, rows: names => this.#inCommit(oid, names), from: () => parent(0) },
      { where, rows: async names => rowsAt(await parent(1), names), from: () => parent(0) },
      { where, rows: async names => rowsAt(await parent(2), names) },
    ];
  }

  async #refs(prefix: string, kind: string): Promise<TextSource[]> {
    const { context, trail } = this.#snapshot;
    const refs = await listRefs(context.repo, prefix).catch(() => []);
    return refs
      .filter(({ name, oid }) => name !== trail.ref && oid !== trail.head)
      .slice(0, MOST.refs)
      .map(({ name, oid }) => ({
        where: `${kind} ${name.slice(prefix.length)}`,
        rows: names => this.#inCommit(oid, names),
      }));
  }

  async #inCommit(oid: string, names: readonly string[]): Promise<readonly Token[]> {
    const { objects } = this.#snapshot.context;
    const entry = await readEntryOrNull(objects, oid);
    return rowsInTree(objects, entry?.tree ?? null, names);
  }

  /** The files of the other work trees, told by their names in git; their branches are looked at besides. */
  async #workTrees(): Promise<TextSource[]> {
    const { repo, fs } = this.#snapshot.context;
    const others = (await worktreeHeads(repo).catch(() => [])).filter(one => one.gitDir !== repo.gitDir);
    const places = others.map(async ({ gitDir }): Promise<TextSource | null> => {
      const named = await orNull(fs.readFile(`${gitDir}/gitdir`));
      const dotGit = named ? fromUtf8(named)?.trim() : gitDir;
      const folder = dotGit?.endsWith('/.git') ? dotGit.slice(0, -'/.git'.length) : null;
      if (folder === null) return null;
      const name = gitDir === repo.commonDir ? 'main work tree' : `work tree ${baseName(gitDir)}`;
      return { where: name, rows: names => this.#inFolder(folder, names) };
    });
    return (await Promise.all(places)).filter(place => place !== null);
  }

  async #inFolder(folder: string, names: readonly string[]): Promise<readonly Token[]> {
    const { fs } = this.#snapshot.context;
    for (const name of [...names].reverse()) {
      const bytes = await orNull(fs.readFile(`${folder}/${name}`));
      if (bytes) return rowsOf(name, { mode: '100644', oid: '' }, bytes);
    }
    return [];
  }
}
