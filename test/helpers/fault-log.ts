/**
 * What a recorded run did to the disk, and what a power cut can leave of it.
 *
 * The model: content that was not synced is there in full, in half, or not at all; a change of a folder (create,
 * rename, link, unlink, mkdir, rmdir) that no sync of that folder followed may be lost while later ones survive. A
 * rename counts as a change of the folder of its target. Files only grow in this engine, so synced content is a prefix.
 */

import { type Fs, isMissing, lstatOf } from '../../src/fs/fs.ts';

/** What a call adds to the log besides its path. */
export interface LoggedCall {
  /** The handle that is made or used. */
  id?: number;
  to?: string;
  how?: string;
  mode?: number;
  bytes?: Uint8Array;
  /** Of a truncation. */
  size?: number;
  /** How the file looked after a write, or when it was made. */
  stat?: Identity;
  /** Of a sync: it covers the changes before this position in the log, not those made while it ran. */
  upTo?: number;
}

/** Where a path starts (the recorded root, or a folder handle) and the names from there. */
interface Place {
  from: number | 'root';
  names: string[];
}

interface Entry extends LoggedCall {
  method: string;
  at: Place | null;
  target: Place | null;
}

/** What tells a file from every other one, and from itself after a write. */
export interface Identity {
  ino: bigint;
  mtimeNs: bigint;
}

export interface FileImage {
  bytes: Uint8Array;
  mode: number;
  /** As they were in the run; a file that is written anew has others. */
  stat?: Identity;
}
/** Paths relative to the root, with `/`. A string is a symlink's target, `null` a folder. */
export type Tree = Map<string, FileImage | string | null>;

/** What becomes of content that was not synced. */
export type Unsynced = 'full' | 'empty' | 'half';
export const UNSYNCED: readonly Unsynced[] = ['full', 'empty', 'half'];

export class FaultLog {
  /** The changes, in the order in which they were done. A power cut can come after each: `replay(log, 0..length)`. */
  readonly entries: Entry[] = [];
  /** Settled once the tree before the run is read. */
  readonly ready: Promise<void>;
  readonly #root: string;
  readonly #handles = new Map<number, number>();
  initial: Tree = new Map();

  constructor(real: Fs, root: string) {
    this.#root = root;
    this.ready = readTree(real, root).then(tree => {
      this.initial = tree;
    });
  }

  opened(id: number, fd: number): void {
    this.#handles.set(fd, id);
  }

  /** The places of a call's paths, taken before the call, because descriptors are used again. */
  place(path: string, to: string | undefined): [Place | null, Place | null] {
    return [this.#placeOf(path), to === undefined ? null : this.#placeOf(to)];
  }

  #placeOf(path: string): Place | null {
    const below = /^\/proc\/self\/fd\/(\d+)\/?(.*)$/.exec(path);
    if (below) return { from: this.#handles.get(Number(below[1])) ?? -1, names: split(below[2] ?? '') };
    if (path !== this.#root && !path.startsWith(`${this.#root}/`)) return null;
    return { from: 'root', names: split(path.slice(this.#root.length)) };
  }

  add(method: string, places: [Place | null, Place | null] | null, call: LoggedCall | undefined): void {
    this.entries.push({ ...call, method, at: places?.[0] ?? null, target: places?.[1] ?? null });
  }
}

function split(path: string): string[] {
  return path.split('/').filter(name => name !== '');
}

/** Everything below `root`. */
export async function readTree(fs: Fs, root: string): Promise<Tree> {
  const tree: Tree = new Map();
  const visit = async (path: string): Promise<void> => {
    for (const name of await fs.readdir(`${root}/${path}`)) {
      const below = path === '' ? name : `${path}/${name}`;
      const stat = await lstatOf(fs, `${root}/${below}`);
      if (stat.type === 'symlink') tree.set(below, await fs.readlink(`${root}/${below}`));
      if (stat.type === 'file') {
        const { ino, mtimeNs } = stat;
        const bytes = await fs.readFile(`${root}/${below}`);
        tree.set(below, { bytes, mode: stat.mode & 0o7777, stat: { ino, mtimeNs } });
      }
      if (stat.type !== 'directory') continue;
      tree.set(below, null);
      await visit(below);
    }
  };
  await visit('').catch(error => {
    if (!isMissing(error)) throw error;
  });
  return tree;
}
