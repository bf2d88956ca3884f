/** Blame that looks past white space, held against `git blame -w`. */

import { expect, it } from 'vitest';
import { ownRepo } from '../helpers/person-repo.ts';

const TEXT = 'if (a) {\nfoo();\nbar();\n}\nend\n';

it('looks past changes of white space, as git does', async () => {
  const repo = ownRepo({ 'a.txt': TEXT });
  const workspace = await repo.open();
  const [bob, ann] = ['bob', 'ann'].map(agent => workspace.session({ id: agent, agent }));
  const replace = (session: typeof bob, old_str: string, new_str: string): Promise<unknown> =>
    session!.edit('str_replace', { path: 'a.txt', old_str, new_str });
  await replace(bob, 'foo();', '    foo();');
  await replace(bob, 'bar();', 'baz();');
  await replace(ann, 'baz();', '\tbaz( );');
  await replace(ann, '}\n', '}\n\n');
  repo.write('a.txt', repo.read('a.txt').replace('end', '  end'));
  repo.git('commit', '-qam', 'by hand');
  await replace(ann, 'end', 'END');
  const git = (...flags: string[]): string[] => [
    ...repo.git('blame', '--porcelain', ...flags, 'main', '--', 'a.txt').match(/^[0-9a-f]{40}(?= \d)/gm)!,
  ];
  const told = async (ignoreSpace: boolean): Promise<string[]> =>
    (await bob!.blame({ path: 'a.txt', ignoreSpace })).data.lines.map(({ commit }) => commit);
  expect(await told(true)).toEqual(git('-w'));
  expect(await told(false)).toEqual(git());
  expect(git('-w')).not.toEqual(git());
});
