import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/workspace/open.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { content, personRepo } from '../helpers/vedit.ts';

const folder = (box: Sandbox): string => box.path('.git/vedit/spool');

const subjects = (box: Sandbox): string[] =>
  box.git('log', '--format=%an|%s', 'vedit/main').split('\n').slice(0, -1);

function leave(box: Sandbox, name: string, event: object | string): void {
  mkdirSync(folder(box), { recursive: true });
  writeFileSync(`${folder(box)}/${name}`, typeof event === 'string' ? event : JSON.stringify(event));
  writeFileSync(box.path('.git/vedit/pending'), '');
}

const edit = (box: Sandbox, from: string, to: string, id: string, more: object = {}): object => ({
  session_id: 's1',
  cwd: box.dir,
  hook_event_name: 'PostToolUse',
  tool_name: 'Edit',
  tool_input: { file_path: box.path('a.txt'), old_string: from, new_string: to },
  tool_use_id: id,
  ...more,
});

describe('events that hooks left', () => {
  it('are edits, in their order, before anything is read', async () => {
    const box = personRepo();
    box.write('a.txt', 'ONE\nTWO\nthree\n');
    leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'toolu_1'));
    leave(box, 'claude-code.2', edit(box, 'two', 'TWO', 'toolu_2'));
    await using workspace = await openWorkspace({ root: box.dir });
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent }) => agent)).toEqual(['claude-code', 'claude-code', null]);
    expect(subjects(box)).toEqual(['claude-code|Edit a.txt (+1 -1)', 'claude-code|Edit a.txt (+1 -1)']);
    expect(readdirSync(folder(box))).toEqual([]);
  });

  it('are edits before the next one, and what was typed since is told from them', async () => {
    const box = personRepo();
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'other' });
    await session.view({ path: 'a.txt' });
    box.write('a.txt', 'ONE\ntwo\ntyped\n');
    leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'toolu_1'));
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: 'TWO' });
    expect(subjects(box).map(line => line.replace(/ \(.*/, ''))).toEqual([
      'other|str_replace a.txt',
      'outside|outside a.txt',
      'claude-code|Edit a.txt',
    ]);
    expect(content(box, 'a.txt')).toBe('ONE\nTWO\ntyped\n');
  });

  it('that come while others are taken wait for who comes next', async () => {
    const box = personRepo();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'toolu_1'));
    let count = 1;
    const onEvent = (): void =>
      leave(box, `claude-code.${++count}`, edit(box, `x${count}`, 'y', `toolu_${count}`));
    await using workspace = await openWorkspace({ root: box.dir, onEvent });
    await workspace.session().log();
    expect(subjects(box)).toEqual(['claude-code|Edit a.txt (+1 -1)']);
    expect(readdirSync(folder(box)).length).toBeGreaterThan(0);
    expect(existsSync(box.path('.git/vedit/pending'))).toBe(true);
  });

  it('are taken once by many at once', async () => {
    const box = personRepo();
    box.write('a.txt', 'ONE\nTWO\nthree\n');
    leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'toolu_1'));
    const gemini = { hook_event_name: 'AfterTool', tool_name: 'replace', tool_use_id: undefined };
    leave(box, 'gemini.2', edit(box, 'two', 'TWO', '', gemini));
    const open = () => openWorkspace({ root: box.dir });
    const all = await Promise.all([open(), open(), open()]);
    await Promise.all(all.map(one => one.session().log()));
    for (const one of all) await one.close();
    expect(subjects(box)).toEqual(['gemini|replace a.txt (+1 -1)', 'claude-code|Edit a.txt (+1 -1)']);
  });

  it('that are hostile end nothing, and the others are taken', async () => {
    const box = personRepo();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    leave(box, 'claude-code.0', 'no JSON');
    leave(box, 'claude-code.1', `{"x":${'['.repeat(100_000)}`);
    leave(
      box,
      'claude-code.2',
      edit(box, 'x', 'y', 'c', { tool_input: { file_path: '/etc/hosts', content: 'x' } }),
    );
    leave(
      box,
      'claude-code.3',
      edit(box, 'x', 'y', 'd', { tool_input: { file_path: box.path('.git/config'), content: 'x' } }),
    );
    leave(
      box,
      'claude-code.4',
      edit(box, 'x', 'y', 'e', { session_id: 'x\nVedit-Agent: ada', tool_input: {} }),
    );
    execFileSync('mkfifo', [`${folder(box)}/claude-code.5`]);
    symlinkSync('/dev/zero', `${folder(box)}/claude-code.6`);
    mkdirSync(`${folder(box)}/claude-code.7`);
    leave(box, 'claude-code.9', `{"x":"${'x'.repeat(64 * 1024 * 1024)}`);
    leave(box, 'claude-code.8', edit(box, 'one', 'ONE', 'toolu_1'));
    await using workspace = await openWorkspace({ root: box.dir });
    await workspace.session().log();
    expect(subjects(box)).toEqual(['claude-code|Edit a.txt (+1 -1)']);
    const left = readdirSync(folder(box)).sort();
    expect(left).toEqual(['claude-code.5', 'claude-code.6', 'claude-code.7']);
    expect(existsSync(box.path('.git/vedit/pending'))).toBe(false);
  });
});

