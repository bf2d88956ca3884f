/**
 * Accepting, rejecting and taking either back, with a process that dies at any call: each is done or not done, the files and
 * the accepted text are of one piece, and the agent hears of a rejection exactly where it was made.
 */

import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import type { Fs } from '../../src/fs/fs.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import { type Fault, type FaultFs, faultFs, record } from '../helpers/fault-fs.ts';
import { ADA } from '../helpers/landing.ts';
import { ownRepo, type Place, personRepo } from '../helpers/person-repo.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { brokenIn, describe, faultsOf } from './crash-points.ts';
import { processOfBoot } from './fault-harness.ts';
import { remembering, scratchFolder, writeImage } from './image.ts';
import { cutsOf, keyOf } from './power-cuts.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const EDITED = LINES.replace('one', 'one and only').replace('seven', 'seven and more');
const REJECTED = EDITED.replace('one and only', 'one');
const FIRST = { path: 'a.txt', lines: { start_line: 1, end_line: 1 } };

export interface ReviewAction {
  name: string;
  /** What was done before, without faults. */
  before?(workspace: Workspace): Promise<unknown>;
  run(workspace: Workspace): Promise<unknown>;
  /** The file before and after. */
  texts: readonly [old: string, now: string];
  /** How many hunks are left to review before and after. */
  open: readonly [old: number, now: number];
  /** Whether the agent is told before and after. */
  told: readonly [old: boolean, now: boolean];
}

const accepting = (workspace: Workspace): Promise<unknown> => workspace.accept(FIRST);
const rejecting = (workspace: Workspace): Promise<unknown> =>
  workspace.reject({ ...FIRST, reason: 'not the only one' });

export const REVIEW_ACTIONS: readonly ReviewAction[] = [
  { name: 'accept', run: accepting, texts: [EDITED, EDITED], open: [2, 1], told: [false, false] },
  { name: 'reject', run: rejecting, texts: [EDITED, REJECTED], open: [2, 1], told: [false, true] },
  {
    name: 'taking back of an accept',
    before: accepting,
    run: workspace => workspace.unreview(),
    texts: [EDITED, EDITED],
    open: [1, 2],
    told: [false, false],
  },
  {
    name: 'taking back of a rejection',
    before: rejecting,
    run: workspace => workspace.unreview(),
    texts: [REJECTED, EDITED],
    open: [1, 2],
    told: [true, false],
  },
];

export const HOMES: ReadonlyArray<readonly [string, (files: Record<string, string>) => Place]> = [
  ['beside', personRepo],
  ['branch', ownRepo],
];

async function prepared(
  make: (files: Record<string, string>) => Place,
  action: ReviewAction,
): Promise<Place> {
  const repo = make({ 'a.txt': LINES, 'b.txt': 'b\n' });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  const edit = { path: 'a.txt', file_text: EDITED, overwrite: true, base: '@' };
  await session.edit('create', edit);
  await action.before?.(workspace);
  await repo.close();
  return repo;
}

interface State {
  repo: Sandbox;
  fs: FaultFs;
  isDone: boolean;
  error: unknown;
  /** Where it is recorded: how many changes were made when the call was answered. */
  answeredAfter: number;
}

/** On which files of an image look as they did. */
const disk = (): Fs => remembering(nodeFs());

function opened(fs: Fs, root: string, boot = 'first'): Promise<Workspace> {
  const platform = { fs, codec: nativeCodec, processes: processOfBoot(boot) };
  return openOn(platform, { root, user: ADA, patience: { engine: 200, git: 100 } });
}

async function run(template: Sandbox, action: ReviewAction, ...faults: Fault[]): Promise<State> {
  return runIn(scratchFolder(), template, action, ...faults);
}

async function runIn(
  dir: string,
  template: Sandbox,
  action: ReviewAction,
  ...faults: Fault[]
): Promise<State> {
  const filter = (path: string): boolean => !path.endsWith('/vedit/live');
  cpSync(template.dir, dir, { recursive: true, preserveTimestamps: true, filter });
  const fs = faultFs(disk(), ...faults);
  const state: State = { repo: at(dir), fs, isDone: false, error: null, answeredAfter: 0 };
  let workspace: Workspace | null = null;
  try {
    workspace = await opened(fs, dir);
    await action.run(workspace);
    state.isDone = true;
    state.answeredAfter = fs.log?.entries.length ?? 0;
  } catch (error) {
    state.error = error;
  }
  // A process that was refused something lives on, and ends in order.
  if (faults.length > 0 && !fs.crashed) await workspace?.close().catch(() => {});
  return state;
}

