/** Native git works in the same repository while an agent edits. */

import { spawn } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import type { Sandbox } from '../helpers/real-git.ts';
import { gitFaults, residue, startRepository, unreachable } from '../helpers/shared-repository.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { type Ack, startAgent } from './agents.ts';

/** A git command of round `n`. */
interface Command {
  args(n: number): string[];
  /** What a person does before it. */
  before?(repo: Sandbox, n: number): void;
  /** It makes a commit with this subject, which must stay reachable. */
  keeps?(n: number): string;
  /** What it may say of an object that it took itself, and that the journal still has: see docs/limits.md. */
  misses?: RegExp;
}

export const everyday: readonly Command[] = [
  {
    before: (repo, n) => appendFileSync(repo.path('native.txt'), `${n}\n`),
    args: n => ['commit', '-qm', `native ${n}`, '--', 'native.txt'],
    keeps: n => `native ${n}`,
  },
  { args: n => ['checkout', '-q', '-b', `side${n}`] },
  {
    args: n => ['commit', '-q', '--allow-empty', '-m', `aside ${n}`],
    keeps: n => `aside ${n}`,
  },
  { args: () => ['checkout', '-q', 'main'] },
  { args: n => ['update-ref', `refs/tags/mark${n}`, 'HEAD'] },
  { args: () => ['pack-refs', '--all'] },
  { args: () => ['gc', '-q'] },
];

/** Whatever is reachable only by what the engine knows would be gone; until the next checkpoint, git may miss it. */
export const pruning: readonly Command[] = [
  {
    args: () => ['gc', '-q', '--prune=now'],
    misses:
      /unable to read|could not read|does not point to a valid object|bad (tree )?object|missing (blob|tree|commit)/i,
  },
];

export interface NativeRun {
  ran: number;
  /** Commands that failed because something was locked, or missed an object that the journal has. */
  locked: number;
}

/** Until `edits` edits are done, with `pause` milliseconds between two; the commands run one after another. */
export async function raceNative(
  own: boolean,
  commands: readonly Command[],
  edits: number,
  pause: number,
  tally: Tally,
): Promise<NativeRun> {
  const repo = startRepository(own);
  const agent = startAgent(repo, { name: 'agent', count: edits, pause });
  const run: NativeRun = { ran: 0, locked: 0 };
  const broken: string[] = [];
  const kept: string[] = [];
  // What an agent made on a branch is gone from the work tree when git has left that branch.
  await agent.edited;
  let working = true;
  const end = agent.done.finally(() => {
    working = false;
  });
  for (let n = 0; working; n++) await oneRound(repo, commands, n, run, kept, broken);
  const { code, error } = await end;
  if (code !== 0) broken.push(`the agent failed: ${error}`);
  broken.push(...agent.refused.filter(text => !AMID_CHECKOUT.test(text)));
  note(tally, own ? 'on the branch' : 'beside the branch', [...broken, ...lostWork(repo, agent.acks, kept)]);
  tally.points += run.ran + agent.acks.length;
  tally.states++;
  tally.locked = (tally.locked ?? 0) + run.locked;
  rmSync(repo.dir, { recursive: true });
  return run;
}

/** A checkout deletes a file and makes it again; between the two there is none to edit. */
const AMID_CHECKOUT = /^FILE_NOT_FOUND /;

async function oneRound(
  repo: Sandbox,
  commands: readonly Command[],
  n: number,
  run: NativeRun,
  kept: string[],
  broken: string[],
): Promise<void> {
  for (const { args, before, keeps, misses } of commands) {
    before?.(repo, n);
    const { code, error } = await git(repo, args(n));
    run.ran++;
    if (code === 0 && keeps) kept.push(keeps(n));
    if (code === 0) continue;
    if (LOCKED.test(error) || misses?.test(error)) run.locked++;
    else broken.push(`git ${args(n).join(' ')} failed: ${error.trim()}`);
  }
}

/**
 * Also what comes of it: after a commit that found a lock, its file is in the way of a checkout. The engine starts git gc
 * itself, beside which another one is refused.
 */
const LOCKED = /\.lock|cannot lock|unable to lock|would be overwritten by checkout|gc is already running/i;

/** In the background: this process goes on reading what the agent says. */
function git(repo: Sandbox, args: string[]): Promise<{ code: number | null; error: string }> {
  return new Promise(resolve => {
    const child = spawn('git', args, { cwd: repo.dir, stdio: ['ignore', 'ignore', 'pipe'] });
    let error = '';
    child.stderr.on('data', chunk => {
      error += chunk;
    });
    child.on('close', code => resolve({ code, error }));
  });
}

/** Edits may be on several branches, and each branch may have a trail of its own. */
function lostWork(repo: Sandbox, acks: readonly Ack[], kept: readonly string[]): string[] {
  const subjects = new Set(repo.git('log', '--all', '--format=%s').split('\n'));
  return [
    ...kept.filter(subject => !subjects.has(subject)).map(subject => `the commit ${subject} is lost`),
    ...unreachable(repo, acks),
    ...gitFaults(repo),
    ...residue(repo),
  ];
}
