/**
 * The search of `vedit bisect`, in a temporary work tree, so that files, index, HEAD and a bisection of the user's stay as they
 * are. The user's command is run in it for each commit that halves what is left. The halving is no `git bisect`: that one
 * runs a `reference-transaction` hook of the repository, whatever core.hooksPath says.
 */

import { spawn } from 'node:child_process';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditError } from '../../errors.ts';
import type { RunGit } from '../../land/git/system-git.ts';
import { shortId } from '../../wording.ts';

export interface Tested {
  commit: string;
  /** `skip`: the command could not tell, and exited with 125. */
  result: 'good' | 'bad' | 'skip';
}

export interface Bisection {
  /** The first bad commit; `null` where only commits that were skipped are left. */
  commit: string | null;
  /** Those among which it is: several where it is `null`. */
  candidates: string[];
  /** In the order in which they were tested, the two ends first. */
  tested: Tested[];
}

export interface Search {
  git: RunGit;
  /** The work tree of the repository, or the repository itself if it is bare. */
  root: string;
  /** The folder in it where the command runs, '' for the top. */
  below: string;
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Full ids. */
  good: string;
  bad: string;
  signal: AbortSignal;
  /** Prints what the command prints. */
  passOn(text: string): Promise<void>;
  onTest(tested: Tested): Promise<void>;
  /** Told before each test between the ends how many commits it may be. */
  onSearch(left: number): Promise<void>;
}

/** Throws INVALID_INPUT where an end is not what it is said to be; STORE_FAILED where git fails; what `signal` says. */
export async function bisect(search: Search): Promise<Bisection> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'vedit-bisect-')));
  const tree = join(folder, 'tree');
  const inRepository = (...args: string[]): Promise<string> => runGit(search, search.root, args);
  try {
    await inRepository('worktree', 'add', '-q', '--detach', tree, search.bad);
    return await searchIn(search, tree);
  } finally {
    await inRepository('worktree', 'remove', '--force', tree).catch(() => {});
    await rm(folder, { recursive: true, force: true });
    await inRepository('worktree', 'prune').catch(() => {});
  }
}

async function searchIn(search: Search, tree: string): Promise<Bisection> {
  const git = (...args: string[]): Promise<string> => runGit(search, tree, args);
  const tested: Tested[] = [];
  const test = async (commit: string): Promise<Tested['result']> => {
    // A command may leave changed files behind, which must not keep git from the next commit.
    await git('reset', '-q', '--hard');
    await git('checkout', '-q', '--detach', commit);
    const result = await resultAt(search, tree, commit);
    tested.push({ commit, result });
    await search.onTest({ commit, result });
    return result;
  };
  await checkEnd('bad', search.bad, await test(search.bad));
  await checkEnd('good', search.good, await test(search.good));
  const { good, bad } = search;
  const listed = await git('rev-list', '--first-parent', '--reverse', bad, `^${good}`);
  const commits = listed.split('\n').filter(Boolean);
  if (commits.length === 0) throw notBetween(good, bad);
  const found = await halved(commits, async (commit, left) => {
    await search.onSearch(left);
    return test(commit);
  });
  return { ...found, tested };
}

function notBetween(good: string, bad: string): EditError {
  const message = `${shortId(bad)} is no later commit than ${shortId(good)}, so nothing is between them. Give --good an older commit than --bad.`;
  return new EditError('INVALID_INPUT', message, { field: 'good' });
}

/** Searches these commits, oldest first, of which the last one is bad. */
async function halved(
  commits: readonly string[],
  test: (commit: string, left: number) => Promise<Tested['result']>,
): Promise<Pick<Bisection, 'commit' | 'candidates'>> {
  let left = commits;
  const skipped = new Set<string>();
  for (;;) {
    const middle = Math.floor(left.length / 2) - 1;
    const open = [...left.keys()].slice(0, -1).filter(at => !skipped.has(left[at]!));
    const at = open.find(one => one >= middle) ?? open.at(-1);
    if (at === undefined) return { commit: left.length === 1 ? left[0]! : null, candidates: [...left] };
    const result = await test(left[at]!, left.length);
    if (result === 'skip') skipped.add(left[at]!);
    else left = result === 'good' ? left.slice(at + 1) : left.slice(0, at + 1);
  }
}