/** The next process finds one of two states, and it is the new one where the call was answered. */
async function check({ repo, isDone, error, fs }: State, action: ReviewAction): Promise<void> {
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const workspace = await opened(disk(), repo.dir);
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('create', { path: 'next.txt', file_text: 'next\n', edit_id: 'next' });
  const open = (await workspace.review({ path: 'a.txt' })).data.hunks.length;
  const now = open === action.open[1];
  expect([open, readFileSync(repo.path('a.txt'), 'utf8')]).toEqual([
    action.open[now ? 1 : 0],
    action.texts[now ? 1 : 0],
  ]);
  if (isDone) expect(now).toBe(true);
  if (error && !fs.crashed) expect(now).toBe(false);
  await workspace.close();
  await checkHeard(repo, action.told[now ? 1 : 0]);
  const after = await opened(disk(), repo.dir);
  expect((await after.verify()).data).toMatchObject({ faults: [], changed: [] });
  // What was not done can be done now.
  if (!now) {
    await action.run(after);
    expect((await after.review({ path: 'a.txt' })).data.hunks).toHaveLength(action.open[1]);
  }
  await after.gc();
  await after.close();
  expect(leftovers(`${repo.dir}/.git`)).toEqual([]);
}

/** A session that has heard nothing yet is told where there is a rejection. */
async function checkHeard(repo: Sandbox, isTold: boolean): Promise<void> {
  const workspace = await opened(disk(), repo.dir);
  const other = workspace.session({ id: 's2', agent: 'writer' });
  const { message } = await other.view({ path: 'a.txt' });
  expect(message.includes('Note: Ada rejected')).toBe(isTold);
  await workspace.close();
}

/**
 * Every `stride`-th state that a power cut can leave, from `from` on: what was not synced is missing, empty or half there. A
 * new boot finds the call done or not done, and done where it was answered.
 */
export async function tryReviewCuts(
  make: (files: Record<string, string>) => Place,
  action: ReviewAction,
  tally: Tally,
  { stride = 1, from = 0 }: { stride?: number; from?: number } = {},
): Promise<void> {
  const template = await prepared(make, action);
  const dir = scratchFolder();
  const whole = await runIn(dir, template, action, record(dir));
  expect([whole.error, whole.isDone]).toEqual([null, true]);
  const seen = new Set<string>();
  let n = 0;
  for (const { where, count, treeAfter } of cutsOf(whole.fs)) {
    if (n++ % stride !== from % stride) continue;
    tally.points++;
    const isDone = count >= whole.answeredAfter;
    const tree = treeAfter();
    const key = keyOf(tree, String(isDone));
    if (seen.has(key)) continue;
    seen.add(key);
    writeImage(tree, dir);
    const broken = await brokenIn(dir, async () => {
      await recovered(dir);
      await check({ ...whole, isDone }, action);
    });
    note(tally, `${where} of ${action.name}`, broken);
    tally.states++;
  }
  for (const one of [dir, template.dir]) rmSync(one, { recursive: true, force: true });
}

/** After a new boot: the journal is read by whoever writes first. */
async function recovered(dir: string): Promise<void> {
  const workspace = await opened(disk(), dir, 'second');
  const session = workspace.session({ id: 's3', agent: 'reader' });
  await session.edit('create', { path: 'recovered.txt', file_text: 'recovered\n' });
  await workspace.close();
}

/** What was acknowledged is there after a power cut that took the ref, which is durable only in the journal until then. */
export async function afterPowerCut(make: (files: Record<string, string>) => Place): Promise<void> {
  const [action] = REVIEW_ACTIONS;
  const template = await prepared(make, action!);
  const { repo, isDone } = await run(template, action!);
  expect(isDone).toBe(true);
  const [ref] = repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit-review').split('\n');
  rmSync(repo.path(`.git/${ref}`));
  const workspace = await opened(disk(), repo.dir, 'second');
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  await session.edit('create', { path: 'next.txt', file_text: 'next\n' });
  expect((await workspace.review({ path: 'a.txt' })).data.hunks).toHaveLength(action!.open[1]);
  expect((await workspace.verify()).data).toMatchObject({ faults: [], changed: [] });
  await workspace.close();
  for (const one of [repo, template]) rmSync(one.dir, { recursive: true });
}

/** Each call that changes something: the process dies before it, in the middle of it, or the disk is full. `isTried`: those to try. */
export async function tryReview(
  make: (files: Record<string, string>) => Place,
  action: ReviewAction,
  tally: Tally,
  isTried: (n: number, path: string) => boolean = () => true,
): Promise<void> {
  const template = await prepared(make, action);
  const whole = await run(template, action);
  expect(whole.error).toBeNull();
  await check(whole, action);
  const faults = faultsOf(whole.fs.trace);
  for (const [n, { call, fault }] of faults.entries()) {
    if (!isTried(n, String(call.path))) continue;
    const state = await run(template, action, fault);
    tally.points++;
    tally.states++;
    const what = `${fault.kind} at ${describe(call)} of ${action.name}`;
    note(tally, what, await brokenIn(state.repo.dir, () => check(state, action)));
  }
  rmSync(whole.repo.dir, { recursive: true });
  rmSync(template.dir, { recursive: true });
}

/** Files that only an unfinished or a badly ended operation leaves. */
function leftovers(gitDir: string): string[] {
  const names = readdirSync(gitDir, { recursive: true, encoding: 'utf8' });
  // Of a process that is there; what gc keeps; and what tells, see RejectionBook and RejectionNotifier.
  const kept = /^vedit\/(tmp$|live|events$|wanted$|packs|told|rejections)/;
  return names.filter(name => !kept.test(name) && (/\.lock$/.test(name) || name.startsWith('vedit/')));
}
