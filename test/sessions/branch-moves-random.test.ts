/** Branches moved by lot under agents and a person: whose text it is stays known, and nothing is said of anybody wrongly. */

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { lots } from '../helpers/random-work.ts';

const BASE = Array.from({ length: 12 }, (_, n) => `base ${n}\n`).join('');
const PATHS = ['a.txt', 'b.txt'];

/** One line of a file replaced by a new one that says who wrote it. */
function replaced(text: string, at: number, by: string): string {
  const lines = text.split('\n').slice(0, -1);
  lines[at % lines.length] = by;
  return `${lines.join('\n')}\n`;
}

async function step(repo: Place, draw: (below: number) => number, count: number): Promise<void> {
  const path = PATHS[draw(2)]!;
  const text = existsSync(repo.path(path)) ? repo.read(path) : BASE;
  const branches = repo
    .git('branch', '--format=%(refname:short)')
    .split('\n')
    .filter(one => /^\w+$/.test(one));
  const edit = async (): Promise<unknown> => {
    const file_text = replaced(text, draw(12), `agent ${count}`);
    return (await repo.session()).edit('create', { path, file_text, overwrite: true });
  };
  const steps: ReadonlyArray<() => unknown> = [
    edit,
    edit,
    edit,
    () => repo.write(path, replaced(text, draw(12), `hand ${count}`)),
    () => repo.git('switch', '-q', '-c', `b${count}`),
    () => repo.git('switch', '-q', branches[draw(branches.length)]!),
    () => repo.git('checkout', '-q', '--detach'),
    () => repo.git('branch', '-m', `r${count}`),
    () => repo.git('commit', '-qam', `commit ${count}`),
    () => repo.git('checkout', '-q', path),
    () => repo.git('stash', '-q'),
    () => repo.git('stash', 'pop', '-q'),
    async () => (await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } })).land({ git }),
    async () => (await repo.session()).undo({ scope: 'trail' }),
  ];
  await Promise.resolve()
    .then(steps[draw(steps.length)])
    .catch(() => {});
}

/** No line of a person, or of the beginning, is an agent’s. Answers how many lines are. */
async function checkBlame(repo: Place): Promise<number> {
  const session = await repo.session();
  let known = 0;
  for (const path of PATHS) {
    const blamed = await session.blame({ path }).catch(() => null);
    // An undo brings back what others wrote.
    for (const { text, agent } of blamed?.data.lines.filter(one => one.op !== 'undo') ?? []) {
      if (!text.startsWith('agent ')) expect([text, agent]).toEqual([text, null]);
      else if (agent) known++;
    }
  }
  return known;
}

it.each([1, 2, 3])('by lot %i', { timeout: 120_000 }, async seed => {
  const repo = personRepo(Object.fromEntries(PATHS.map(path => [path, BASE])));
  const draw = lots(seed);
  let known = 0;
  for (let count = 0; count < 60; count++) {
    await step(repo, draw, count);
    if (repo.git('diff', '--name-only', '--diff-filter=U') !== '') repo.git('reset', '-q', '--hard');
    known += await checkBlame(repo);
  }
  expect(known).toBeGreaterThan(0);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  const { faults } = (await (await repo.open()).verify()).data;
  expect(faults).toEqual([]);
});
