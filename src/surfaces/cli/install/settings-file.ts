/** A file of settings: read, and replaced in one step with its mode and the link that leads to it. */

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EditError } from '../../../errors.ts';
import { decode } from '../input/text-source.ts';

export interface SettingsFile {
  /** Absolute. */
  path: string;
  /** As it is named to its user. */
  name: string;
}

/** The text, '' where there is no file. Throws STORE_FAILED, NOT_UTF8. */
export async function readSettings({ path, name }: SettingsFile): Promise<string> {
  try {
    return decode(await readFile(path), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw failed(name, 'read', error);
  }
}

/** Writes the text, folders made where they are missing; '' takes the file away. Throws STORE_FAILED. */
export async function writeSettings({ path, name }: SettingsFile, text: string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    if (text === '') return await rm(target, { force: true });
    await mkdir(dirname(target), { recursive: true });
    const mode = (await stat(target).catch(() => null))?.mode;
    const beside = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
    try {
      await writeFile(beside, text, { flag: 'wx', ...(mode === undefined ? {} : { mode: mode & 0o777 }) });
      await rename(beside, target);
    } finally {
      await rm(beside, { force: true });
    }
  } catch (error) {
    throw failed(name, 'written', error);
  }
}

function failed(name: string, what: string, error: unknown): EditError {
  if (error instanceof EditError) return error;
  const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new EditError('STORE_FAILED', `${name} cannot be ${what} (${cause}).`, { path: name, cause });
}
