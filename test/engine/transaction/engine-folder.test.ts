/** The engine's folder: what lies in it is what the page for those who mend a repository lists, and when there is none. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemGit } from '../../../src/index.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { ROOT } from '../../helpers/source.ts';

/** A name of the table, as a pattern: `journal.<n>`, `live/<token>`. */
function pattern(name: string): RegExp {
  const [top] = name.split('/');
  return new RegExp(`^${top!.replace(/[.]/g, '\\.').replace(/<\w+>|\*/g, '.+')}$`);
}

function listed(): RegExp[] {
  const page = readFileSync(join(ROOT, 'dev/how-it-works.md'), 'utf8');
  const table = /^## The journal\n.*?\n\| --- \| --- \|\n(.*?)\n\n/ms.exec(page)![1]!;
  const names = table.split('\n').flatMap(row => row.split(' | ')[0]!.match(/(?<=`)[^`]+(?=`)/g) ?? []);
  return names.filter(name => name !== ', ').map(pattern);
}

it('after edits, refusals, a rejection, a landing and a fetch', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\nthree\n' });
  repo.git('clone', '-q', '--bare', '.', '../server.git');
  repo.git('remote', 'add', 'origin', '../server.git');
  const workspace = await repo.open({
    recordRefusals: true,
    user: { name: 'Ada', email: 'ada@example.invalid' },
  });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  for (let edit = 0; edit < 66; edit++)
    await session.edit('create', {
      path: 'n.txt',
      file_text: `${edit}`,
      overwrite: true,
      edit_id: `${edit}`,
    });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
  await expect(session.edit('delete', { path: 'none' })).rejects.toThrow();
  await workspace.reject({ path: 'a.txt', lines: { start_line: 2, end_line: 2 }, reason: 'no' });
  await session.view({ path: 'a.txt' });
  const git = await systemGit(process.env);
  await workspace.land({ git, message: 'n' });
  await workspace.fetch({ git });
  const found = readdirSync(repo.path('.git/vedit'));
  expect(found.filter(name => !listed().some(one => one.test(name)))).toEqual([]);
  expect(found).toEqual(expect.arrayContaining(['events', 'rejections', 'told', 'refusals.jsonl']));
});

it('a workspace in which nothing was edited leaves no folder of the engine', async () => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const workspace = await repo.open();
  await workspace.session().view({ path: 'a.txt' });
  await workspace.close();
  expect(existsSync(repo.path('.git/vedit'))).toBe(false);
});
