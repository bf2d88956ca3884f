/**
 * The objects folder that a fetch writes to: beside the repository's own, which it names as its alternate. What was fetched
 * is looked at there, and moves in only when it is sound; until then nothing in the repository can lead to it.
 */

import type { Context } from '../../engine/context.ts';
import { createFile, ensureFolder, exists, removeTree, syncFile, syncFolder } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import { assertNoSymlinks } from '../../fs/no-symlinks.ts';
import { type ObjectDatabase, openObjects } from '../../git/objects/object-database.ts';

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
