/** A word that stands in files that nobody may read is in no answer: of no command, no tool and no page. */

import { describe, expect, it } from 'vitest';
import { toolset } from '../../src/tools/public.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { vedit, veditJson } from '../helpers/vedit.ts';
import { ADA, ask, serve } from './web/server/serving.ts';

const WORD = 'quokka';
const PATH = 'secret/x.txt';
/** Changed by an agent and, in HEAD, by a person. */
const CLASH = 'secret/clash.txt';

/** Every way in which text comes into history, and what is not recorded; then the policy. */
async function hidden(): Promise<Place> {
  const lines = (one: string): string => `one ${one}\ntwo\nthree ${WORD}\nfour\n`;
  const repo = personRepo({
    [PATH]: lines(WORD),
    'a.txt': 'a\n',
    'secret/b.txt': `${WORD}\n`,
    [CLASH]: `${WORD}\n`,
  });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'fixer' });
  const edit = (from: string, to: string) =>
    session.edit('str_replace', { path: PATH, old_str: from, new_str: to });
  await edit(`one ${WORD}`, `one more ${WORD}`);
  await edit('two', `two ${WORD}`);
  await session.undo();
  await edit('four', `four ${WORD}`);
  await session.edit('str_replace', { path: 'secret/b.txt', old_str: WORD, new_str: 'open' });
  await session.edit('move', { path: 'secret/b.txt', new_path: 'b.txt' });
  await session.edit('create', { path: 'a.txt', file_text: 'b\n', overwrite: true });
  await session.edit('create', { path: CLASH, file_text: `${WORD} as an agent has it\n`, overwrite: true });
  await workspace.reject({ path: PATH, lines: { start_line: 4, end_line: 4 }, reviewer: ADA, reason: 'no' });
  // A person's commit of a file that they changed, and what they have not saved in history yet.
  repo.write('secret/own.txt', `${WORD} of my own\n`);
  repo.write(CLASH, `${WORD} as a person has it\n`);
  repo.git('add', 'secret/own.txt');
  repo.git('commit', '-qm', 'mine', 'secret/own.txt', CLASH);
  await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
  repo.write(PATH, `${repo.read(PATH)}last ${WORD}\n`);
  repo.write('secret/new.txt', `${WORD}\n`);
  repo.write('.vedit/policy.json', '{"version":1,"unreadable":["secret/"]}');
  await repo.close();
  return repo;
}

