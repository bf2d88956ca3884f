/**
 * SIGINT and SIGTERM while git makes a commit are that git's: it gets them, and this command waits for it, so that there is
 * the commit or nothing, and the index fits it. Only the command line listens for signals; the library never does.
 */

import type { GitCall, GitResult, RunGit, RunningGit } from '../../../land/git/system-git.ts';
import { EXIT } from '../exit-codes.ts';

type Signal = 'SIGINT' | 'SIGTERM';

const SIGNAL_EXITS: Readonly<Record<Signal, number>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
};

/** Runs `work`, which answers an exit code, with a git that signals are handed on to. */
export async function handingOnSignals(git: RunGit, work: (git: RunGit) => Promise<number>): Promise<number> {
  let first: Signal | null = null;
  let committing: RunningGit | null = null;
  const handOn = (signal: Signal): void => {
    first ??= signal;
    committing?.kill(signal);
  };
  const run = async (call: GitCall): Promise<GitResult | null> => {
    // Before the first call of git nothing is begun, and a signal ends this process as it always does.
    for (const signal of SIGNALS) process.off(signal, handOn).on(signal, handOn);
    const { started } = call;
    // Only what commits says so; what looks, or takes commits back, is let to its end.
    if (!started) return git(call);
    if (first) return { code: -1, stdout: '', stderr: '', signal: first };
    try {
      return await git({ ...call, started: one => started((committing = one)) });
    } finally {
      committing = null;
    }
  };
  try {
    const code = await work(run);
    return first === null ? code : SIGNAL_EXITS[first as Signal];
  } finally {
    for (const signal of SIGNALS) process.off(signal, handOn);
  }
}

/** Runs `work` with a signal that is aborted when one of these ends the command; its reason is the name of that one. */
export async function untilSignal<T>(
  signals: readonly NodeJS.Signals[],
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const stop = onSignals(signals, signal => ended.abort(signal));
  return work(ended.signal).finally(stop);
}

/** Listens for signals until the answer is called. */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  listener: (signal: NodeJS.Signals) => void,
): () => void {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** By which a person, or a system, ends a command; and one that goes on until it is ended, with the terminal too. */
export const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM'];
export const ENDS: readonly NodeJS.Signals[] = [...SIGNALS, 'SIGHUP'];
