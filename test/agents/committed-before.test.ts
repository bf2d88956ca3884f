/** Whose a commit is that a person made beside a trail, before an agent ran a command. */

import { expect, it } from 'vitest';
import { aMoment } from '../helpers/agent-events.ts';
import { git } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

it('what a person committed before a command is not the command’s', async () => {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' });
  const session = await repo.session();
  await session.edit('str_replace', { path: 'b.txt', old_str: 'x', new_str: 'y' });
  repo.write('a.txt', 'one\nmine is this\ntwo\n');
  repo.git('commit', '-qm', 'mine', 'a.txt');
  await aMoment();
  await session.during(
    async () => {
      await aMoment();
      repo.write('a.txt', `${repo.read('a.txt')}agents\n`);
      await aMoment();
    },
    { git },
  );
  const { lines } = (await session.blame({ path: 'a.txt' })).data;
  expect(lines.map(({ op }) => op)).toEqual([null, null, null, 'shell']);
});
