/** An accept takes what its person read: what came to the file since is left to review, and nothing of it is accepted. */

import { expect, it } from 'vitest';
import type { Session, Workspace } from '../../src/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

interface Scene {
  repo: Place;
  workspace: Workspace;
  agent: Session;
  edit(old: string, text: string): Promise<unknown>;
}

type Pair = [before: string[], after: string[]];

/** By what came between reading the hunk `five` in place of `line 5` and accepting it: what is left to review. */
const SINCE: Array<[string, (scene: Scene) => unknown, Pair[]]> = [
  ['nothing', () => {}, []],
  ['its line was typed over', ({ edit }) => edit('five', 'FIVE'), [[['five'], ['FIVE']]]],
  [
    'its line was typed over twice',
    async ({ edit }) => {
      await edit('five', 'FIVE');
      await edit('FIVE', 'V');
    },
    [[['five'], ['V']]],
  ],
  ['its line is gone', ({ edit }) => edit('five\n', ''), [[['five'], []]]],
  ['a line came below it', ({ edit }) => edit('five\n', 'five\nmore\n'), [[[], ['more']]]],
  ['a line came above it', ({ edit }) => edit('five\n', 'more\nfive\n'), [[[], ['more']]]],
  ['lines moved it', ({ edit }) => edit('line 1\n', 'zero\nline 1\n'), [[[], ['zero']]]],
  ['another line changed', ({ edit }) => edit('line 9', 'nine'), [[['line 9'], ['nine']]]],
  [
    'another agent typed over it',
    ({ workspace }) =>
      workspace
        .session({ agent: 'other' })
        .edit('str_replace', { path: 'a.txt', old_str: 'five', new_str: 'FIVE' }),
    [[['five'], ['FIVE']]],
  ],
  [
    'a person typed over it',
    ({ repo }) => repo.write('a.txt', repo.read('a.txt').replace('five', 'FIVE')),
    [],
  ],
  [
    'a person wrote beside it',
    ({ repo }) => repo.write('a.txt', repo.read('a.txt').replace('line 9', 'nine')),
    [],
  ],
  [
    'somebody recorded what a command wrote',
    async ({ repo, agent }) => {
      repo.write('a.txt', repo.read('a.txt').replace('five', 'FIVE'));
      await agent.record(['a.txt']);
    },
    [[['five'], ['FIVE']]],
  ],
];

it.each(SINCE)('%s', async (_, since, left) => {
  const lines = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('');
  const repo = personRepo({ 'a.txt': lines });
  const workspace = await repo.open({ user: { name: 'Ada', email: 'ada@example.com' } });
  const agent = workspace.session({ id: 's1', agent: 'claude' });
  const edit = (old_str: string, new_str: string) =>
    agent.edit('str_replace', { path: 'a.txt', old_str, new_str });
  await edit('line 5', 'five');
  const [read] = (await workspace.review()).data.hunks;
  await since({ repo, workspace, agent, edit });
  const { commit: at, path, lines: where, version } = read!;
  await workspace.accept({ at, path, lines: where, version: version! });
  const { hunks } = (await workspace.review()).data;
  expect(hunks.map(({ before, after }) => [before.lines, after.lines])).toEqual(left);
  expect((await workspace.verify()).data.faults).toEqual([]);
});
