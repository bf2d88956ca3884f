/** Files of HEAD's, as the files of a history that they are: each under the newest of its names that is there. */

import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { fileAt, type Recorded, sameRecorded } from '../history/steps.ts';

/** A file of a history, with the names that it had; the present one last. */
interface Named {
  readonly names: readonly string[];
}

/** The name and content that HEAD has for a file; `null`: it has none. */
export interface HeadFile {
  path: string;
  held: Recorded;
}

export class HeadFiles {
  /** HEAD's tree. */
  tree: string | null = null;
  readonly #objects: ObjectDatabase;
  /** The files of the history by the names that they have now. */
  readonly #present: ReadonlyMap<string, Named>;
  readonly #taken = new Map<Named, HeadFile>();
  readonly #owners = new Map<string, Named>();
  readonly #made = new Set<Named>();

  constructor(objects: ObjectDatabase, present: ReadonlyMap<string, Named>) {
    this.#objects = objects;
    this.#present = present;
  }

  /** Notes a file that an edit made anew: it is none that HEAD has had, whatever has its name there. */
  noteMade(file: Named): void {
    this.#made.add(file);
  }

  /** Finds the file as HEAD has it, and notes it until the next step of HEAD. */
  async take(file: Named): Promise<HeadFile> {
    const found = await this.#find(file);
    this.#taken.set(file, found);
    if (found.held) this.#owners.set(found.path, file);
    return found;
  }

  /** True where HEAD has the file otherwise than when it was last taken. */
  async hasChanged(file: Named): Promise<boolean> {
    return !isSame(this.#taken.get(file), await this.#find(file));
  }

  /**
   * Where another file took a name since, what HEAD got there since is that one's; what HEAD has there of the file that left
   * the name is none that was made there.
   */
  async #find(file: Named): Promise<HeadFile> {
    const known = this.#taken.get(file);
    for (const path of this.tree === null ? [] : file.names.toReversed()) {
      const held = await fileAt(this.#objects, this.tree!, path);
      const owner = this.#made.has(file) ? this.#owners.get(path) : file;
      if (!held || (owner && owner !== file && isSame(this.#taken.get(owner), { path, held }))) continue;
      if ((this.#present.get(path) ?? file) === file) return { path, held };
      if (known?.path === path && known.held) return known;
    }
    return { path: file.names.at(-1)!, held: null };
  }
}

function isSame(one: HeadFile | undefined, other: HeadFile): boolean {
  return one?.path === other.path && sameRecorded(one.held, other.held);
}
