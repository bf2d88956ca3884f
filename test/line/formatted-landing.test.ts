import { chmodSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ADA, git } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

it.each([
  ['as a person saved it', ''],
  ['as a hook of theirs left it', '#!/bin/sh\nsed -i "s/=\\([0-9]\\)/= \\1/" c.js; git add c.js\n'],
])('a line that landed formatted, %s, is of who wrote it', async (_, hook) => {
  const repo = personRepo({ 'c.js': 'let a = 1;\n' });
  const session = await repo.session();
  const edit = { path: 'c.js', old_str: 'let a = 1;\n', new_str: 'let a = 1;\nlet b =2;\n' };
  const { data } = await session.edit('str_replace', edit);
  if (hook === '') repo.write('c.js', repo.read('c.js').replace('=2', '= 2'));
  else {
    repo.write('.git/hooks/pre-commit', hook);
    chmodSync(repo.path('.git/hooks/pre-commit'), 0o755);
  }
  await (await repo.open({ user: ADA })).land({ git });
  expect(repo.git('show', 'HEAD:c.js')).toBe('let a = 1;\nlet b = 2;');
  const { lines } = (await session.blame({ path: 'c.js' })).data;
  expect(lines.map(({ text, commit }) => [text, commit === data.commit])).toEqual([
    ['let a = 1;', false],
    ['let b = 2;', true],
  ]);
});
