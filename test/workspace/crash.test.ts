import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeFs } from '../../src/git/native/node-fs.ts';
import { crashAt, errorAt, TEARS } from '../git/fault-fs.ts';
import {
  CrashLab,
  contentOf,
  isReachable,
  leftovers,
  type Operation,
  openSession,
  type State,
  trailOf,
} from './crash-states.ts';

const FILES = { 'a.txt': ['alpha\n', 'ALPHA\n'], 'b.txt': ['beta\n', 'beta\n'] } as const;

function operation(name: string, own: boolean): Operation {
  return {
    name,
    prepare: repo => {
      repo.git('init', '-q', '-b', 'main');
      for (const [path, [text]] of Object.entries(FILES)) repo.write(path, text);
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'start');
      if (own) repo.git('config', 'vedit.trail', 'HEAD');
      repo.write('b.txt', 'beta staged\n');
      repo.git('add', 'b.txt');
      repo.write('b.txt', 'beta by hand\n');
    },
    run: session => session.edit('str_replace', { path: 'a.txt', old_str: 'alpha', new_str: 'ALPHA' }),
  };
}

/** I1 to I5, before any recovery: nothing half done is visible to git or to a person. */
function checkCrashed(state: State): void {
  const { repo, acknowledged } = state;
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(['alpha\n', 'ALPHA\n']).toContain(contentOf(repo, 'a.txt'));
  if (acknowledged) expect(isReachable(repo, acknowledged)).toBe(true);
  expect(contentOf(repo, 'b.txt')).toBe('beta by hand\n');
}

/** I3 to I9, after a new process made the next edit. */
async function checkRecovered(state: State): Promise<void> {
  const { repo, acknowledged } = state;
  const session = await openSession(nodeFs(), repo.dir, 'next');
  const { data } = await session.edit('create', { path: 'next.txt', file_text: 'next\n' });
  const trail = trailOf(repo);
  const subjects = repo.git('log', '--format=%s', trail).split('\n');
  expect(subjects[0]).toBe('create next.txt (+1 -0)');
  expect(data.outside).toBeUndefined();
  const edited = subjects.includes('str_replace a.txt (+1 -1)');
  expect(contentOf(repo, 'a.txt')).toBe(edited ? 'ALPHA\n' : 'alpha\n');
  expect(repo.git('show', `${trail}:a.txt`)).toBe(edited ? 'ALPHA' : 'alpha');
  if (acknowledged) expect(isReachable(repo, acknowledged)).toBe(true);
  expect(subjects.length).toBe(edited ? 3 : 2);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(leftovers(`${repo.dir}/.git`)).toEqual([]);
  expect(repo.git('show', ':b.txt')).toBe('beta staged');
  const dirty = repo
    .git('status', '--porcelain')
    .split('\n')
    .map(line => line.trim());
  expect(dirty).toContain('MM b.txt');
  if (trail === 'refs/heads/main') expect(dirty).toEqual(['MM b.txt']);
}

describe.each([
  ['beside the branch', false],
  ['on the branch', true],
])('one edit %s', (name, own) => {
  let lab: CrashLab;
  beforeAll(async () => {
    lab = await CrashLab.of(operation(name, own));
  });
  afterAll(() => lab.close());

  it('survives a crash at every call', async () => {
    const calls = await lab.calls();
    expect(calls.length).toBeGreaterThan(50);
    for (const { n, method } of calls) {
      for (const tear of method === 'handle.write' ? TEARS : (['before', 'full'] as const)) {
        const state = await lab.state(crashAt(n, tear));
        try {
          checkCrashed(state);
          await checkRecovered(state);
        } catch (error) {
          throw new Error(
            `crash at call ${n} (${method} ${calls[n - 1]!.path}, ${tear}): ${(error as Error).message}`,
            { cause: error },
          );
        } finally {
          rmSync(state.repo.dir, { recursive: true, force: true });
        }
      }
    }
  });

  it('answers the truth when a call fails', async () => {
    const calls = await lab.calls();
    for (const { n, method, path } of calls) {
      const state = await lab.state(errorAt(n, 'ENOSPC', 'once'));
      try {
        checkCrashed(state);
        const edited = contentOf(state.repo, 'a.txt') === 'ALPHA\n';
        if (state.error) expect(edited).toBe(false);
        if (!state.error) expect(isReachable(state.repo, state.acknowledged!)).toBe(true);
        if (state.error) expect(state.error).toMatchObject({ name: 'EditError' });
        await checkRecovered(state);
      } catch (error) {
        throw new Error(`ENOSPC at call ${n} (${method} ${path}): ${(error as Error).message}`, {
          cause: error,
        });
      } finally {
        rmSync(state.repo.dir, { recursive: true, force: true });
      }
    }
  });
});
