/** Landings drawn by lot among work drawn by lot: what must hold whatever lands, and whatever is refused. */

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LandData, LandOptions } from '../../src/index.ts';
import { git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { lots, randomWork } from '../helpers/random-work.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

interface State {
  head: string;
  trail: string;
  index: string;
  files: string[];
}

function stateOf(repo: Place): State {
  const paths = repo.git('ls-files', '-co', '--deduplicate').split('\n').filter(Boolean).sort();
  const files = paths.flatMap(path => {
    try {
      return [`${path}: ${readFileSync(repo.path(path), 'utf8')}`];
    } catch {
      return [];
    }
  });
  const trail = repo.git('for-each-ref', '--format=%(objectname)', 'refs/vedit/main');
  return { head: repo.git('rev-parse', 'HEAD'), trail, index: repo.git('ls-files', '-s'), files };
}

/** One landing, as somebody may ask for it. */
function wish(draw: (below: number) => number): LandOptions {
  const kinds: LandOptions[] = [
    {},
    { session: `s${1 + draw(2)}` },
    { each: true },
    { outside: true },
    { commits: [`~${draw(5)}`] },
    { commits: [`~${2 + draw(4)}..`], outside: true },
  ];
  const options = kinds[draw(kinds.length)]!;
  return draw(2) ? { ...options, git } : { ...options };
}

/** The landed commits change what the answer says, and the index follows where nothing was staged. */
function checkLanded(repo: Place, before: State, data: LandData): void {
  const changed = repo.git('diff', '--name-only', '--no-renames', before.head, 'HEAD').split('\n');
  expect(changed).toEqual(data.paths.flatMap(({ from, path }) => (from ? [from, path] : [path])).sort());
  expect(repo.git('rev-list', '--count', `${before.head}..HEAD`)).toBe(String(data.commits.length));
  for (const { path, version } of data.paths) {
    const entry = repo.git('ls-tree', '--object-only', 'HEAD', path);
    expect(entry).toBe(version ?? '');
  }
  expect(repo.git('diff', '--cached', '--name-only')).toBe('');
}

/** Of all that agents did, only what the files still hold is committed. */
function checkIsThere(repo: Place, before: State): void {
  for (const path of repo.git('diff', '--name-only', '--no-renames', before.head, 'HEAD').split('\n')) {
    const diff = repo.git('diff', '-U0', '--no-renames', before.head, 'HEAD', '--', path).split('\n');
    const added = diff.filter(line => /^\+(?!\+\+ )/.test(line)).map(line => line.slice(1));
    const file = existsSync(repo.path(path)) ? repo.read(path).split('\n') : [];
    expect(added.filter(line => !file.includes(line))).toEqual([]);
  }
}

describe('any landing', () => {
  it.each([1, 2, 3])(
    'touches no file and no trail, and what is refused changes nothing: %i',
    { timeout: 120_000 },
    async seed => {
      const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
      const draw = lots(seed);
      const user = { name: 'Ada', email: 'ada@example.com' };
      let landed = 0;
      for (let round = 0; round < 5; round++) {
        await randomWork(repo, draw, 10);
        const before = stateOf(repo);
        const workspace = await repo.open({ user });
        const options = wish(draw);
        const done = await workspace.land(options).catch(error => {
          expect(['NO_CHANGE', 'CONFLICT', 'INVALID_INPUT']).toContain(error.code);
          return null;
        });
        const after = stateOf(repo);
        expect({ ...after, head: '', index: '' }).toEqual({ ...before, head: '', index: '' });
        if (done) checkLanded(repo, before, done.data);
        else expect(after).toEqual(before);
        if (done && !options.session && !options.commits) checkIsThere(repo, before);
        landed += done ? 1 : 0;
        expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
      }
      expect(landed).toBeGreaterThan(0);
      const workspace = await repo.open({ user });
      await workspace
        .land({ outside: true, git })
        .catch(error => expect(error.code).toMatch(/NO_CHANGE|CONFLICT/));
      expect((await workspace.verify()).data.faults).toEqual([]);
    },
  );
});
