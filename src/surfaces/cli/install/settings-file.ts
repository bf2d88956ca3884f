/** A file of settings: read, and replaced in one step with its mode and the link that leads to it. */

import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EditError } from '../../../errors.ts';
import { decode } from '../input/text-source.ts';

export interface SettingsFile {
  /** Absolute. */
  path: string;
  /** The name of the file for its user. */
  name: string;
  /** Absolute: the folder that holds it, or nothing is written: the project; of settings of a user their home. */
  within: string;
  /** True where a link may lead out of that folder: a user's own settings may be kept elsewhere. */
  mayLeave: boolean;
}

/**
 * The text, `null` where there is no file. Throws STORE_FAILED, NOT_UTF8, and INVALID_INPUT for what is no regular file or is
 * reached through a link that leaves the project.
 */
export async function readSettings(file: SettingsFile): Promise<string | null> {
  try {
    const target = await targetOf(file);
    const found = await fs.stat(target).catch(ifMissing);
    if (!found) return null;
    if (!found.isFile()) throw refused(file, 'it is no regular file');
    return decode(await fs.readFile(target), file.name);
  } catch (error) {
    throw failed(file.name, 'read', error);
  }
}

export interface Replacement {
  before: string | null;
  /** `null` takes the file away, and the folders above it that are empty then. */
  after: string | null;
  /** The mode of a new file. */
  mode?: number | undefined;
}

/** Refuses what cannot be replaced before anything is. Throws INVALID_INPUT. */
export async function checkSettings(file: SettingsFile): Promise<void> {
  const found = await fs.stat(await targetOf(file)).catch(ifMissing);
  if (found && (found.mode & 0o222) === 0) throw refused(file, 'it may only be read: chmod u+w it first');
}

/** Replaces the text. Throws STORE_FAILED, and INVALID_INPUT where it is no longer `before`. */
export async function writeSettings(file: SettingsFile, { before, after, mode }: Replacement): Promise<void> {
  try {
    const target = await targetOf(file);
    if (after !== null) return await putInPlace(target, after, mode, () => checkSame(file, before));
    await checkSame(file, before);
    await fs.rm(target, { force: true });
    await removeEmpty(dirname(target), file.within);
  } catch (error) {
    throw failed(file.name, 'written', error);
  }
}

/** `check` is called right before the file is replaced. */
async function putInPlace(
  target: string,
  text: string,
  mode: number | undefined,
  check: () => Promise<void>,
): Promise<void> {
  await fs.mkdir(dirname(target), { recursive: true });
  const present = (await fs.stat(target).catch(ifMissing))?.mode;
  const beside = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    await fs.writeFile(beside, text, { flag: 'wx', mode });
    if (present !== undefined) await fs.chmod(beside, present & 0o7777);
    await check();
    await fs.rename(beside, target);
  } finally {
    await fs.rm(beside, { force: true });
  }
}

/** Throws INVALID_INPUT where a person, or the client, has written the file meanwhile. */
async function checkSame(file: SettingsFile, before: string | null): Promise<void> {
  if ((await readSettings(file)) === before) return;
  throw refused(file, 'it changed meanwhile, so start vedit install again');
}

/** Removes empty folders from here up to the one that holds the settings, which stays. */
async function removeEmpty(folder: string, within: string): Promise<void> {
  const top = await fs.realpath(within);
  let isEmpty = true;
  for (let at = folder; isEmpty && isInside(top, at) && at !== top; at = dirname(at))
    await fs.rmdir(at).catch(() => (isEmpty = false));
}

/** Where a link leads, one without a target too. Throws INVALID_INPUT where that is out of the project. */
async function targetOf(file: SettingsFile): Promise<string> {
  const target = await followed(file.path, 0);
  const top = await fs.realpath(file.within).catch(() => file.within);
  if (!file.mayLeave && !isInside(top, target)) throw refused(file, 'a link leads out of the project there');
  return target;
}

/** With all links on the way resolved, also where the file or its folders are missing. */
async function followed(path: string, depth: number): Promise<string> {
  if (depth > 100) return path;
  try {
    return await fs.realpath(path);
  } catch {
    const link = await fs.lstat(path).catch(() => null);
    const folder = await followed(dirname(path), depth + 1);
    if (!link?.isSymbolicLink()) return join(folder, basename(path));
    return followed(resolve(folder, await fs.readlink(path)), depth + 1);
  }
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path);
  return way === '' || (!way.startsWith('..') && !way.startsWith('/'));
}

function ifMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
  throw error;
}

function refused({ name }: SettingsFile, why: string): EditError {
  return new EditError('INVALID_INPUT', `${name} was left as it is: ${why}.`, { path: name });
}

function failed(name: string, what: string, error: unknown): EditError {
  if (error instanceof EditError) return error;
  const cause = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new EditError('STORE_FAILED', `${name} cannot be ${what} (${cause}).`, { path: name, cause });
}
