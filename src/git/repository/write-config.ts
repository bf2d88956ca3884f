/** Writes one value into a repository's config where there is no git to do it. */

import { fromLatin1, latin1 } from '../../bytes.ts';
import { EditError } from '../../errors.ts';
import { replaceFile, syncFolder } from '../../fs/durable.ts';
import { errno, orNull } from '../../fs/fs.ts';
import { parseConfig } from './config.ts';
import type { Repository } from './repository.ts';

/**
 * Sets `section.key`, and leaves every other line as it is. `value` must need no quotes. As git, under `config.lock`.
 * Throws LOCKED, CORRUPT for a config that cannot be read, STORE_FAILED.
 */
export async function setConfigValue(
  { fs, commonDir }: Repository,
  section: string,
  key: string,
  value: string,
): Promise<void> {
  const path = await fs.realpath(`${commonDir}/config`);
  const bytes = await orNull(fs.readFile(path));
  const text = bytes === null ? '' : latin1(bytes);
  const changed = withValue(text, section, key, value);
  if (parseConfig(changed).get(`${section}.${key}`) !== value)
    throw new EditError(
      'CORRUPT',
      `git's config cannot be changed: set ${section}.${key} = ${value} by hand`,
      { what: 'config' },
    );
  try {
    await replaceFile(fs, path, fromLatin1(changed), `${path}.lock`);
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
    throw new EditError('LOCKED', "Somebody else changes git's config (config.lock). Try again.");
  }
  await syncFolder(fs, commonDir);
}

/** Puts the line at the end; one that stood in a section of that name alone on its line goes. */
function withValue(text: string, section: string, key: string, value: string): string {
  const lines = text.split('\n');
  const kept: string[] = [];
  let inside = false;
  for (const line of lines) {
    if (/^\s*\[/.test(line)) inside = new RegExp(`^\\s*\\[${section}\\]\\s*$`, 'i').test(line);
    if (!(inside && new RegExp(`^\\s*${key}\\s*=\\s*[\\w-]*\\s*$`, 'i').test(line))) kept.push(line);
  }
  const before = kept.join('\n').replace(/\n*$/, '');
  return `${before}${before === '' ? '' : '\n'}[${section}]\n\t${key} = ${value}\n`;
}
