/** A landing that dies at any call: the branch is old or new, and the index fits it once the next edit was made. */

import { cpSync, readdirSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import type { RunGit } from '../../src/git/run-git.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import { type Fault, type FaultFs, faultFs } from '../helpers/fault-fs.ts';
import { ADA, git } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { brokenIn, describe, faultsOf } from './crash-points.ts';
import { processOfBoot } from './fault-harness.ts';
import { scratchFolder } from './image.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const LANDED = LINES.replace('one', 'ONE');
const staged = (text: string): string => text.replace('four', 'four staged').trimEnd();

/** An edit of a.txt, in which the user staged another line; and a new file. */
async function prepared(): Promise<Sandbox> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': 'b\n' });
  repo.write('a.txt', staged(LINES).concat('\n'));
  repo.git('add', 'a.txt');
  repo.write('a.txt', LINES);
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE' });
  await session.edit('create', { path: 'n.txt', file_text: 'n\n' });
  return repo;
}

interface State {
  repo: Sandbox;
  fs: FaultFs;
  /** How many calls were made when git had made its commit. */
  committedAt: number;
  landed: string | null;
  error: unknown;
}

async function run(template: Sandbox, withGit: boolean, ...faults: Fault[]): Promise<State> {
  const dir = scratchFolder();
  const filter = (path: string): boolean => !path.endsWith('/vedit/live');
  cpSync(template.dir, dir, { recursive: true, preserveTimestamps: true, filter });
  const fs = faultFs(nodeFs(), ...faults);
  const state: State = { repo: at(dir), fs, committedAt: 0, landed: null, error: null };
  const counted: RunGit = async call => {
    if (fs.crashed) throw new Error('a dead process starts nothing');
    const result = await git(call);
    if (call.args.includes('commit-tree')) state.committedAt = fs.trace.length;
    return result;
  };
  try {
    const workspace = await opened(fs, dir);
    const { data } = await workspace.land(withGit ? { git: counted } : {});
    state.landed = data.commit;
  } catch (error) {
    state.error = error;
  }
  return state;
}

function opened(fs: FaultFs | ReturnType<typeof nodeFs>, root: string): Promise<Workspace> {
  const platform = { fs, codec: nativeCodec, processes: processOfBoot('first') };
  return openOn(platform, { root, user: ADA, patience: { engine: 200, git: 100 } });
}

async function check({ repo, landed, error, fs }: State, template: Sandbox): Promise<void> {
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const workspace = await opened(nodeFs(), repo.dir);
  await workspace.session({ id: 'next' }).edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
  const after = await opened(nodeFs(), repo.dir);
  const moved = repo.git('rev-parse', 'HEAD') !== template.git('rev-parse', 'HEAD');
  if (landed) expect(moved).toBe(true);
  if (error && !fs.crashed) expect(moved).toBe(false);
  const text = moved ? LANDED : LINES;
  expect(repo.git('show', 'HEAD:a.txt')).toBe(text.trimEnd());
  expect(repo.git('show', ':a.txt')).toBe(staged(text));
  expect(repo.git('diff', '--cached', '--name-only')).toBe('a.txt');
  expect(repo.pipe('', 'show', 'HEAD:b.txt').toString()).toBe('b\n');
  expect(leftovers(`${repo.dir}/.git`)).toEqual([]);
  expect((await after.verify()).data).toMatchObject({ faults: [], changed: [] });
  if (moved) await expect(after.land({ commits: ['~1'] })).rejects.toMatchObject({ name: 'EditError' });
  await after.close();
}

/** Every `stride`-th call that changes something: the process dies before it, in the middle of it, or the disk is full. */
export async function tryLandings(withGit: boolean, tally: Tally, stride = 1, from = 0): Promise<void> {
  const template = await prepared();
  const whole = await run(template, withGit);
  await check(whole, template);
  // Up to its own commit, git's way does what the engine's does.
  const faults = faultsOf(whole.fs.trace.filter(({ n }) => n > whole.committedAt - 20));
  for (let i = from; i < faults.length; i += stride) {
    const { call, fault } = faults[i]!;
    const state = await run(template, withGit, fault);
    tally.points++;
    tally.states++;
    note(
      tally,
      `${fault.kind} at ${describe(call)} of a landing`,
      await brokenIn(state.repo.dir, () => check(state, template)),
    );
  }
  rmSync(whole.repo.dir, { recursive: true });
  rmSync(template.dir, { recursive: true });
}

/** Files that only an unfinished or a badly ended operation leaves. */
function leftovers(gitDir: string): string[] {
  const names = readdirSync(gitDir, { recursive: true, encoding: 'utf8' });
  return names.filter(name =>
    /\.lock$|^vedit\/(?!tmp$|live(\/\w+\.draft)?$|events$|wanted$|packs|land)/.test(name),
  );
}
