/** What has not landed is counted the same by status and land, after any work of agents and a person. */

import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { LandOptions, LogEntry, Session } from '../../../src/index.ts';
import { Branches } from '../../helpers/branches.ts';
import { git } from '../../helpers/landing.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots } from '../../helpers/random-work.ts';
import { LINES, numbers } from './open-work.ts';

type Draw = (below: number) => number;

/** One step of agents, of the person with plain git, or of a landing. */
function anyStep(repo: Place, sessions: readonly Session[], draw: Draw, step: number): () => unknown {
  const session = sessions[draw(sessions.length)]!;
  const path = ['a.txt', 'b.txt', 'c.txt'][draw(3)]!;
  const line = 1 + draw(12);
  const edit = { path, start_line: line, end_line: line, new_content: `${step}`, base: '@' };
  const land = async (options: LandOptions): Promise<void> => {
    const workspace = await repo.open();
    const { data } = await workspace.land({ ...options, git });
    expect((await workspace.session({ id: 'reader' }).status()).data.left).toBe(data.left);
  };
  const steps: ReadonlyArray<() => unknown> = [
    () => session.edit('replace_lines', edit),
    () => session.edit('replace_lines', edit),
    () => session.edit('replace_lines', edit),
    () => session.edit('insert', { path, insert_line: line, insert_text: `${step}`, base: '@' }),
    () => session.edit('create', { path, file_text: `${LINES}${step}\n` }),
    () => session.edit('delete', { path }),
    () => session.edit('move', { path, new_path: 'c.txt' }),
    () => session.undo({ scope: draw(2) ? 'trail' : 'session' }),
    () => session.redo(),
    () => session.revert(`~${draw(6)}`),
    () => session.rollback(`~${1 + draw(6)}`, { withOthers: true }),
    () => session.restore({ path, from: `~${draw(6)}` }),
    () => repo.git('commit', '-qam', `all ${step}`),
    () => repo.git('commit', '-qm', `one ${step}`, path),
    () => [repo.git('add', path), repo.git('commit', '-qm', `added ${step}`)],
    () => repo.write(path, repo.read(path).replace(/$/, `by hand ${step}\n`)),
    () => repo.git('checkout', '-q', path),
    () => rmSync(repo.path(path)),
    () => repo.git('commit', '-q', '--amend', '--no-edit'),
    () => repo.git('reset', '-q', 'HEAD~1'),
    () => land({ session: session.id }),
    () => land({ each: draw(2) > 0 }),
  ];
  return steps[draw(steps.length)]!;
}

const branches = new Branches('something is open', 'nothing is open');
afterAll(() => branches.expectAll());

it.each([3, 4, 38])('numbers agree after any work: %i', { timeout: 240_000 }, async seed => {
  const draw = lots(seed * 7_907);
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  repo.git('commit', '-q', '--allow-empty', '-m', 'second');
  const quick = { durability: 'journal' } as const;
  const sessions = [await repo.session('s1', quick), await repo.session('s2', quick)];
  let counted = 0;
  for (let step = 0; step < 60; step++) {
    await Promise.resolve()
      .then(anyStep(repo, sessions, draw, step))
      .catch(error => expect(error.message).not.toContain('expected'));
    if (step % 3 !== 2) continue;
    const { status, ...landings } = await numbers(repo);
    // Of an edit of which a part lands something is left: it is counted as both.
    const [, all] = / of (\d+)$/.exec(landings.land) ?? [];
    if (all !== undefined) {
      expect([step, Number(all) >= status]).toEqual([step, true]);
      counted++;
    }
    branches.ran(status === 0 ? 'nothing is open' : 'something is open');
    if (status === 0) expect([step, landings.land]).toEqual([step, 'NO_CHANGE']);
  }
  expect(counted).toBeGreaterThan(2);
  await expectSameFates(await repo.session('reader'));
});

/** What show tells of a commit, looking at its paths alone, and what the log does. */
async function expectSameFates(session: Session): Promise<void> {
  const { entries } = (await session.log()).data as { entries: LogEntry[] };
  expect(entries.length).toBeGreaterThan(10);
  for (const { stats: _, diff: __, ...entry } of entries)
    expect((await session.show(entry.commit)).data).toMatchObject(entry);
}
