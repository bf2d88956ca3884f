/** Kills at named points, and what a person does before the next edit: both homes of the trail. */

import { describe, expect, it } from 'vitest';
import { repository, type Sandbox } from '../helpers/real-git.ts';
import { ACTS, afterwards, killedAt, POINTS, stoppedAt } from './person.ts';

function place(own: boolean): Sandbox {
  const repo = repository();
  repo.git('config', 'user.name', 'P');
  repo.git('config', 'user.email', 'p@example.com');
  if (own) repo.git('config', 'vedit.trail', 'HEAD');
  repo.write('a.txt', 'one\ntwo\nthree\n');
  repo.git('add', '.');
  repo.git('commit', '-qm', 'first');
  repo.git('commit', '-q', '--allow-empty', '-m', 'second');
  return repo;
}

/** A few of the long form, which tries all of them. */
const SAMPLE: ReadonlyArray<readonly [boolean, (typeof POINTS)[number], string]> = [
  [true, 'acknowledged', 'amend'],
  [true, 'after-ref', 'amend with all'],
  [true, 'after-ref', 'reset --hard'],
  [true, 'after-file', 'commit with all'],
  [true, 'before-ref', 'squash'],
  [false, 'after-ref', 'gc --prune=now'],
  [false, 'after-ref', 'restore the file'],
  [false, 'recorded', 'commit with all'],
  [false, 'acknowledged', 'stash'],
  [false, 'after-file', 'switch -c'],
];
const ALL = [true, false].flatMap(own =>
  POINTS.flatMap(point => Object.keys(ACTS).map(act => [own, point, act] as const)),
);

it.each(process.env.VEDIT_LONG ? ALL : SAMPLE)(
  'killed (own branch: %s) at %s, then %s: nothing is lost or wrong',
  async (own, point, act) => {
    const repo = place(own);
    const acknowledged = killedAt(repo, point);
    expect(acknowledged !== null).toBe(point === 'acknowledged');
    try {
      ACTS[act]!(repo);
    } catch {
      // Git found a lock of the dead process, and said so.
    }
    expect(await afterwards(repo, acknowledged, !own)).toEqual([]);
  },
);

describe('the text that an acknowledged edit made', () => {
  it('is in the file, the index and HEAD after the person amended', async () => {
    const repo = place(true);
    killedAt(repo, 'acknowledged');
    ACTS.amend!(repo);
    expect(await afterwards(repo, null, false)).toEqual([]);
    expect([repo.git('show', 'HEAD:a.txt'), repo.git('show', ':a.txt')]).toEqual([
      'one\nTWO\nthree',
      'one\nTWO\nthree',
    ]);
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});

describe('an owner of the lock that is stopped', () => {
  it.each(['recorded', 'before-ref', 'after-ref', 'after-file'] as const)(
    'at %s while git gc --prune=now runs, and is killed: the trail is whole',
    async point => {
      const repo = place(false);
      const stopped = await stoppedAt(repo, point);
      repo.git('gc', '-q', '--prune=now');
      await stopped.kill();
      expect(await afterwards(repo, null, false)).toEqual([]);
    },
  );

  it('and goes on after git gc --prune=now makes its edit', async () => {
    const repo = place(false);
    const stopped = await stoppedAt(repo, 'recorded');
    repo.git('gc', '-q', '--prune=now');
    const commit = await stopped.goOn();
    expect(commit).not.toBeNull();
    expect(await afterwards(repo, commit, true)).toEqual([]);
  });
});
