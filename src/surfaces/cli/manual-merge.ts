/**
 * A merge that a person finishes in the files: git writes its conflict markers there, or runs the person's merge tool, by an
 * index of its own that holds both sides. What is under way is kept in git's folder until it is continued or aborted.
 */

import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EditError, isEditError } from '../../errors.ts';
import type { RunGit } from '../../land/git/system-git.ts';
import type { MergeConflict } from '../../sync/merge/conflict.ts';
import type { MergeOptions } from '../../sync/merge/merge.ts';
import type { Session } from '../../workspace/session.ts';
import { exitOf } from './terminal/message-editor.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface ManualMergeOptions {
  terminal: Terminal;
  git: RunGit;
  session: Session;
  root: string;
  gitDir: string;
}

interface HandFile {
  path: string;
  /** The newest commit about the file when the merge began. */
  last: string | null;
  /** The blob of the exact text with markers. */
  marked: string;
  /** True of one that got no markers: it has to change before the merge goes on. */
  asBegun?: boolean;
}

interface Begun {
  input: MergeOptions;
  files: HandFile[];
}

/** The ways to show a conflict, by git's names (git-checkout(1), `--conflict`). */
export const STYLES = ['merge', 'diff3', 'zdiff3'] as const;

/** Says that a merge is under way; `null`: none is. */
export async function mergeUnderWay(gitDir: string): Promise<string | null> {
  const begun = await readBegun(gitDir);
  if (!begun) return null;
  return `A merge of ${begun.input.peer} is under way in ${names(begun)}. Finish it with vedit merge --continue, or take it back with vedit merge --abort.`;
}

export class ManualMerge {
  readonly #place: ManualMergeOptions;
  readonly #folder: string;

  constructor(place: ManualMergeOptions) {
    this.#place = place;
    this.#folder = join(place.gitDir, FOLDER);
  }

  /** Returns what is under way. Throws NO_CHANGE where nothing is. */
  async #begun(): Promise<Begun> {
    const begun = await readBegun(this.#place.gitDir);
    if (begun) return begun;
    throw new EditError('NO_CHANGE', 'No merge is under way: begin one with vedit merge <peer>.', {});
  }

