/**
 * Marks of the packs that the engine made, in `<folder>/packs`: only those may be joined. A mark also says how the pack's
 * objects hang together with those of others. It is a help: without what it says packs are larger, never wrong.
 */

import { replaceFile } from '../../fs/durable.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { isOid } from '../objects/object.ts';
import type { PackRoot } from './build-pack.ts';

export interface PackMark {
  /** Milliseconds since 1970; of a joined pack the newest of its parts. Bases are looked for in older packs. */
  made: number;
  roots: readonly PackRoot[];
  /** Deltas that versions of other packs can be based on, as on a whole object: the chain below them is short. */
  links: readonly string[];
}

const NAME = /^pack-[0-9a-f]{40}$/;
/** More are left out. */
const MOST = 20_000;

interface MarkFolder {
  fs: Fs;
  /** The engine's own folder. */
  folder: string;
}

export function markPath({ folder }: Pick<MarkFolder, 'folder'>, name: string): string {
  return `${folder}/packs/${name}`;
}

/**
 * Written in one step, by way of the unused path `draft`. Answers the folders that are still to be synced: without its mark
 * a pack is never joined.
 */
export async function writeMark(
  { fs, folder }: MarkFolder,
  name: string,
  mark: PackMark,
  draft: string,
): Promise<string[]> {
  const text = JSON.stringify({
    made: mark.made,
    roots: mark.roots.slice(-MOST).map(({ oid, base, height }) => [oid, base, height]),
    links: mark.links.slice(-MOST),
  });
  await replaceFile(fs, markPath({ folder }, name), new TextEncoder().encode(text), draft);
  return [`${folder}/packs`, folder];
}

/** The names of the marked packs, whether they are there or not. */
export async function markedPacks({ fs, folder }: MarkFolder): Promise<string[]> {
  const names = (await orNull(fs.readdir(`${folder}/packs`))) ?? [];
  return names.filter(name => NAME.test(name)).sort();
}

/** What the mark says; nothing where it is empty or damaged. */
export async function readMark(at: MarkFolder, name: string): Promise<PackMark> {
  const bytes = await orNull(at.fs.readFile(markPath(at, name)));
  try {
    const { made, roots, links } = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array(0)));
    return { made: Number(made) || 0, roots: roots.map(toRoot), links: links.filter(isOid) };
  } catch {
    return { made: 0, roots: [], links: [] };
  }
}

function toRoot([oid, base, height]: [string, string, number]): PackRoot {
  if (!isOid(oid) || !isOid(base) || !Number.isSafeInteger(height)) throw new Error('no root');
  return { oid, base, height };
}
