/**
 * A review remembers who is behind the hunks of files of which nothing changed. Whatever agents and people do meanwhile, it
 * answers what one answers that remembers nothing.
 */

import { expect, it } from 'vitest';
import { isEditError, type ReviewHunk, type Workspace } from '../../../src/index.ts';
import { ownRepo, type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots } from '../../helpers/random-work.ts';

const SEEDS = Number(process.env.SEEDS ?? 3);
const STEPS = 30;
const ADA = { name: 'Ada', email: 'ada@example.com' };
const FILES = ['a.txt', 'src/b.txt', 'c.txt'];
const LINES = Array.from({ length: 9 }, (_, n) => `line ${n} as it was\n`).join('');

type Draw = (below: number) => number;

function replaced(text: string, draw: Draw, word: string): string {
  const lines = text.split('\n').slice(0, -1);
  const at = draw(lines.length);
  lines.splice(at, draw(3), ...Array.from({ length: draw(3) }, (_, n) => `${word} ${n}`));
  return lines.length === 0 ? 'rest\n' : lines.map(line => `${line}\n`).join('');
}

/** One thing that somebody does; what cannot be done is refused. */
async function act(repo: Place, workspace: Workspace, draw: Draw, n: number): Promise<void> {
  const path = FILES[draw(FILES.length)]!;
  const session = workspace.session({ id: `s${draw(2)}`, agent: `agent-${draw(2)}` });
  const { hunks } = (await workspace.review({ reviewer: ADA })).data;
  const hunk = hunks[draw(Math.max(1, hunks.length))];
  const named = ({ commit: at, path, lines, version, kind }: ReviewHunk) => ({
    at,
    path,
    version: version ?? undefined,
    ...(kind === 'lines' ? { lines } : {}),
  });
  const edit = (): Promise<unknown> =>
    session.edit('create', {
      path,
      file_text: replaced(repo.read(path), draw, `agent ${n}`),
      overwrite: true,
      base: '@',
    });
  const person = async (): Promise<unknown> =>
    repo.write(path, replaced(repo.read(path), draw, `person ${n}`));
  const doings: ReadonlyArray<() => Promise<unknown>> = [
    ...Array.from({ length: 9 }, () => edit),
    person,
    person,
    async () => hunk && workspace.accept({ ...named(hunk), reviewer: ADA }),
    async () =>
      hunk && workspace.reject({ ...named(hunk), reviewer: ADA, reason: `no ${n}`, together: true }),
    () => workspace.unreview({ reviewer: ADA }),
    () => session.undo({ scope: 'trail' }),
    () => session.redo({ scope: 'trail' }),
    () => workspace.land({ message: `landed ${n}` }),
    async () => {
      await person();
      repo.git('commit', '-qam', `by hand ${n}`);
    },
  ];
  await doings[draw(doings.length)]!().catch(error => {
    if (!isEditError(error)) throw error;
  });
}

it.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])(
  'answers as one that remembers nothing, with the trail %s',
  async (_, made) => {
    let seen = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const repo = made(Object.fromEntries(FILES.map(path => [path, LINES])));
      const draw = lots(seed);
      const workspace = await repo.open({ user: ADA });
      for (let n = 0; n < STEPS; n++) {
        await act(repo, workspace, draw, n);
        const fresh = await (await repo.open({ user: ADA })).review({ reviewer: ADA });
        const known = await workspace.review({ reviewer: ADA });
        expect({ seed, n, ...known.data }).toEqual({ seed, n, ...fresh.data });
        seen += known.data.hunks.length;
      }
      await repo.close();
    }
    expect(seen).toBeGreaterThan(5 * SEEDS);
  },
  120_000,
);
