/** Running an action in a folder of the workspace, and closing the folder whatever comes of it. */

import { type Disk, type Folder, inTheWay, leadsOut } from './contract.ts';
import { descend } from './descend.ts';

/** Runs `use` in the folder at `path`, or answers `null` when there is none. */
export async function inFolder<T>(
  disk: Disk,
  path: string,
  use: (folder: Folder) => Promise<T>,
): Promise<T | null> {
  return inDeepest(disk, path, async folder => (folder.rest.length > 0 ? null : use(folder)));
}

/** Runs `use` in the folder at `path`, or in the deepest one on the way that is there. */
export async function inDeepest<T>(
  disk: Disk,
  path: string,
  use: (folder: Folder) => Promise<T>,
): Promise<T> {
  return useFolder(await descend(disk, componentsOf(path), 'stop'), use);
}

/**
 * Runs `use` in the folder at `path`, which is made if it is missing. Throws FILE_EXISTS when a file is in the way.
 */
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

/** The last line of defence: paths were checked before they get here. */
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
