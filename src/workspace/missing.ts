/** A file that is not there: the refusal says where to look, with a folder that is there. */

import { EditError } from '../errors.ts';
import type { Snapshot } from './snapshot.ts';

/** Where the look-up of a path ended. */
export interface Way {
  /** The nearest folder above the path that is there; '.' is the root. */
  folder: string;
  /** What to do next, in whole sentences. */
  advice: string;
}

/** `find` is what `Snapshot.file` is, of the files as they are, or in an old commit as they were. */
export async function wayTo(
  path: string,
  find: (path: string) => Promise<unknown>,
  when: 'now' | 'then' = 'now',
): Promise<Way> {
  let inTheWay: string | null = null;
  let folder = above(path);
  while (folder !== '') {
    const found = await kindOf(folder, find);
    if (found === 'folder') break;
    if (found === 'file') inTheWay = folder;
    folder = above(folder);
  }
  const where = folder === '' ? '.' : folder;
  const why = inTheWay === null ? '' : `${inTheWay} is a file, so nothing is below it. `;
  const orMake = inTheWay === null ? ', or use create to make it' : '';
  const look =
    when === 'now'
      ? `View ${where} to see which files there are${orMake}.`
      : `View ${where} with the same at to see which files there were.`;
  return { folder: where, advice: why + look };
}

/** The refusal of an edit that found no file, completed; any other error as it is. */
export async function withWay(snapshot: Snapshot, error: unknown): Promise<unknown> {
  if (!(error instanceof EditError) || error.code !== 'FILE_NOT_FOUND') return error;
  const { path, folder: supposed } = error.data;
  if (typeof path !== 'string' || supposed === undefined) return error;
  const real = await snapshot.resolve(path);
  const { folder, advice } = await wayTo(real, one => snapshot.file(one));
  const data = { ...error.data, folder };
  return new EditError(error.code, `${error.message} ${advice}`, data, { cause: error });
}

function above(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

async function kindOf(
  path: string,
  find: (path: string) => Promise<unknown>,
): Promise<'file' | 'folder' | 'nothing'> {
  try {
    return (await find(path)) === null ? 'nothing' : 'file';
  } catch (error) {
    return error instanceof EditError && error.code === 'IS_DIRECTORY' ? 'folder' : 'file';
  }
}
