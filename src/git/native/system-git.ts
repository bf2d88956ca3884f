/** The git of this machine as a function that runs it. */

import { type ChildProcessByStdio, type StdioOptions, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { GitCall, GitResult, RunGit, RunProgram } from '../run-git.ts';

/**
 * `env` is the environment to run in. What of it would point git to another repository or index is left out; who the
 * user is, and where their config and keys are, stays.
 */
export function systemGit(env: Readonly<Record<string, string | undefined>>): RunGit {
  const runProgram = systemProgram(env);
  return call => runProgram('git', call);
}

/** Makes a function that runs any program, as `systemGit` runs git. */
export function systemProgram(env: Readonly<Record<string, string | undefined>>): RunProgram {
  const kept = Object.entries(env).filter(([name]) => !ELSEWHERE.has(name.toUpperCase()));
  const base = { ...Object.fromEntries(kept), GIT_EDITOR: ':' };
  return (program, call) => run(program, call, { ...base, ...call.env });
}

/** As `git rev-parse --local-env-vars` lists them, but for config given on a command line. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

type Git = ChildProcessByStdio<Writable, Readable, Readable>;

/** Runs a program without a shell, so that no argument can be more than an argument. */
function run(
  program: string,
  { args, cwd, input, limit = OUTPUT_LIMIT, started, output }: GitCall,
  env: Record<string, string | undefined>,
): Promise<GitResult | null> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe'];
    const child = spawn(program, [...args], { cwd, env, stdio, windowsHide: true }) as Git;
    const { pid } = child;
    if (pid !== undefined) started?.({ pid, kill: signal => void child.kill(signal) });
    const [stdout, stderr] = [collected(child.stdout, limit, output), collected(child.stderr, limit, output)];
    child.once('error', error =>
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? resolve(null) : reject(error),
    );
    child.once('exit', () => closeStreams(child));
    child.once('close', (code, signal) =>
      resolve({ code: code ?? -1, stdout: stdout(), stderr: stderr(), ...(signal ? { signal } : {}) }),
    );
    // A git that does not read its input to the end says in its exit code what it thinks of it.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });
}

/** Milliseconds in which the last words of a git that has ended are read. */
const LAST_WORDS = 500;

/** Closes the streams of a git that has ended, `LAST_WORDS` later: a hook left running may keep them open for ever. */
function closeStreams(child: Git): void {
  const timer = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, LAST_WORDS);
  child.once('close', () => clearTimeout(timer));
}

/** Characters of one stream that are kept: a hook may say a lot. */
const OUTPUT_LIMIT = 256 * 1024;

/** Collects the beginning of what the stream gives; all of it goes to `output`. */
function collected(stream: Readable, limit: number, output: GitCall['output']): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    output?.(chunk);
    if (text.length < limit) text += chunk.slice(0, limit - text.length);
  });
  return () => text;
}