  /** Throws CONFLICT where a merge is under way. */
  async checkNone(): Promise<void> {
    const words = await mergeUnderWay(this.#place.gitDir);
    if (words === null) return;
    throw new EditError('CONFLICT', words, { in_progress: 'merge' });
  }

  /**
   * Writes both sides of each conflict into its file, with markers. Your own text there that is in no commit yet is recorded
   * first. Answers the files that got none: `whole`, since one side has no such file, and `unmarked`, since to git they are binary.
   */
  async begin(
    input: MergeOptions,
    conflicts: readonly MergeConflict[],
    style: string | undefined,
  ): Promise<{ whole: string[]; unmarked: string[] }> {
    await mkdir(this.#folder, { recursive: true });
    const paths = conflicts.map(({ path }) => path);
    await this.#place.session.record(paths, { outside: true }).catch(error => {
      if (!isEditError(error, 'NO_CHANGE')) throw error;
    });
    for (const [at, path] of paths.entries())
      await copyFile(join(this.#place.root, path), join(this.#folder, String(at))).catch(ifThere);
    const whole = await this.#stageBoth(conflicts);
    const both = paths.filter(path => !whole.includes(path));
    const how = style === undefined ? ['--merge'] : [`--conflict=${style}`];
    if (both.length > 0) await this.#git(['checkout', ...how, '--', ...both]);
    const files: HandFile[] = [];
    for (const path of paths) {
      const [last, marked] = [await this.#newest(path), await this.#exactBlob(path)];
      const asBegun = both.includes(path) && (await this.#markerIn(path)) === null;
      files.push({ path, last, marked, ...(asBegun && { asBegun }) });
    }
    await writeFile(join(this.#folder, 'begun.json'), JSON.stringify({ input, files } satisfies Begun));
    return { whole, unmarked: files.filter(one => one.asBegun).map(({ path }) => path) };
  }

  /** Runs git's mergetool on the files; true where it merged them all. */
  async runTool(tool: string | undefined): Promise<boolean> {
    const { root, terminal } = this.#place;
    const { files } = await this.#begun();
    const named = tool === undefined ? [] : [`--tool=${tool}`];
    const args = ['mergetool', '--no-prompt', ...named, '--', ...files.map(({ path }) => path)];
    const env = { ...terminal.env, GIT_INDEX_FILE: this.#index };
    const code = await exitOf('git', args, { cwd: root, env });
    return code === 0 && (await this.#git(['ls-files', '--unmerged'])) === '';
  }

  /** Throws CONFLICT where a file still has markers. */
  async resolved(): Promise<MergeOptions> {
    const { input, files } = await this.#begun();
    const open: string[] = [];
    const asBegun: string[] = [];
    for (const { path, marked, asBegun: isUnmarked } of files) {
      const line = await this.#markerIn(path);
      if (line !== null) open.push(`${path} line ${line}`);
      else if (isUnmarked && (await this.#exactBlob(path)) === marked) asBegun.push(path);
    }
    if (asBegun.length > 0) throw stillAsBegun(asBegun);
    if (open.length === 0) return { ...input, resolved: files.map(({ path }) => path) };
    const words = `Conflict markers are left: ${open.join(', ')}. Nothing was merged. Make of both sides what shall stand there, then vedit merge --continue.`;
    throw new EditError('CONFLICT', words, { in_progress: 'merge', paths: files.map(({ path }) => path) });
  }

  /** The line of the first conflict marker in a file, also of UTF-16; `null` for none. */
  async #markerIn(path: string): Promise<number | null> {
    const text = await readFile(join(this.#place.root, path), 'utf8').catch(ifThere);
    const lines = (text ?? '').replaceAll('\0', '').split('\n');
    const at = lines.findIndex(line => /^(<{7}|>{7}) /.test(line));
    return at < 0 ? null : at + 1;
  }

  /** Puts the files back as they were; answers what could not be, and what was kept of the person's text. */
  async abort(): Promise<string[]> {
    const { root } = this.#place;
    const told: string[] = [];
    for (const [at, { path, last, marked }] of (await this.#begun()).files.entries()) {
      if ((await this.#newest(path)) !== last) {
        told.push(`${path} was edited since the merge began, and stays as it is.`);
        continue;
      }
      const now = await this.#exactBlob(path);
      if (now !== marked && now !== '') told.push(`Your text of ${path} is kept: git cat-file -p ${now}`);
      const kept = join(this.#folder, String(at));
      const isThere = await copyFile(kept, join(root, path)).then(() => true, ifThere);
      if (isThere === null) await rm(join(root, path), { force: true });
    }
    await this.end();
    return told;
  }

  async end(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #index(): string {
    return join(this.#folder, 'index');
  }

  /** Puts both sides of each file into the index; answers the files of which one side is missing. */
  async #stageBoth(conflicts: readonly MergeConflict[]): Promise<string[]> {
    const entries: string[] = [];
    const whole: string[] = [];
    await this.#git(['read-tree', '--empty']);
    for (const { path, versions } of conflicts) {
      const ours = (await this.#git(['hash-object', '-w', '--', path]).catch(() => '')).trim() || null;
      const { base, theirs } = versions!;
      const isThere = base !== null && (await this.#git(['cat-file', '-e', base]).catch(() => null)) !== null;
      for (const [n, oid] of [isThere ? base : null, ours, theirs].entries())
        if (oid !== null) entries.push(`100644 ${oid} ${n + 1}\t${path}\0`);
      if (ours === null || theirs === null) whole.push(path);
    }
    await this.#git(['update-index', '-z', '--index-info'], entries.join(''));
    return whole;
  }

  /** The blob of the bytes as they are, which git keeps from then on; '' where there is no file. */
  async #exactBlob(path: string): Promise<string> {
    return (await this.#git(['hash-object', '-w', '--no-filters', '--', path]).catch(() => '')).trim();
  }

  async #newest(path: string): Promise<string | null> {
    const { data } = await this.#place.session.log({ path, limit: 1 });
    return data.entries[0]?.commit ?? null;
  }

  /** Throws GIT_REFUSED. */
  async #git(args: readonly string[], input = ''): Promise<string> {
    const env = { GIT_INDEX_FILE: this.#index };
    const result = await this.#place.git({ args, cwd: this.#place.root, env, input });
    if (result?.code === 0) return result.stdout;
    const { code: exit = null, stderr: output = '' } = result ?? {};
    const words = result ? `git ${args[0]} failed: ${output.trim()}` : 'There is no git here to merge with';
    const message = `${words}. Decide with --keep mine or --keep theirs.`;
    throw new EditError('GIT_REFUSED', message, { exit, output });
  }
}

function stillAsBegun(paths: readonly string[]): EditError {
  const words = `Git writes no markers into ${paths.join(', ')}, and nobody changed it since the merge began. Nothing was merged. Make of both sides what shall stand there; or vedit merge --abort, and decide with --keep mine or --keep theirs.`;
  return new EditError('CONFLICT', words, { in_progress: 'merge', paths: [...paths] });
}

async function readBegun(gitDir: string): Promise<Begun | null> {
  const text = await readFile(join(gitDir, FOLDER, 'begun.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Begun);
}

/** In git's folder of the work tree. */
const FOLDER = 'vedit-merge';

function names({ files }: Begun): string {
  return files.map(({ path }) => path).join(', ');
}

function ifThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
