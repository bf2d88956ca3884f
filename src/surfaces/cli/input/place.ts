/** Where in the work tree the command runs: paths on the command line are relative to that folder, as git's are. */

import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, sep } from 'node:path';

export class WorkingFolder {
  readonly #top: string;
  /** From the work tree's top to the folder, with `/` at its end, or ''. */
  readonly #prefix: string;

  /** Both absolute, links resolved; the folder is `top` or below it. */
  constructor(top: string, folder: string) {
    this.#top = top;
    this.#prefix = top === folder ? '' : `${below(top, folder)}/`;
  }

  /**
   * A path as the engine wants it: from the top, without `.` and `..`. One that leads out of the work tree stays
   * recognisable as such, and the engine refuses it.
   */
  path(given: string): string {
    if (given === '') return given;
    if (isAbsolute(given)) return below(this.#top, given) ?? below(this.#top, realFolder(given)) ?? given;
    return posix.normalize(this.#prefix + given.split(sep).join('/'));
  }

  /** The path of a folder or file to read, from the top of the repository: `undefined` for the top itself. */
  scope(given: string | undefined): string | undefined {
    if (given === undefined) return undefined;
    const path = this.path(given).replace(/(?<=.)\/$/, '');
    return path === '.' || path === '' ? undefined : path;
  }

  /** The paths of folders and files to read; `undefined` where none is given, or the top is among them. */
  scopes(given: readonly string[]): string[] | undefined {
    const paths = given.flatMap(one => this.scope(one) ?? []);
    return paths.length === 0 || paths.length < given.length ? undefined : paths;
  }
}

/** The way from one to the other, '' when they are the same, `null` when it leads up. */
function below(top: string, path: string): string | null {
  const way = relative(top, path).split(sep).join('/');
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? null : way;
}

/** The folder of a path may be spelled by way of links, such as /tmp where that is /private/tmp. */
function realFolder(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}
