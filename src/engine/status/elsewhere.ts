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
import { readEntryOrNull } from '../../history/walk.ts';
import type { LineFile } from '../../line/files.ts';
import { heldRows } from '../../line/row.ts';
import type { RowsElsewhere } from '../../line/standing.ts';
import type { Token } from '../../text/diff/alignment.ts';
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

export class Elsewhere {
  readonly #snapshot: Snapshot;
  #places: Promise<Place[]> | null = null;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** The places that have the file, the likeliest first. What cannot be read has nothing. */
  async of({ names, weave }: LineFile): Promise<RowsElsewhere[]> {
    this.#places ??= this.#find();
    const rows = weave.rows();
    const found: RowsElsewhere[] = [];
    for (const { where, texts, from } of await this.#places) {
      const text = await texts(names).catch(() => []);
      const was = from ? await this.#inCommit(from, names).catch(() => []) : [];
      if (text.length + was.length > 0)
        found.push({ where, held: heldRows(rows, text), ...(from && { from: heldRows(rows, was) }) });
    }
    return found;
  }

  async #find(): Promise<Place[]> {
    const { repo } = this.#snapshot.context;
    const { head } = this.#snapshot.trail;
    const stashes = await this.#stashes().catch(() => []);
    const autostash = await readRef(repo, 'MERGE_AUTOSTASH').catch(() => null);
    const rebased = await this.#rebased();
    const named = [
      ...stashes.map((oid, n) => [`stash@{${n}}`, oid] as const),
      ...[...rebased, ...(autostash ? [autostash] : [])].map(oid => ['autostash', oid] as const),
    ];
    const stashed = await Promise.all(named.map(([where, oid]) => this.#stash(where, oid)));
    return [
      { where: 'index', texts: names => this.#staged(names), from: head },
      ...stashed.flat(),
      ...(await this.#branches()),
      ...(await this.#detached()),
    ];
  }

  async #staged(names: readonly string[]): Promise<readonly Token[]> {
    const { index, objects } = this.#snapshot.context;
    const bytes = await index.read();
    for (const name of bytes ? names.toReversed() : []) {
      const entry = indexEntry(bytes!, name);
      if (entry) return recordedRows(objects, name, entry);
    }
    return [];
  }

  async #stashes(): Promise<string[]> {
    const { commonDir } = this.#snapshot.context.repo;
    const ids = await this.#logged(`${commonDir}/logs/refs/stash`, /^[0-9a-f]{40} ([0-9a-f]{40}) /gm);
    return ids.slice(0, MOST.stashes);
  }

  /** Commits that HEAD was at without a branch when somebody switched away, and is not above of now. */
  async #detached(): Promise<Place[]> {
    const { context, trail } = this.#snapshot;
    const { gitDir } = context.repo;
    const left = /^[0-9a-f]{40} [0-9a-f]{40} .*\tcheckout: moving from ([0-9a-f]{40}) to /gm;
    const ids = await this.#logged(`${gitDir}/logs/HEAD`, left).catch(() => []);
    const found: Place[] = [];
    for (const oid of [...new Set(ids)].slice(0, MOST.stashes)) {
      const isBelow = trail.head !== null && (await isAncestor(context.objects, oid, trail.head));
      if (!isBelow) found.push({ where: oid, texts: names => this.#inCommit(oid, names) });
    }
    return found;
  }

  /** Reads what the entries of a reflog say, the newest first. */
  async #logged(path: string, entry: RegExp): Promise<string[]> {
    const bytes = await orNull(this.#snapshot.context.fs.readFile(path));
    const found = [...(fromUtf8(bytes ?? new Uint8Array()) ?? '').matchAll(entry)];
    return found.map(([, id]) => id!).reverse();
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
  async #stash(where: string, oid: string): Promise<Place[]> {
    const entry = await readEntryOrNull(this.#snapshot.context.objects, oid).catch(() => null);
    const [base, index, untracked] = entry?.parents ?? [];
    const at = (commit: string): Place['texts'] => {
      return names => this.#inCommit(commit, names);
    };
    return [
      { where, texts: at(oid), from: base },
      ...(index ? [{ where, texts: at(index), from: base }] : []),
      ...(untracked ? [{ where, texts: at(untracked) }] : []),
    ];
  }

  async #branches(): Promise<Place[]> {
    const { context, trail } = this.#snapshot;
    const refs = await listRefs(context.repo, 'refs/heads/').catch(() => []);
    return refs
      .filter(({ name, oid }) => name !== trail.ref && oid !== trail.head)
      .slice(0, MOST.branches)
      .map(({ name, oid }) => ({
        where: `branch ${name.slice('refs/heads/'.length)}`,
        texts: names => this.#inCommit(oid, names),
      }));
  }

  async #inCommit(oid: string, names: readonly string[]): Promise<readonly Token[]> {
    const { objects } = this.#snapshot.context;
    const entry = await readEntryOrNull(objects, oid);
    return rowsInTree(objects, entry?.tree ?? null, names);
  }
}
