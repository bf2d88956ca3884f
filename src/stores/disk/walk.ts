/** Running an action in a folder of the workspace, and closing the folder whatever comes of it. */

import { syncFolder } from '../../fs/durable.ts';
import { errno, type Fs, lstatOf, type Stat } from '../../fs/fs.ts';
import { below, type Disk, type Folder, inTheWay, leadsOut } from './contract.ts';
import { OpenFolder } from './folders.ts';

/** Runs `use` in the folder at `path`, or answers `null` when there is none. */
export async function inFolder<T>(
  disk: Disk,
  path: string,
  use: (folder: Folder) => Promise<T>,
  links: Links = 'refuse',
): Promise<T | null> {
  return inDeepest(disk, path, async folder => (folder.rest.length > 0 ? null : use(folder)), links);
}

/** Runs `use` in the folder at `path`, or in the deepest one on the way that is there. */
export async function inDeepest<T>(
  disk: Disk,
  path: string,
  use: (folder: Folder) => Promise<T>,
  links: Links = 'refuse',
): Promise<T> {
  return useFolder(await descend(disk, componentsOf(path), 'stop', links), use);
}

/** Runs `use` in the folder at `path`, which is made if it is missing. Throws FILE_EXISTS when a file is in the way. */
export async function inMadeFolder<T>(
  disk: Disk,
  path: string,
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  return useFolder(await descend(disk, componentsOf(path), 'make'), async folder => {
    if (folder.rest.length > 0) throw inTheWay(path);
    return use(folder);
  });
}

/** Splits a path, the last line of defence: paths were checked before they get here. */
function componentsOf(path: string): string[] {
  const components = path === '' ? [] : path.split('/');
  for (const component of components) {
    if (['', '.', '..'].includes(component) || component.toLowerCase() === '.git') throw leadsOut(path);
  }
  return components;
}

async function useFolder<T>(folder: Folder, use: (folder: Folder) => Promise<T>): Promise<T> {
  try {
    const result = await use(folder);
    await folder.assertSame();
    return result;
  } finally {
    await folder.close();
  }
}

/** The way to treat a missing folder: make it, or stop above it. */
type Missing = 'make' | 'stop';

/** Where a link stands on the way: refuse it, or take it for something that is in the way, as a file would be. */
export type Links = 'refuse' | 'block';

/** Opens the folder at the end of `components`, or the deepest one on the way. Throws OUTSIDE_WORKSPACE at a link. */
async function descend(
  disk: Disk,
  components: readonly string[],
  missing: Missing,
  links: Links = 'refuse',
): Promise<Folder> {
  const path = components.join('/');
  const kept = await disk.folders.get(path);
  if (kept) return kept;
  let folder: Folder = disk.fs.descriptorPaths
    ? new OpenFolder(await disk.fs.open(disk.root, 'directory'), '', components)
    : namedFolder(disk.fs, disk.root, '', components, []);
  const step = disk.fs.descriptorPaths ? openStep : nameStep;
  while (folder.rest.length > 0 && !folder.blocked) {
    const next = await step(disk.fs, folder, missing, links).catch(async error => {
      await folder.close();
      throw error;
    });
    if (next === 'missing') break;
    await folder.close();
    folder = next;
  }
  return folder instanceof OpenFolder && folder.path === path ? disk.folders.keep(folder) : folder;
}

async function openStep(fs: Fs, above: Folder, missing: Missing, links: Links): Promise<Folder | 'missing'> {
  const name = above.rest[0]!;
  const path = below(above.path, name);
  try {
    return new OpenFolder(await fs.open(`${above.at}/${name}`, 'directory'), path, above.rest.slice(1));
  } catch (error) {
    const code = errno(error);
    if (code === 'ENOENT')
      return (await make(fs, above, missing)) ? await openStep(fs, above, 'stop', links) : 'missing';
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
    const isLink = (await fs.lstat(`${above.at}/${name}`))?.type === 'symlink';
    if (isLink && links === 'refuse') throw leadsOut(path);
    return new OpenFolder(await fs.open(`${above.at}/.`, 'directory'), above.path, above.rest, true);
  }
}

async function nameStep(fs: Fs, above: Folder, missing: Missing, links: Links): Promise<Folder | 'missing'> {
  const name = above.rest[0]!;
  const path = below(above.path, name);
  const stat = await fs.lstat(`${above.at}/${name}`);
  if (!stat) return (await make(fs, above, missing)) ? await nameStep(fs, above, 'stop', links) : 'missing';
  if (stat.type === 'symlink' && links === 'refuse') throw leadsOut(path);
  if (stat.type !== 'directory') return { ...above, blocked: true };
  const chain = [...(above as NamedFolder).chain, { at: `${above.at}/${name}`, stat }];
  return namedFolder(fs, `${above.at}/${name}`, path, above.rest.slice(1), chain);
}

/** Makes the first missing folder, if folders are to be made. Somebody else may be faster. */
async function make(fs: Fs, above: Folder, missing: Missing): Promise<boolean> {
  if (missing === 'stop') return false;
  try {
    await fs.mkdir(`${above.at}/${above.rest[0]!}`);
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
  return true;
}

/** The folders on the way, each as it looked when it was passed. */
interface NamedFolder extends Folder {
  chain: readonly { at: string; stat: Stat }[];
}

function namedFolder(
  fs: Fs,
  at: string,
  path: string,
  rest: readonly string[],
  chain: NamedFolder['chain'],
): NamedFolder {
  const assertSame = async (): Promise<void> => {
    for (const step of chain) {
      const now = await fs.lstat(step.at);
      if (now && (now.ino !== step.stat.ino || now.dev !== step.stat.dev)) throw leadsOut(path);
    }
  };
  return {
    ...{ path, at, rest, blocked: false, chain, seen: null },
    stat: () => lstatOf(fs, at),
    sync: () => syncFolder(fs, at),
    assertSame,
    close: async () => {},
  };
}
