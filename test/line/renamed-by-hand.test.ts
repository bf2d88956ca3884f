/** Files that agents edit and people rename, format and commit beside them: who wrote what, and what lands. */

import { renameSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { ADA, git } from '../helpers/landing.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const say = (...names: string[]): string => names.map(name => `say('${name}');\n`).join('');
const TEN = say(...Array.from({ length: 10 }, (_, n) => `ada_${n}`));

/** Ada's ten lines under some names, and an agent that put two lines of its own above those of `a.js`. */
async function begun(...others: string[]): Promise<{ repo: Place; session: Session }> {
  const repo = personRepo(Object.fromEntries(['a.js', ...others].map(path => [path, TEN])));
  const session = await repo.session();
  await session.edit('create', { path: 'a.js', file_text: say('agent_1', 'agent_2') + TEN, overwrite: true });
  return { repo, session };
}

const move = (repo: Place, from: string, to: string): void => renameSync(repo.path(from), repo.path(to));
const formatted = (text: string): string => text.replaceAll(/^(?=\S)/gm, '  ').replaceAll("'", '"');

/** The lines of a file that blame gives to an agent. */
async function agentsLines(session: Session, path: string): Promise<string[]> {
  const { lines } = (await session.blame({ path })).data;
  return lines.filter(({ agent }) => agent !== null).map(({ text }) => /\w+_\d/.exec(text)![0]);
}

const OWN = ['agent_1', 'agent_2'];

it('lines that an agent deleted are its own where a person brings them back, formats and commits them', async () => {
  const { repo, session } = await begun();
  await (await repo.open({ user: ADA })).land({ git });
  await session.edit('delete', { path: 'a.js' });
  repo.git('checkout', '-q', '--', 'a.js');
  repo.write('a.js', formatted(repo.read('a.js')));
  repo.git('commit', '-qam', 'formatted');
  expect(await agentsLines(session, 'a.js')).toEqual(OWN);
});

it('so are those that a person committed, where the agent moved the file and the person brings the old one back', async () => {
  const { repo, session } = await begun();
  repo.git('commit', '-qam', 'mine');
  await session.edit('move', { path: 'a.js', new_path: 'b.js' });
  repo.git('checkout', '-q', '--', 'a.js');
  expect(await agentsLines(session, 'a.js')).toEqual(OWN);
  expect(await agentsLines(session, 'b.js')).toEqual(OWN);
  await session.edit('str_replace', { path: 'a.js', old_str: 'ada_9', new_str: 'agent_3' });
  expect(await agentsLines(session, 'a.js')).toEqual([...OWN, 'agent_3']);
});

it('a file that HEAD got under a second name, and has a third one now, is the same file', async () => {
  const { repo, session } = await begun();
  move(repo, 'a.js', 'b.js');
  repo.write('b.js', repo.read('b.js').replace(say('ada_3'), ''));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'second');
  repo.git('mv', 'b.js', 'c.js');
  await session.edit('create', { path: 'other.js', file_text: 'x\n' });
  expect(await agentsLines(session, 'c.js')).toEqual(OWN);
  repo.git('commit', '-qm', 'third');
  expect(await agentsLines(session, 'c.js')).toEqual(OWN);
});

it('a history in which HEAD got lines only later than its step brought them has an answer', async () => {
  const { repo, session } = await begun('b.js');
  repo.git('branch', 'main2');
  move(repo, 'a.js', 'second.js');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'second');
  repo.git('mv', 'second.js', 'third.js');
  await session.edit('delete', { path: 'b.js' });
  repo.git('checkout', '-q', 'main2');
  repo.git('commit', '-qa', '--amend', '--no-edit');
  repo.write('a.js', formatted(TEN.split('\n').slice(1).join('\n')));
  await session.edit('move', { path: 'a.js', new_path: 'fourth.js' });
  await (await repo.open({ user: ADA })).land({ git, outside: true });
  expect(await agentsLines(session, 'fourth.js')).toEqual([]);
  expect(await agentsLines(session, 'third.js')).toEqual(OWN);
});

it.each([
  ['a file that an agent made', 'made.js'],
  ['one that an agent moved', 'moved.js'],
])('%s lands under the name that a person gave it since', async (_, path) => {
  const { repo, session } = await begun('b.js');
  if (path === 'made.js') await session.edit('create', { path, file_text: say('agent_3') });
  else await session.edit('move', { path: 'b.js', new_path: path });
  move(repo, path, 'named.js');
  const now = repo.read('named.js');
  await (await repo.open({ user: ADA })).land({ git });
  expect(repo.git('show', '--name-only', '--no-renames', '--format=', 'HEAD').split('\n')).toEqual(
    path === 'made.js' ? ['a.js', 'named.js'] : ['a.js', 'b.js', 'named.js'],
  );
  expect(`${repo.git('show', 'HEAD:named.js')}\n`).toBe(now);
});
