import { expect, it } from 'vitest';
import { git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

async function made(person: string): Promise<Place> {
  const repo = personRepo({ 'a.txt': '1\n2\n3\n' });
  const session = await repo.session();
  const new_str = '1\nalpha\nbeta\ngamma\n';
  await session.edit('str_replace', { path: 'a.txt', old_str: '1\n', new_str });
  repo.write('a.txt', person);
  return repo;
}

async function linesOf(repo: Place): Promise<unknown> {
  const { entries } = (await (await repo.session()).log({ op: 'str_replace' })).data;
  return entries[0]!.status.lines;
}

it.each([
  ['two lines', '1\nbeta\nalpha\ngamma\n2\n3\n'],
  ['the first and the last', '1\ngamma\nbeta\nalpha\n2\n3\n'],
  ['all lines, which go round', '1\ngamma\nalpha\nbeta\n2\n3\n'],
])(
  '%s of an edit that a person swapped are open, land, and nothing is said to be left out',
  async (_, text) => {
    const repo = await made(text);
    expect(await linesOf(repo)).toEqual({ open: 3 });
    const { data } = await (await repo.open()).land({ git });
    expect(`${repo.git('show', 'HEAD:a.txt')}\n`).toBe(text);
    expect([data.taken_back, data.outside]).toEqual([[], []]);
    expect(await linesOf(repo)).toEqual({ landed: 3 });
  },
);

it('one that a person took out, or typed again elsewhere, is out', async () => {
  expect(await linesOf(await made('1\nbeta\ngamma\n2\n3\n'))).toEqual({ open: 2, 'taken out by hand': 1 });
  expect(await linesOf(await made('1\nbeta\ngamma\n2\n3\nalpha\n'))).toEqual({
    open: 2,
    'taken out by hand': 1,
  });
});
