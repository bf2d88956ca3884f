/** Edits that go on while git is asked whether it sees this repository. */

import { expect, it } from 'vitest';
import type { RunGit } from '../../src/index.ts';
import { git } from '../helpers/clones.ts';
import { bareServer } from '../helpers/git-servers.ts';
import { create, hostsOf, tip } from './hosts.ts';

it('do not make it another one', async () => {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one']);
  await create(one!, 'a.txt', 'END\n');
  const workspace = await one!.open();
  const session = workspace.session({ agent: 'fixer' });
  let count = 0;
  // The branch moves before every answer of git.
  const busy: RunGit = async call => {
    const input = { path: 'a.txt', old_str: 'END\n', new_str: `${count++}\nEND\n` };
    await session.edit('str_replace', input);
    return git(call);
  };
  await workspace.sync({ git: busy });
  await workspace.sync({ git: busy });
  await workspace.close();
  expect(one!.git('merge-base', '--is-ancestor', tip(server), 'main')).toBe('');
});
