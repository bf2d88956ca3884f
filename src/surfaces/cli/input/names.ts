/**
 * Arguments that may be commits, ranges of commits, or paths, told apart as git does it; files with lines behind the name; and
 * paths, which are relative to the folder that the command runs in, as git's are.
 */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../../table/use.ts';
import type { Workspace } from '../../../workspace/open.ts';

export interface Names {
  /** Commits, and ranges of them. */
  revisions: string[];
  paths: string[];
}

/** Throws UsageError for what is both a file and a commit. */
export async function namesIn(
  args: readonly string[],
  { folder, workspace }: { folder: string; workspace: Workspace },
): Promise<Names> {
  const names: Names = { revisions: [], paths: [] };
  for (const one of args) {
    const isFile = existsSync(resolve(folder, one));
    const isCommit = (isRange(one) && !isFile) || (await isCommitName(workspace, one));
    if (isFile && isCommit)
      throw new UsageError(`${one} is both a file and a commit: give ./${one} for the file, or ..${one}`);
    names[isCommit ? 'revisions' : 'paths'].push(one);
  }
  return names;
}

/** True for a name that has `..` in it, and is no way up. */
function isRange(name: string): boolean {
  return name.includes('..') && !/(^|\/)\.\.(\/|$)/.test(name);
}

export function isCommitName(workspace: Workspace, name: string): Promise<boolean> {
  return workspace.findCommit(name).then(
    () => true,
    () => false,
  );
}

export interface FileRange {
  path: string;
  /** First and last line, from 1; -1 as last is the end. */
  range?: [number, number];
}

/** Parts `src/a.ts:10-40`, `src/a.ts:7` and `src/a.ts:30-`, unless a file has that very name. `lines` are those of an option beside it. Throws UsageError where both name some. */
export function parseFileRange(given: string, folder: string, lines?: string): FileRange {
  const parts = /^(.+):(\d+)(?:(-)(\d*))?$/.exec(given);
  const named = parts && !existsSync(resolve(folder, given));
  if (named && lines !== undefined)
    throw new UsageError(`the lines are given twice: as ${lines} and after the path`);
  if (!named) return { path: given, ...(lines === undefined ? {} : { range: parseLines(lines) }) };
  const [, path, first, dash, last] = parts;
  const end = last ? Number(last) : dash ? -1 : Number(first);
  return { path: path!, range: [Number(first), end] };
}

/** Lines as `git blame -L` names them: `10,40`, `10,+5`, `10,`, `,40`; also `10-40`, and `10,-1` to the end. */
function parseLines(text: string): [number, number] {
  const parts = /^(\d*)(?:[,-](-1|\+?\d*))?$/.exec(text);
  if (!parts || text === '' || text === ',')
    throw new UsageError(
      `lines must be such as 10,40 or 10,+5 or 10, (to the end), not ${JSON.stringify(text)}`,
    );
  const [, from, to] = parts;
  const first = Number(from || 1);
  if (to === undefined || to === '') return [first, -1];
  return [first, to.startsWith('+') ? first + Number(to) - 1 : Number(to)];
}

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
