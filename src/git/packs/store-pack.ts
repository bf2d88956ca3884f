/**
 * Writes packs durably: drafts in the engine's own folder (a git gc sweeps those beside the packs), sync, rename, sync
 * the folder. Git knows no pack without its index, so that comes last.
 */

import { allDone } from '../../fs/all-done.ts';
import { createFile, ensureFolder, parentOf, removeIfThere, syncFolder } from '../../fs/durable.ts';
import type { FileHandle, Fs } from '../../fs/fs.ts';
import type { Codec } from '../objects/object.ts';
import type { NewPack } from './build-pack.ts';
import { type PackMark, writeMark } from './marks.ts';

export interface PackStore {
  fs: Fs;
  codec: Codec;
  /** The `objects` folder of the common git folder, absolute. */
  objectsDir: string;
  /** The engine's own folder, absolute, on the same device. */
  folder: string;
  /** Begins the names of this process's drafts in `<folder>/packs`. */
  token: string;
  /** The value of core.sharedRepository. */
  shared?: string | undefined;
}

/** Where the packs are. */
export function packFolder({ objectsDir }: Pick<PackStore, 'objectsDir'>): string {
  return `${objectsDir}/pack`;
}

let drafts = 0;

/**
 * A path beside the marks that nobody else uses. Not in `<folder>/tmp`: packs are written without the engine's lock, and
 * who has that may empty it.
 */
export async function draftPath({ fs, folder, token }: PackStore): Promise<string> {
  await ensureFolder(fs, `${folder}/packs`);
  return `${folder}/packs/${token}.${++drafts}`;
}

/**
 * Stores the pack, marked as the engine's; one of this name that is there is replaced by the same bytes. When it returns,
 * pack and index survive a power cut; when it throws, nothing may be removed that is in the pack.
 */
export async function storePack(store: PackStore, made: NewPack): Promise<void> {
  const { fs } = store;
  const draft = await draftPath(store);
  const files = { pack: `${draft}.pack`, index: `${draft}.idx` };
  const options = { umasked: 0o644, prepare: (handle: FileHandle) => makeReadOnly(store, handle) };
  try {
    await allDone([
      createFile(fs, files.pack, made.pack, options),
      createFile(fs, files.index, made.index, options),
    ]);
    const mark = { made: Date.now(), roots: made.roots, links: [] };
    await publishPack(store, { name: made.name, mark }, files);
  } finally {
    for (const file of Object.values(files)) await removeIfThere(fs, file).catch(() => {});
  }
}

/** Gives a written and synced pack its name. */
export async function publishPack(
  store: PackStore,
  { name, mark }: { name: string; mark: PackMark },
  files: { pack: string; index: string },
): Promise<void> {
  const { fs } = store;
  const folder = packFolder(store);
  const made = await ensureFolder(fs, folder);
  const marked = await writeMark(store, name, mark, await draftPath(store));
  await fs.rename(files.pack, `${folder}/${name}.pack`);
  await fs.rename(files.index, `${folder}/${name}.idx`);
  await allDone([folder, ...made.map(parentOf), ...marked].map(one => syncFolder(fs, one)));
}

/** As git's packs: what the umask leaves of 0444, and what core.sharedRepository makes of that. */
export async function makeReadOnly({ shared }: PackStore, handle: FileHandle): Promise<void> {
  const { mode } = await handle.stat();
  await handle.chmod(sharedMode(shared, mode & 0o444));
}

const GROUP = 0o660;
const EVERYBODY = 0o664;

/** Permission bits out of those that the umask left. `value` is that of core.sharedRepository. */
function sharedMode(value: string | undefined, mode: number): number {
  const shared = permission(value);
  if (shared === null) return mode;
  let bits = shared.bits;
  if ((mode & 0o200) === 0) bits &= ~0o222;
  if ((mode & 0o100) !== 0) bits |= (bits & 0o444) >> 2;
  return shared.isExact ? (mode & ~0o777) | bits : mode | bits;
}

function permission(value: string | undefined): { bits: number; isExact: boolean } | null {
  const word = (value ?? 'umask').toLowerCase();
  if (['group', 'true', 'yes', 'on', '', '1'].includes(word)) return { bits: GROUP, isExact: false };
  if (['all', 'world', 'everybody', '2'].includes(word)) return { bits: EVERYBODY, isExact: false };
  const octal = /^0*[0-7]{3,4}$/.test(word) ? Number.parseInt(word, 8) : 0;
  return (octal & 0o600) === 0o600 ? { bits: octal & 0o666, isExact: true } : null;
}
