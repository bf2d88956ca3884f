/** A purge that dies at any call, or that a full disk stops: each history is whole, and the same purge once more ends it. */

import { cpSync, readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import { allOf } from '../helpers/all-of.ts';
import { type Fault, type FaultFs, faultFs } from '../helpers/fault-fs.ts';
import { personRepo } from '../helpers/person-repo.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { brokenIn, describe, faultsOf } from './crash-points.ts';
import { processOfBoot } from './fault-harness.ts';
import { scratchFolder } from './image.ts';

const KEY = 'hunter2-4711-swordfish';

function opened(fs: FaultFs | ReturnType<typeof nodeFs>, root: string): Promise<Workspace> {
  const platform = { fs, codec: nativeCodec, processes: processOfBoot('first') };
  const user = { name: 'Ada', email: 'ada@example.com' };
  return openOn(platform, { root, user, patience: { engine: 200, git: 100 } });
}

/** Two histories with the key, the second one grown from the first, in a pack and loose; and an id of each. */
async function prepared(): Promise<{ dir: string; ids: string[] }> {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  const session = workspace.session({ id: 's1', agent: 'claude' });
  const { data } = await session.edit('create', { path: 'k.env', file_text: `A=1\nK=${KEY}\n` });
  await workspace.close();
  repo.git('repack', '-adq');
  repo.git('update-ref', 'refs/vedit/worktree/other', 'refs/vedit/main');
  const again = await repo.open();
  const next = again.session({ id: 's1', agent: 'claude' });
  await next.edit('str_replace', { path: 'k.env', old_str: 'A=1', new_str: 'A=2', reason: `with ${KEY}` });
  const last = await next.edit('str_replace', { path: 'k.env', old_str: KEY, new_str: 'none' });
  await repo.close();
  return { dir: repo.dir, ids: [data.commit!, last.data.commit!] };
}

interface State {
  repo: Sandbox;
  fs: FaultFs;
}

async function run(from: string, ...faults: Fault[]): Promise<State> {
  const top = scratchFolder();
  const filter = (path: string): boolean => !path.endsWith('/vedit/live');
  cpSync(from, `${top}/repo`, { recursive: true, preserveTimestamps: true, filter });
  const state = { repo: at(`${top}/repo`), fs: faultFs(nodeFs(), ...faults) };
  try {
    const workspace = await opened(state.fs, state.repo.dir);
    await workspace.purge({ text: KEY, reason: 'a key' });
    await workspace.close();
  } catch {}
  return state;
}

const TRAILS = ['refs/vedit/main', 'refs/vedit/worktree/other'];

async function check({ repo }: State, ids: readonly string[]): Promise<void> {
  // Nothing is half: git finds every object, and each history is as it was, or without the key.
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  for (const ref of TRAILS) {
    const isPurged = repo.git('log', '--format=%B', ref).includes('Vedit-Op: purge');
    expect(repo.git('log', '-p', ref).includes(KEY)).toBe(!isPurged);
  }
  // Others edit on meanwhile.
  const between = await opened(nodeFs(), repo.dir);
  await between.session({ id: 'next' }).edit('create', { path: 'next.txt', file_text: 'next\n' });
  const isDone = (await between.verify()).data.faults.map(({ kind }) => kind);
  expect(isDone.filter(kind => kind !== 'interrupted')).toEqual([]);
  await between.close();
  const workspace = await opened(nodeFs(), repo.dir);
  const { data } = await workspace.purge({ text: KEY, reason: 'a key' });
  expect(data.held).toEqual([]);
  expect((await workspace.verify({ expect: [...ids] })).data.faults).toEqual([]);
  for (const trail of ['main', 'worktree/other']) {
    const other = await openOn(
      { fs: nodeFs(), codec: nativeCodec, processes: processOfBoot('first') },
      { root: repo.dir, trail },
    );
    expect((await other.verify({ expect: [ids[0]!] })).data.faults).toEqual([]);
    expect((await other.session({ id: 'x' }).show(ids[0]!)).message).toContain('K=[purged');
    await other.close();
  }
  await workspace.close();
  expect(allOf(repo)).not.toContain(KEY);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  // Both histories share what they shared.
  expect(repo.git('merge-base', ...TRAILS)).toBe(
    repo.git('rev-list', '--first-parent', '--reverse', 'refs/vedit/worktree/other', '^main').split('\n')[0],
  );
  const names = readdirSync(repo.path('.git'), { recursive: true, encoding: 'utf8' });
  expect(names.filter(name => /\.lock$|purging$|vedit\/tmp\/./.test(name) && !name.includes('live'))).toEqual(
    [],
  );
}

/** Every `stride`-th call that changes something. */
export async function tryPurges(tally: Tally, stride = 1, from = 0): Promise<void> {
  const { dir, ids } = await prepared();
  const whole = await run(dir);
  note(tally, 'a purge', await brokenIn(whole.repo.path('..'), () => check(whole, ids)));
  const faults = faultsOf(whole.fs.trace);
  for (let i = from; i < faults.length; i += stride) {
    const { call, fault } = faults[i]!;
    const state = await run(dir, fault);
    tally.points++;
    tally.states++;
    const broken = await brokenIn(state.repo.path('..'), () => check(state, ids));
    note(tally, `${fault.kind} at ${describe(call)} of a purge`, broken);
  }
}
