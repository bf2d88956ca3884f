/**
 * SIGINT and SIGTERM while git makes a commit are that git's: it gets them, and this command waits for it, so that there is
 * the commit or nothing, and the index fits it. Only the command line listens for signals; the library never does.
 */

import type { GitCall, GitResult, RunGit, RunningGit } from '../../../workspace/land/git/system-git.ts';
import { EXIT } from '../exit-codes.ts';

type Signal = 'SIGINT' | 'SIGTERM';

export const SIGNAL_EXITS: Readonly<Record<Signal, number>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
};

/** Runs `work`, which answers an exit code, with a git that signals are handed on to. */
export async function handingOnSignals(git: RunGit, work: (git: RunGit) => Promise<number>): Promise<number> {
  const handing = new HandingOn(git);
  try {
    const code = await work(call => handing.run(call));
    return handing.signal ? SIGNAL_EXITS[handing.signal] : code;
  } finally {
    handing.stop();
  }
}

/** Runs `work` with a signal that is aborted when one of these ends the command; its reason is the name of that one. */
export async function untilSignal<T>(
  signals: readonly NodeJS.Signals[],
  work: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const end = (signal: NodeJS.Signals): void => ended.abort(signal);
  for (const signal of signals) process.on(signal, end);
  try {
    return await work(ended.signal);
  } finally {
    for (const signal of signals) process.off(signal, end);
  }
}

class HandingOn {
  /** The first that came. */
  signal: Signal | null = null;
  readonly #git: RunGit;
  /** The git that commits. */
  #running: RunningGit | null = null;
  #listens = false;

  constructor(git: RunGit) {
    this.#git = git;
  }

  /** Before the first call of git nothing is begun, and a signal ends this process as it always does. */
  async run(call: GitCall): Promise<GitResult | null> {
    this.#listen();
    const { started } = call;
    // Only what commits says so; what looks, or takes commits back, is let to its end.
    if (!started) return this.#git(call);
    if (this.signal) return { code: -1, stdout: '', stderr: '', signal: this.signal };
    try {
      return await this.#git({ ...call, started: git => started(this.#began(git)) });
    } finally {
      this.#running = null;
    }
  }

  #began(git: RunningGit): RunningGit {
    this.#running = git;
    return git;
  }

  #listen(): void {
    if (this.#listens) return;
    this.#listens = true;
    for (const signal of SIGNALS) process.on(signal, this.#handOn);
  }

  readonly #handOn = (signal: Signal): void => {
    this.signal ??= signal;
    this.#running?.kill(signal);
  };

  stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handOn);
  }
}

/** By which a person, or a system, ends a command. */
export const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM'];
