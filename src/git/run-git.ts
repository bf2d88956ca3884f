/**
 * The real git, where a caller allows it to be run. The engine needs it for nothing but what only git can do: a person's
 * hooks and signing when edits land on a branch, and packing with deltas. It never runs git unasked.
 */

/** One run of git. */
export interface GitCall {
  args: readonly string[];
  /** Absolute. */
  cwd: string;
  /** Standard input; default: none. */
  input?: string;
  /** Variables beside those of the caller's environment. */
  env?: Readonly<Record<string, string>>;
}

export interface GitResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs git to its end; `null` when there is no git to run, or no folder to run it in. */
export type RunGit = (call: GitCall) => Promise<GitResult | null>;
