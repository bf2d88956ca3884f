/**
 * Tells which paths git ignores (gitignore(5)): `.gitignore` of every folder on the way, then files for the whole
 * repository. Written here and not taken from a package because .gitattributes needs the same patterns, and because a
 * path that git ignores and a package does not would enter history.
 */

import { comparable, type PathPattern, parsePathPattern } from './path-pattern.ts';

export interface IgnoreOptions {
  /** The text of the file at a path of the work tree, or `null`. It must not follow a link: git does not. */
  read: (path: string) => Promise<string | null>;
  /** Texts of files for the whole work tree, the most important first: `info/exclude`, then `core.excludesFile`. */
  extra: readonly string[];
  /** `core.ignoreCase`. */
  ignoreCase?: boolean;
}

export interface IgnoreRules {
  /**
   * True when git would not add the path (relative to the work tree, with `/`). Whether git tracks it already is
   * not asked. Errors are those of `read`.
   */
  ignored(path: string, isDirectory: boolean): Promise<boolean>;
}

/** The rules of one work tree. Each .gitignore is read once; make new rules when the files may have changed. */
export function ignoreRules(options: IgnoreOptions): IgnoreRules {
  return new Rules(options);
}

class Rules implements IgnoreRules {
  readonly #options: IgnoreOptions;
  readonly #extra: PathPattern[][];
  readonly #perFolder = new Map<string, Promise<PathPattern[]>>();
  readonly #ignoredFolders = new Map<string, Promise<boolean>>();

  constructor(options: IgnoreOptions) {
    this.#options = options;
    this.#extra = options.extra.map(text => this.#parse(text));
  }

  /** True for an ignored path. What lies in an ignored folder is ignored, whatever the rules say of it. */
  async ignored(path: string, isDirectory: boolean): Promise<boolean> {
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (await this.#folderIgnored(path.slice(0, slash))) return true;
    }
    return await this.#decide(path, isDirectory);
  }

  #folderIgnored(folder: string): Promise<boolean> {
    return cached(this.#ignoredFolders, folder, () => this.#decide(folder, true));
  }

  /** The nearest file with a matching pattern decides, and in it the last such pattern. */
  async #decide(path: string, isDirectory: boolean): Promise<boolean> {
    for (let end = path.lastIndexOf('/'); ; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, Math.max(end, 0));
      const verdict = this.#last(await this.#patternsOf(folder), path.slice(end + 1), isDirectory);
      if (verdict !== null) return verdict;
      if (end < 0) break;
    }
    const verdicts = this.#extra.map(patterns => this.#last(patterns, path, isDirectory));
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

function cached<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  cache.set(key, value);
  value.catch(() => cache.delete(key));
  return value;
}

/** Without empty lines, comments, and blanks at the end that no backslash protects. */
function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  return lines.map(trimLine).filter(line => line !== '' && !line.startsWith('#'));
}

function trimLine(line: string): string {
  const body = line.replace(/\r$/, '');
  return /^(?:[^\\]|\\.|\\$)*?(?= *$)/s.exec(body)?.[0] ?? body;
}
