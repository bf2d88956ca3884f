/** A session of Claude Code with its own tools, seen by hooks alone; then everything that a history is good for. */

import { expect, it } from 'vitest';
import { claudeCode, QUIET } from '../helpers/claude-code-hooks.ts';
import { content, personRepo, vedit, veditJson } from '../helpers/vedit.ts';

it('Claude Code edits, a person edits in between, and the history knows who did what', async () => {
  const box = personRepo();
  const claude = claudeCode(box, '5f2c');
  const said = [
    ...(await claude.edit('a.txt', 'two', 'TWO')),
    ...(await claude.write('src/new.txt', 'made by claude\n')),
  ];
  box.write('a.txt', content(box, 'a.txt').replace('one', 'one by hand'));
  said.push(...(await claude.edit('a.txt', 'three', 'three\nfour')));
  // The tool was refused after its first hook, and Claude Code did something else.
  said.push(await claude.hook('PreToolUse', 'Write', { file_path: box.path('never.txt') }));
  expect(said.every(ran => JSON.stringify(ran) === JSON.stringify(QUIET))).toBe(true);

  const log = await vedit(box, ['log', '--oneline', '--color=never']);
  expect(log.out.split('\n').map(line => line.replace(/^\S+ /, ''))).toEqual([
    expect.stringContaining('Edit a.txt (+1 -0)'),
    expect.stringContaining('outside a.txt'),
    expect.stringContaining('Write src/new.txt (+1 -0)'),
    expect.stringContaining('Edit a.txt (+1 -1)'),
    '',
  ]);

  const blame = await veditJson<{ lines: Array<{ text: string; agent: string | null; op: string | null }> }>(
    box,
    ['blame', 'a.txt'],
  );
  expect(blame.data.lines.map(({ text, agent, op }) => [text, agent, op])).toEqual([
    ['one by hand', null, 'outside'],
    ['TWO', 'claude-code', 'Edit'],
    ['three', null, null],
    ['four', 'claude-code', 'Edit'],
  ]);
  expect(box.git('blame', '--line-porcelain', 'vedit/main', '--', 'a.txt').match(/^author .*/gm)).toEqual([
    'author outside',
    'author claude-code',
    'author Ada',
    'author claude-code',
  ]);

  expect((await vedit(box, ['undo', '--session', '5f2c'])).code).toBe(0);
  const written = box.git('log', '--format=%H', '--grep=^Write ', 'vedit/main');
  expect((await vedit(box, ['revert', written])).code).toBe(0);
  expect(content(box, 'a.txt')).toBe('one by hand\nTWO\nthree\n');

  expect((await claude.edit('a.txt', 'TWO', 'two again')).every(ran => ran.code === 0)).toBe(true);
  expect((await vedit(box, ['verify'])).code).toBe(0);
  expect(box.git('fsck', '--strict')).toBe('');
  expect(box.git('shortlog', '-s', '--group=trailer:vedit-session', 'vedit/main')).toMatch(/\d+\t5f2c/);
  expect(box.git('status', '--porcelain')).toBe(' M a.txt');

  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  expect((await vedit(box, ['land', '--with-outside', '-m', 'with Claude'])).code).toBe(0);
  expect(box.git('log', '-1', '--format=%an|%s|%(trailers:key=Assisted-by,valueonly)', 'main')).toMatch(
    /^Ada\|with Claude\|claude-code/,
  );
  expect(box.git('status', '--porcelain')).toBe('');
});