/** As git-bisect-run(1) reads an exit code: 0 is good, 125 cannot tell, 1 to 127 is bad, anything else ends the search. */
async function resultAt(search: Search, tree: string, commit: string): Promise<Tested['result']> {
  const code = await runCommand(search, tree, commit);
  if (code === 0) return 'good';
  if (code === 125) return 'skip';
  if (code !== null && code <= 127) return 'bad';
  const how = code === null ? 'was killed' : `exited with ${code}`;
  throw new EditError(
    'INVALID_INPUT',
    `The command ${how} at ${shortId(commit)}, which says neither good (0), bad (1 to 127) nor cannot tell (125). Nothing was changed.`,
    { commit, exit: code },
  );
}

async function runCommand(search: Search, tree: string, commit: string): Promise<number | null> {
  search.signal.throwIfAborted();
  const [program, ...args] = search.command;
  const below = join(tree, search.below);
  const isThere = await stat(below).then(
    one => one.isDirectory(),
    () => false,
  );
  const env = { ...search.env, VEDIT_ROOT: search.root, VEDIT_COMMIT: commit };
  const child = spawn(program!, args, {
    cwd: isThere ? below : tree,
    env: withoutGit(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: search.signal,
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void search.passOn(text));
  return new Promise((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' || error.code === 'EACCES' ? noProgram(program!) : error),
    );
    child.once('close', code => (search.signal.aborted ? reject(search.signal.reason) : resolve(code)));
  });
}

/** Variables that would lead a git of the command's back to the user's repository and index. */
function withoutGit(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const elsewhere = /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|COMMON_DIR|NAMESPACE|OBJECT_DIRECTORY)$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !elsewhere.test(name)));
}

/** Tries what the user says of the two ends too: else a test that never passes would blame an edit. */
async function checkEnd(expected: 'good' | 'bad', commit: string, result: Tested['result']): Promise<void> {
  if (result === expected) return;
  const id = shortId(commit);
  const words = {
    good: `The command fails already at ${id}, from where the search would begin: no edit since then is what breaks it. Files that git does not have, such as node_modules, are not in the temporary work tree: let the command link them from "$VEDIT_ROOT". Or give an older commit with --good.`,
    bad: `The command succeeds at ${id}, the newest commit of the search: there is no bad edit to find. Check the command, or give another commit with --bad.`,
  };
  const message =
    result === 'skip'
      ? `The command cannot tell (125) at ${id}, an end of the search: give another one.`
      : words[expected];
  throw new EditError('INVALID_INPUT', message, { commit, result });
}

function noProgram(program: string): EditError {
  const message = `There is no program ${JSON.stringify(program)} to run. A line for the shell goes after sh -c.`;
  return new EditError('INVALID_INPUT', message, { field: 'command' });
}

/** Returns what git answers. Throws STORE_FAILED where it fails, or there is none. */
async function runGit({ git }: Search, cwd: string, args: readonly string[]): Promise<string> {
  const env = { LC_ALL: 'C' }; // its answers are read
  const { quietGit } = await import('../../land/git/system-git.ts');
  const result = await quietGit(git)({ args, cwd, env, limit: Number.POSITIVE_INFINITY });
  if (!result)
    throw new EditError(
      'STORE_FAILED',
      'There is no git to run, and bisect needs it for its work tree. Install git.',
    );
  const { code, stdout, stderr } = result;
  if (code === 0) return stdout;
  throw new EditError('STORE_FAILED', `git could not go on: ${(stderr || stdout).trim().slice(0, 2_000)}`);
}