describe('an event whose edit is not in the file', () => {
  const first = 'one\ntwo\nthree\n';
  const told = (text: string, from: string, to: string): object => ({
    tool_response: { originalFile: text, oldString: from, newString: to },
  });

  it.each<[what: string, leaves: (box: Sandbox) => void]>([
    [
      'held for its owner',
      box => leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'c1', { tool_response: { staged: true } })),
    ],
    [
      'denied, and told all the same',
      box => leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'c1', told(first, 'one', 'ONE'))),
    ],
    [
      'a whole text that was not written',
      box =>
        leave(
          box,
          'claude-code.1',
          edit(box, '', '', 'c1', {
            tool_name: 'Write',
            tool_input: { file_path: box.path('a.txt'), content: 'x\n' },
          }),
        ),
    ],
    [
      'a file that was not made',
      box =>
        leave(
          box,
          'claude-code.1',
          edit(box, '', '', 'c1', {
            tool_name: 'Write',
            tool_input: { file_path: box.path('new.txt'), content: 'x\n' },
          }),
        ),
    ],
    [
      'told in the wrong order',
      box => {
        leave(box, 'claude-code.2', edit(box, 'ONE', 'one', 'c2', told('ONE\ntwo\nthree\n', 'ONE', 'one')));
        leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'c1', told(first, 'one', 'ONE')));
      },
    ],
    ['cut', box => leave(box, 'claude-code.1', JSON.stringify(edit(box, 'one', 'ONE', 'c1')).slice(0, -40))],
    [
      'of another file',
      box =>
        leave(
          box,
          'claude-code.1',
          edit(box, 'one', 'ONE', 'c1', {
            tool_input: { file_path: box.path('src/b.txt'), old_string: 'one', new_string: 'ONE' },
          }),
        ),
    ],
  ])('is none: %s', async (_, leaves) => {
    const box = personRepo();
    leaves(box);
    await using workspace = await openWorkspace({ root: box.dir });
    await workspace.session().log();
    expect(box.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(content(box, 'a.txt')).toBe(first);
  });

  it('takes nothing from what the person typed, and nothing from a true one behind it', async () => {
    const box = personRepo();
    box.write('a.txt', 'one\ntwo\nTHREE\ntyped\n');
    leave(box, 'claude-code.1', edit(box, 'one', 'ONE', 'c1', told(first, 'one', 'ONE')));
    leave(box, 'claude-code.2', edit(box, 'three', 'THREE', 'c2', told(first, 'three', 'THREE')));
    await using workspace = await openWorkspace({ root: box.dir });
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent }) => agent)).toEqual([null, null, 'claude-code', null]);
    expect(subjects(box)).toEqual(['outside|outside a.txt', 'claude-code|Edit a.txt (+1 -1)']);
  });

  it('of which the person changed the proposal is the agent’s and the person’s', async () => {
    const box = personRepo();
    box.git('config', 'user.name', 'Ada');
    box.git('config', 'user.email', 'ada@example.com');
    box.write('a.txt', 'one\nTWO, as I want it\nthree\nfour\n');
    const input = {
      file_path: box.path('a.txt'),
      old_string: 'two\nthree\n',
      new_string: 'TWO\nthree\nfour\n',
    };
    const response = {
      originalFile: first,
      oldString: 'two\nthree\n',
      newString: 'TWO, as I want it\nthree\nfour\n',
      userModified: true,
    };
    leave(box, 'claude-code.1', edit(box, '', '', 'c1', { tool_input: input, tool_response: response }));
    await using workspace = await openWorkspace({ root: box.dir });
    const { data } = await workspace.session().blame({ path: 'a.txt' });
    expect(data.lines.map(({ agent, author }) => agent ?? author)).toEqual([
      'Ada',
      'Ada',
      'Ada',
      'claude-code',
    ]);
    expect(subjects(box)).toEqual(['Ada|outside a.txt', 'claude-code|Edit a.txt (+2 -1)']);
  });
});