describe('a word in unreadable files', () => {
  it('is printed by no command', async () => {
    const repo = await hidden();
    const commits = repo.git('rev-list', '--all').split('\n');
    const paths = [PATH, 'secret/own.txt', 'secret/new.txt', 'secret/b.txt', 'secret', 'b.txt', 'a.txt', '.'];
    const each = (...args: string[]): string[][] => paths.map(path => [...args, path]);
    const shown = [
      ...each('view'),
      ...each('view', '--at', '~3'),
      ...each('blame'),
      ...each('log', '-p'),
      ...each('diff'),
      ...each('diff', '~6', '--path'),
      ...each('diff', '--outside', '--path'),
      ...each('review', '--list'),
      ...each('restore', '-n', '--at', '~4'),
      ...each('undo', '-n', '--path'),
      ...each('land', '-n', '-m', 'x', '--'),
      ...paths.flatMap(path => [1, 4, 5].map(line => ['why', `${path}:${line}`])),
      ...commits.flatMap(commit => [
        ['show', commit],
        ['revert', commit, '-n'],
        ['rollback', '-n', commit],
        ['diff', commit],
      ]),
      ['log', '-p', '-S', WORD.slice(0, 4)],
      ['log', '--refusals'],
      ['log', '--stat'],
      ['diff'],
      ['diff', '--outside'],
      ['status'],
      ['sessions'],
      ['peers'],
      ['verify'],
      ['doctor'],
      ['undo', '-n', '3', '--session', 's1'],
      ['redo', '-n', '--session', 's1'],
      ['events'],
      ['export', '--jsonl'],
      ['export', '--audit'],
      ['review', '--list'],
      ['review', '--list', '--session', 's1'],
      ['land', '-n', '-m', 'x'],
      ['land', '-n', '-m', 'x', 'a.txt'],
      ['land', '-n', '-m', 'x', '--accepted'],
      ['replace', PATH, `four ${'z'}`, 'x', '-n'],
      ['mv', PATH, 'open.txt', '-n'],
      ['rm', PATH, '-n'],
      ['patch', '-'],
      ['run', '--', 'true'],
      ['policy', 'check', PATH],
    ];
    const found: unknown[] = [];
    const counts = { done: 0, refused: 0 };
    for (const args of shown)
      for (const more of [[], ['--json'], ['--agent', 'fixer', '--session', 's1']]) {
        const { code, out, err } = await vedit(repo, [args[0]!, ...more, ...args.slice(1)], {
          input: `--- a/${PATH}\n+++ b/${PATH}\n@@ -1 +1 @@\n-one\n+two\n`,
        });
        if (`${out}${err}`.includes(WORD)) found.push([args, more, `${out}${err}`.slice(0, 2000)]);
        if (code === 0) counts.done++;
        else if (code === 1) counts.refused++;
        // Not every command asks who looks; any other usage that is not understood would try nothing.
        else if (!/unknown option '--(agent|session|json)'|give no path, session/.test(err))
          found.push([args, more, err]);
      }
    expect(found.slice(0, 12)).toEqual([]);
    expect(counts.done).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(50);
  }, 180_000);

  it('is in no refusal of a landing that clashes with HEAD', async () => {
    const repo = await hidden();
    for (const more of [[], ['--with-outside'], ['--each']])
      expect(JSON.stringify(await veditJson(repo, ['land', '-n', ...more, CLASH]))).not.toContain(WORD);
  });

  it('is in no answer of a tool', async () => {
    const repo = await hidden();
    const session = (await repo.open()).session({ id: 's1', agent: 'fixer' });
    const found: unknown[] = [];
    for (const tool of toolset())
      for (const path of [PATH, 'b.txt', undefined])
        for (const input of [
          { path },
          { path, commit: '~4' },
          { path, at: '~4', from: '~4' },
          { path, old_str: 'no such text', new_str: 'x' },
        ]) {
          const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
          const result = await tool.run(session, { ...given, dry_run: true });
          if (JSON.stringify(result).includes(WORD)) found.push([tool.name, given, result]);
        }
    expect(found.slice(0, 12)).toEqual([]);
  });

  it('is in no answer to a page', async () => {
    const { port, bearer, repo } = await serve({}, await hidden());
    const got = async (method: string, path: string, body?: unknown): Promise<string> =>
      (await ask(port, method, path, { bearer, body })).text;
    expect((await vedit(repo, ['watch', '--save', 'page.html'])).code).toBe(0);
    expect(repo.read('page.html')).not.toContain(WORD);
    const commits = repo.git('rev-list', '--all').split('\n');
    const open = await got('GET', '/api/open');
    const answers = [await got('GET', '/api/history?limit=1000'), open, await got('GET', '/api/outside')];
    const hunks = JSON.parse(open).hunks as Array<{ path: string }>;
    expect(hunks.map(({ path }) => path)).toContain(PATH);
    for (const commit of commits) {
      answers.push(await got('POST', '/api/act', { act: 'revert', commit }));
      answers.push(await got('POST', '/api/act', { act: 'restore', commit, path: PATH }));
    }
    for (const hunk of hunks.filter(one => one.path === PATH))
      for (const act of ['edit', 'reject', 'accept'])
        answers.push(await got('POST', '/api/act', { act, hunk, text: 'x' }));
    for (const act of ['undo', 'redo', 'land'])
      answers.push(await got('POST', '/api/act', { act, preview: true, message: 'x' }));
    expect(answers.filter(text => text.includes(WORD))).toEqual([]);
    expect(answers[0]).toContain('withheld: rule unreadable');
  });
});
