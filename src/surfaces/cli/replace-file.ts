/** Writes a file that a command makes, in one step, and never over something else. */

import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { EditError } from '../../errors.ts';
import type { Call } from './command.ts';

/**
 * Writes `text` as UTF-8. A file that is there already is replaced only if it begins with `start`, so that a wrong
 * name destroys nothing; `null` replaces any. Throws FILE_EXISTS, SPECIAL_FILE, STORE_FAILED.
 */
export async function replaceFile(
  { folder }: Call,
  name: string,
  text: string,
  start: string | null,
): Promise<void> {
  const path = resolve(folder, name);
  const beside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await checkPresent(path, name, start);
    await writeFile(beside, text, { flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    if (error instanceof EditError) throw error;
    const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new EditError('STORE_FAILED', `${name} cannot be written (${cause}). Name another file.`, {
      cause,
    });
  }
}

/** Throws FILE_EXISTS, SPECIAL_FILE. A pipe or device must not be opened: that could wait for ever. */
async function checkPresent(path: string, name: string, start: string | null): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found && !found.isFile()) {
    const message = `${name} is no regular file. Name a file, or write to standard output with -.`;
    throw new EditError('SPECIAL_FILE', message, { path: name });
  }
  if (!found || start === null || (await beginsWith(path, start))) return;
  const message = `${name} is there and is no page of vedit. Name another file, or replace it with --force.`;
  throw new EditError('FILE_EXISTS', message, { path: name });
}

async function beginsWith(path: string, start: string): Promise<boolean> {
  const wanted = Buffer.from(start);
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(wanted.length), 0, wanted.length, 0);
    return buffer.equals(wanted);
  } finally {
    await file.close();
  }
}
