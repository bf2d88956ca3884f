/** Edits that go on while git is asked whether it sees this repository. */

import { expect, it } from 'vitest';
import { initRepository, type RunGit } from '../../src/index.ts';
import { git, serverRefs } from '../helpers/clones.ts';
import { bareServer } from '../helpers/git-servers.ts';
import { place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

it('do not make it another one', async () => {
  const server = bareServer();
  const root = server.path('..', 'one');
  await initRepository({ root, bare: true });
  const one = place(at(root));
  one.git('remote', 'add', 'origin', server.dir);
  const workspace = await one.open();
  const session = workspace.session({ agent: 'fixer' });
  await session.edit('create', { path: 'a.txt', file_text: 'END\n' });
  let count = 0;
  // The branch moves before every answer of git.
  const busy: RunGit = async call => {
    const input = { path: 'a.txt', old_str: 'END\n', new_str: `${count++}\nEND\n` };
    await session.edit('str_replace', input);
    return git(call);
  };
  await workspace.push({ git: busy });
  await workspace.push({ git: busy });
  await workspace.close();
  const [ref] = serverRefs(server);
  expect(one.git('merge-base', '--is-ancestor', server.git('rev-parse', ref!), 'main')).toBe('');
});
