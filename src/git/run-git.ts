/**
 * The real git, where a caller allows it to be run. The engine needs it for nothing but what only git can do: a person's
 * hooks and signing when edits land on a branch, and packing with deltas. Unasked it starts `git gc --auto` alone.
 */

export interface GitCall {
  args: readonly string[];
  /** Absolute. */
  cwd: string;
  /** Standard input; default: none. */
  input?: string;
  /** Variables beside those of the caller's environment. */
  env?: Readonly<Record<string, string>>;
  /** The most characters that are kept of each stream; default: 262,144. */
  limit?: number;
  /** Told what it prints, on both of its streams, as it comes. */
  output?: (text: string) => void;
  /** To be told of the process as soon as it runs. */
  started?: (git: RunningGit) => void;
}

export interface RunningGit {
  pid: number;
  /** Hands a signal on to git. */
  kill(signal: 'SIGINT' | 'SIGTERM'): void;
}

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
  /** The signal that ended it before it could answer with a code. */
  signal?: string;
}

/** Starts git in the background; answers its exit code, and `null` where there is no git. This process may end before. */
export type StartGit = (args: readonly string[], cwd: string) => Promise<number | null>;

/** Runs git to its end; `null` when there is no git to run, or no folder to run it in. */
export type RunGit = (call: GitCall) => Promise<GitResult | null>;

/** Runs any program as RunGit does git; `null` when there is no such program. */
export type RunProgram = (program: string, call: GitCall) => Promise<GitResult | null>;

/** Starts no hook and no `core.fsmonitor` of the repository. */
export const NO_PROGRAMS: readonly string[] = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
];

/** Wraps git for all that is no commit, fetch or push of a person: it starts no hook and no `core.fsmonitor` of the repository. */
export function quietGit(git: RunGit): RunGit {
  return call => git({ ...call, args: [...NO_PROGRAMS, ...call.args] });
}
