/** The ignore rules and attributes of a repository, read from the places where git keeps them. */

import { nameOf } from '../../bytes.ts';
import { readFailed } from '../../fs/failures.ts';
import { errno, type Fs, isMissing, orNull } from '../../fs/fs.ts';
import { isAbsolute, resolvePath } from '../paths.ts';
import type { Repository } from '../repository/repository.ts';
import { Attributes } from './attributes.ts';
import { cached, comparable, type PathPattern, parsePathPattern } from './path-pattern.ts';

/**
 * Fresh rules, in git's order: `.gitignore` files, `info/exclude`, `core.excludesFile` of the repository's config,
 * then `excludesFiles` (absolute paths; those of the user, which the repository does not name). A path that begins
 * with `~` is not known here. Nothing is read before the first question; then STORE_FAILED may be thrown.
 */
export function ignoreRulesOf(repository: Repository, excludesFiles: readonly string[] = []): IgnoreRules {
  const { fs, commonDir, config } = repository;
  const own = [`${commonDir}/info/exclude`, ...configured(repository, 'core.excludesfile')];
  const files = [...own, ...excludesFiles];
  return new IgnoreRules({
    read: path => readWorkFile(repository, path),
    extra: async () => Promise.all(files.map(async path => (await readText(fs, path)) ?? '')),
    ignoreCase: config.bool('core.ignorecase', false),
  });
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
  const { fs, commonDir, config } = repository;
  return new Attributes({
    read: path => (planned?.has(path) ? Promise.resolve(planned.get(path)!) : readWorkFile(repository, path)),
    ends: async () => {
      const info = (await readText(fs, `${commonDir}/info/attributes`)) ?? '';
      const texts: string[] = [];
      for (const path of [...configured(repository, 'core.attributesfile'), ...files].reverse())
        texts.push((await readText(fs, path)) ?? '');
      return { info, global: texts.join('\n') };
    },
    ignoreCase: config.bool('core.ignorecase', false),
  });
}

/** Finds the file that a key of the config names; a relative path is taken from the work tree. */
function configured({ config, workDir }: Repository, key: string): string[] {
  const path = config.get(key);
  if (path === undefined || path === '' || path.startsWith('~')) return [];
  return isAbsolute(path) ? [path] : workDir === null ? [] : [resolvePath(workDir, path)];
}

async function readText(fs: Fs, path: string): Promise<string | null> {
  try {
    // As a rule there is none, and a look costs a tenth of an error.
    const bytes = (await fs.lstat(path)) && (await orNull(fs.readFile(path)));
    return bytes && textOf(bytes);
  } catch (error) {
    // As git: a folder in its place says nothing.
    if (errno(error) === 'EISDIR') return null;
    throw readFailed(error, 'a file of ignore rules or attributes');
  }
}

/**
 * The text of a file of the work tree that declares something; `null` where there is none. Files there may be anything: a link
 * is not followed, a pipe not waited for, a folder passed over. Throws STORE_FAILED.
 */
export async function readWorkFile({ fs, workDir }: Repository, path: string): Promise<string | null> {
  if (workDir === null) return null;
  try {
    const stat = await fs.lstat(`${workDir}/${path}`);
    return stat?.type === 'file' ? textOf(await fs.readFile(`${workDir}/${path}`)) : null;
  } catch (error) {
    if (isMissing(error) || errno(error) === 'ELOOP') return null;
    throw readFailed(error, path);
  }
}

/** Decodes a file of patterns: they are bytes, as names are; a byte order mark is none of them. */
function textOf(bytes: Uint8Array): string {
  return nameOf(bytes).replace(/^\ufeff/, '');
}

interface IgnoreOptions {
  /** The text of the file at a path of the work tree, or `null`. It must not follow a link: git does not. */
  read: (path: string) => Promise<string | null>;
  /** Texts of files for the whole work tree, the most important first: `info/exclude`, then `core.excludesFile`. */
  extra: () => Promise<readonly string[]>;
  /** `core.ignoreCase`. */
  ignoreCase?: boolean;
}

/** The rules of one work tree. Each .gitignore is read once; make new rules when the files may have changed. */
export class IgnoreRules {
  readonly #options: IgnoreOptions;
  #extra: Promise<PathPattern[][]> | null = null;
  readonly #perFolder = new Map<string, Promise<PathPattern[]>>();
  readonly #ignoredFolders = new Map<string, Promise<boolean>>();

  constructor(options: IgnoreOptions) {
    this.#options = options;
  }

  /**
   * True when git would not add the path (relative to the work tree, with `/`). What lies in an ignored folder is ignored,
   * whatever the rules say of it; whether git tracks it already is not asked. Errors are those of `read`.
   */
  async ignored(path: string, isDirectory: boolean): Promise<boolean> {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (await this.#folderIgnored(path.slice(0, slash))) return true;
    }
    return await this.#decide(path, isDirectory);
  }

  #folderIgnored(folder: string): Promise<boolean> {
    return cached(this.#ignoredFolders, folder, () => this.#decide(folder, true));
  }

  /** Decides on a path: by the nearest file with a matching pattern, and in it by the last such pattern. */
  async #decide(path: string, isDirectory: boolean): Promise<boolean> {
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, Math.max(end, 0));
      const verdict = this.#last(await this.#patternsOf(folder), path.slice(end + 1), isDirectory);
      if (verdict !== null) return verdict;
      if (end < 0) break;
    }
    this.#extra ??= this.#options.extra().then(texts => texts.map(text => this.#parse(text)));
    const verdicts = (await this.#extra).map(patterns => this.#last(patterns, path, isDirectory));
    return verdicts.find(verdict => verdict !== null) ?? false;
  }

  #patternsOf(folder: string): Promise<PathPattern[]> {
    return cached(this.#perFolder, folder, async () => {
      const text = await this.#options.read(folder === '' ? '.gitignore' : `${folder}/.gitignore`);
      return text === null ? [] : this.#parse(text);
    });
  }

  #parse(text: string): PathPattern[] {
    return linesOf(text).map(line => parsePathPattern(this.#fold(line)));
  }

  #last(patterns: readonly PathPattern[], path: string, isDirectory: boolean): boolean | null {
    const bytes = this.#fold(path);
    const decides = ({ directoryOnly, matches }: PathPattern) =>
      (isDirectory || !directoryOnly) && matches(bytes);
    const pattern = patterns.findLast(decides);
    return pattern === undefined ? null : !pattern.negated;
  }

  #fold(text: string): string {
    return comparable(text, this.#options.ignoreCase ?? false);
  }
}

/** Splits a file into lines, without empty ones, comments, and blanks at the end that no backslash protects. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.map(trimLine).filter(line => line !== '' && !line.startsWith('#'));
}

function trimLine(line: string): string {
  const body = line.replace(/\r$/, '');
  return /^(?:[^\\]|\\.|\\$)*?(?= *$)/s.exec(body)?.[0] ?? body;
}
