/** The packs of one objects folder. Each is opened when it is first asked, and stays open until it is gone. */

import { reading } from '../../fs/failures.ts';
import { orNull } from '../../fs/fs.ts';
import { LruCache } from '../objects/lru.ts';
import type { GitObject, Packs, PacksOptions } from '../objects/object.ts';
import { Pack } from './pack.ts';

/** For the bases of deltas, in bytes. */
const BASE_CACHE_BYTES = 16 * 1024 * 1024;

export class NativePacks implements Packs {
  readonly #options: PacksOptions;
  readonly #bases = new LruCache<string, GitObject>(BASE_CACHE_BYTES, ({ content }) => content.length + 300);
  #packs: readonly Pack[] | null = null;
  #retired: Pack[] = [];
  /** Lookups under way; while there are any, no pack is closed. */
  #active = 0;
  generation = 0;

  constructor(options: PacksOptions) {
    this.#options = options;
  }

  read(oid: string): Promise<GitObject | null> {
    return this.#during(async packs => {
      for (const pack of packs) {
        const object = await pack.read(oid);
        if (object === null) continue;
        // The pack that had the last object probably has the next one. A list that changes is replaced, not written to.
        if (pack !== packs[0] && this.#packs === packs)
          this.#packs = [pack, ...packs.filter(other => other !== pack)];
        return object;
      }
      return null;
    });
  }

  has(oid: string): Promise<boolean> {
    return this.#during(async packs => {
      for (const pack of packs) if (await pack.has(oid)) return true;
      return false;
    });
  }

  expand(prefix: string): Promise<string[]> {
    return this.#during(async packs => (await Promise.all(packs.map(pack => pack.expand(prefix)))).flat());
  }

  async refresh(): Promise<void> {
    const paths = await this.#list();
    const old = this.#packs ?? [];
    const known = new Set(old.map(({ path }) => path));
    const added = [...paths].filter(path => !known.has(path));
    const gone = old.filter(({ path }) => !paths.has(path));
    if (this.#packs !== null && added.length === 0 && gone.length === 0) return;
    const { fs, maxBytes } = this.#options;
    const opened = added.map(path => new Pack({ fs, path, maxBytes, bases: this.#bases }));
    this.#packs = [...opened, ...old.filter(({ path }) => paths.has(path))];
    this.#retired.push(...gone);
    this.generation++;
  }

  async close(): Promise<void> {
    this.#retired.push(...(this.#packs ?? []));
    this.#packs = null;
    await this.#closeRetired();
  }

  /** Runs a lookup over the packs as they are now; those that vanish meanwhile stay readable until it is done. */
  async #during<T>(run: (packs: readonly Pack[]) => Promise<T>): Promise<T> {
    this.#active++;
    try {
      if (this.#packs === null) await this.refresh();
      return await run(this.#packs ?? []);
    } finally {
      this.#active--;
      if (this.#retired.length > 0) await this.#closeRetired();
    }
  }

  async #closeRetired(): Promise<void> {
    if (this.#active > 0) return;
    for (const pack of this.#retired.splice(0)) await pack.close();
  }

  /** Lists the paths of the packs without their endings; an index without its pack is of no use. */
  async #list(): Promise<Set<string>> {
    const dir = `${this.#options.objectsDir}/pack`;
    const names = new Set(await reading('objects/pack', orNull(this.#options.fs.readdir(dir))));
    const stems = [...names].filter(name => name.endsWith('.idx')).map(name => name.slice(0, -'.idx'.length));
    return new Set(stems.filter(stem => names.has(`${stem}.pack`)).map(stem => `${dir}/${stem}`));
  }
}
