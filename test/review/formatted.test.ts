/** Hunks in which only the format of lines changed. */

import { renameSync, rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { git } from '../helpers/landing.ts';
import { personRepo } from '../helpers/person-repo.ts';

const ADA = { name: 'Ada', email: 'ada@example.com' };
const TEXT = Array.from({ length: 9 }, (_, at) => `say('${at}');\n`).join('');

it.each(['nothing', 'another hunk'])('a rejection gives lines their format back, %s accepted', async what => {
  const repo = personRepo({ 'a.js': TEXT });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ agent: 'ann' });
  await session.edit('str_replace', { path: 'a.js', old_str: "say('8')", new_str: "tell('8')" });
  const formatted = repo.read('a.js').replaceAll(/'([123])'/g, '"$1"');
  await session.during(async () => repo.write('a.js', formatted), { git });
  const [format, edit] = (await workspace.review()).data.hunks;
  const at = (hunk: typeof edit) => ({ at: hunk!.commit, path: 'a.js', lines: hunk!.lines });
  if (what === 'another hunk') await workspace.accept(at(edit));
  await workspace.reject(at(format));
  expect(repo.read('a.js')).toBe(TEXT.replace("say('8')", "tell('8')"));
});

it('a rejection of lines that an edit only indented leaves nothing to review', async () => {
  const repo = personRepo({ 'a.js': TEXT });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ agent: 'ann' });
  const [plain, indented] = ["say('1');\nsay('2');\n", "  say('1');\n  say('2');\n"];
  await session.edit('str_replace', { path: 'a.js', old_str: plain, new_str: indented });
  await session.edit('str_replace', { path: 'a.js', old_str: "say('3')", new_str: "tell('3')" });
  await workspace.accept({ path: 'a.js', lines: { start_line: 4, end_line: 4 } });
  await workspace.reject({ path: 'a.js', lines: { start_line: 2, end_line: 3 } });
  expect(repo.read('a.js')).toBe(TEXT.replace("say('3')", "tell('3')"));
  expect((await workspace.review()).data.hunks).toEqual([]);
});

it('lines that an edit indented and a person put back by hand are not to be reviewed', async () => {
  const repo = personRepo({ 'a.js': TEXT });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ agent: 'ann' });
  const indented = "  say('1');\n  say('2');\n";
  await session.edit('str_replace', { path: 'a.js', old_str: "say('1');\nsay('2');\n", new_str: indented });
  await session.edit('str_replace', { path: 'a.js', old_str: "say('8')", new_str: "tell('8')" });
  repo.write('a.js', TEXT.replace("say('8')", "tell('8')"));
  const { hunks } = (await workspace.review()).data;
  expect(hunks.map(({ lines }) => lines)).toEqual([{ start_line: 9, end_line: 9 }]);
});

it('a rejection of an edit in a file that an agent’s move, stashed away, was about takes out that edit alone', async () => {
  const repo = personRepo({ 'a.js': TEXT, 'b.js': 'b\n' });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ agent: 'ann' });
  await session.edit('move', { path: 'a.js', new_path: 'moved.js' });
  renameSync(repo.path('moved.js'), repo.path('a.js'));
  rmSync(repo.path('b.js'));
  repo.git('commit', '-qam', 'mine');
  await session.edit('str_replace', { path: 'a.js', old_str: "say('3')", new_str: "tell('3')" });
  const { hunks } = (await workspace.review()).data;
  expect(hunks.map(({ kind, lines }) => [kind, lines.start_line])).toEqual([['lines', 4]]);
  await workspace.reject({ at: hunks[0]!.commit, path: 'a.js', lines: hunks[0]!.lines });
  expect(repo.read('a.js')).toBe(TEXT);
});

it('a rejection of an agent’s move brings the file back to its old name, also where the person committed that it went', async () => {
  const repo = personRepo({ 'a.js': TEXT, 'b.js': 'b\n' });
  const workspace = await repo.open({ user: ADA });
  await workspace.session({ agent: 'ann' }).edit('move', { path: 'a.js', new_path: 'moved.js' });
  repo.git('commit', '-qam', 'mine');
  const { hunks } = (await workspace.review()).data;
  const { path, lines, commit } = hunks.find(hunk => hunk.path === 'moved.js')!;
  await workspace.reject({ at: commit, path, lines });
  expect(repo.read('a.js')).toBe(TEXT);
});
