/** The ignore rules and attributes of a repository, read from the places where git keeps them. */

import { nameOf } from '../../bytes.ts';
import { reading } from '../../fs/failures.ts';
import { errno, type Fs, isMissing, lstatOf, orNull } from '../../fs/fs.ts';
import { isAbsolute, resolvePath } from '../paths.ts';
import type { Repository } from '../repository/repository.ts';
import { type Attributes, attributeRules } from './attributes.ts';
import { type IgnoreRules, ignoreRules } from './ignore.ts';

/**
 * Fresh rules, in git's order: `.gitignore` files, `info/exclude`, `core.excludesFile` of the repository's config,
 * then `excludesFiles` (absolute paths; those of the user, which the repository does not name). A path that begins
 * with `~` is not known here. Nothing is read before the first question; then STORE_FAILED may be thrown.
 */
export function ignoreRulesOf(repository: Repository, excludesFiles: readonly string[] = []): IgnoreRules {
  const { fs, commonDir, config } = repository;
  const rules = once(async () => {
    const files = [
      `${commonDir}/info/exclude`,
      ...configured(repository, 'core.excludesfile'),
      ...excludesFiles,
    ];
    const texts = await Promise.all(files.map(path => readText(fs, path)));
    const ignoreCase = config.bool('core.ignorecase', false);
    return ignoreRules({
      read: workTreeReader(repository),
      extra: texts.map(text => text ?? ''),
      ignoreCase,
    });
  });
  return { ignored: async (path, isDirectory) => await (await rules()).ignored(path, isDirectory) };
}

/**
 * Fresh attributes: `info/attributes`, `.gitattributes` files, `core.attributesFile` of the repository's config, then
 * `files` (absolute paths, the most important first; those of the user and the system). `planned` are texts that files
 * of the work tree are about to have, by path; `null` is no file. Otherwise as `ignoreRulesOf`.
 */
export function attributesOf(
  repository: Repository,
  files: readonly string[] = [],
  planned?: ReadonlyMap<string, string | null>,
): Attributes {
  const rules = once(async () => {
    const { fs, commonDir, config } = repository;
    const info = (await readText(fs, `${commonDir}/info/attributes`)) ?? '';
    const texts: string[] = [];
    for (const path of [...configured(repository, 'core.attributesfile'), ...files].reverse())
      texts.push((await readText(fs, path)) ?? '');
    const global = texts.join('\n');
    const present = workTreeReader(repository);
    const read: typeof present = planned
      ? async path => (planned.has(path) ? planned.get(path)! : present(path))
      : present;
    return attributeRules({ read, info, global, ignoreCase: config.bool('core.ignorecase', false) });
  });
  return {
    of: async path => await (await rules()).of(path),
    areNone: async folder => await (await rules()).areNone(folder),
  };
}

/** A relative path is taken from the work tree. */
function configured({ config, workDir }: Repository, key: string): string[] {
  const path = config.get(key);
  if (path === undefined || path === '' || path.startsWith('~')) return [];
  return isAbsolute(path) ? [path] : workDir === null ? [] : [resolvePath(workDir, path)];
}

async function readText(fs: Fs, path: string): Promise<string | null> {
  const bytes = await reading('a file of ignore rules or attributes', orNull(fs.readFile(path)));
  return bytes && textOf(bytes);
}

/** The text of a file of the work tree that declares something; `null` where there is none. Throws STORE_FAILED. */
export function readWorkFile(repository: Repository, path: string): Promise<string | null> {
  return workTreeReader(repository)(path);
}

/** Files in the work tree may be anything: a link is not followed, a pipe not waited for, a folder passed over. */
function workTreeReader({ fs, workDir }: Repository): (path: string) => Promise<string | null> {
  return async path => (workDir === null ? null : await reading(path, readRegular(fs, `${workDir}/${path}`)));
}

async function readRegular(fs: Fs, path: string): Promise<string | null> {
  try {
    if ((await lstatOf(fs, path)).type !== 'file') return null;
    return textOf(await fs.readFile(path));
  } catch (error) {
    if (isMissing(error) || errno(error) === 'ELOOP') return null;
    throw error;
  }
}

/** Patterns are bytes, as names are; a byte order mark is none of them. */
function textOf(bytes: Uint8Array): string {
  return nameOf(bytes).replace(/^\ufeff/, '');
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
