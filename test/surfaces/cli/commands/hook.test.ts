import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ClaudeCode, claudeCode, QUIET } from '../../../helpers/claude-code-hooks.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { bin, content, personRepo, plainFolder, vedit } from '../../../helpers/vedit.ts';

const trail = (box: Sandbox): string[] => box.git('log', '--format=%an: %s', 'vedit/main').split('\n');

const hasTrail = (box: Sandbox): boolean => box.git('for-each-ref', 'refs/vedit') !== '';

describe('hook claude-code', () => {
  it('records an edit of Claude Code as one of its session', async () => {
    const box = personRepo();
    const claude = claudeCode(box, '5f2c', (args, options) => bin(box, args, options));
    expect(await claude.edit('a.txt', 'two', 'TWO')).toEqual([QUIET, QUIET]);
    expect(content(box, 'a.txt')).toBe('one\nTWO\nthree\n');
    expect(trail(box)).toEqual(['claude-code: Edit a.txt (+1 -1)', 'Ada: first']);
    expect(box.git('log', '-1', '--format=%(trailers:only,unfold)', 'vedit/main').split('\n')).toEqual(
      expect.arrayContaining(['Vedit-Session: 5f2c', 'Vedit-Agent: claude-code', 'Vedit-Call: toolu_1']),
    );
    expect(box.git('status', '--porcelain')).toBe(' M a.txt');
  });

  it('records what a person changed before as that', async () => {
    const box = personRepo();
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    const claude = claudeCode(box, 's');
    expect(await claude.edit('a.txt', 'two', 'TWO')).toEqual([QUIET, QUIET]);
    expect(trail(box).slice(0, 2)).toEqual(['claude-code: Edit a.txt (+1 -1)', 'outside: outside a.txt']);
    expect(box.git('show', '--format=', 'vedit/main')).toMatch(/ ONE\n-two\n\+TWO\n three$/);
  });

  it('records new files, notebooks, and several edits as one', async () => {
    const box = personRepo();
    const claude = claudeCode(box, 's');
    await claude.write('new/c.txt', 'c\n');
    for (const [tool, field, name] of [
      ['MultiEdit', 'file_path', 'src/b.txt'],
      ['NotebookEdit', 'notebook_path', 'n.ipynb'],
    ] as const) {
      await claude.hook('PreToolUse', tool, { [field]: box.path(name) });
      box.write(name, '{}\n');
      expect(await claude.hook('PostToolUse', tool, { [field]: box.path(name) })).toEqual(QUIET);
    }
    expect(trail(box).slice(0, 3)).toEqual([
      'claude-code: NotebookEdit n.ipynb (+1 -0)',
      'claude-code: MultiEdit src/b.txt (+1 -2)',
      'claude-code: Write new/c.txt (+1 -0)',
    ]);
  });

  it('knows the model from the transcript', async () => {
    const box = personRepo();
    const transcript_path = `${box.dir}/../t.jsonl`;
    writeFileSync(
      transcript_path,
      `${JSON.stringify({ type: 'assistant', message: { model: 'claude-opus-4-5' } })}\n`,
    );
    box.write('a.txt', 'x\n');
    const claude = claudeCode(box, 's');
    await claude.hook('PostToolUse', 'Write', { file_path: box.path('a.txt') }, { transcript_path });
    expect(box.git('log', '-1', '--format=%(trailers:key=Vedit-Model,valueonly)', 'vedit/main').trim()).toBe(
      'claude-opus-4-5',
    );
  });

  it('finds the project when Claude Code is at work elsewhere, and the folder of a work tree', async () => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    const away = claudeCode(box, 's', (args, options) =>
      vedit(box, args, { ...options, env: { CLAUDE_PROJECT_DIR: box.path('src') } }),
    );
    const cwd = plainFolder().dir;
    expect(await away.hook('PostToolUse', 'Write', { file_path: box.path('a.txt') }, { cwd })).toEqual(QUIET);
    box.write('src/b.txt', 'x\n');
    const inside = claudeCode(box, 's');
    const relative = { file_path: 'b.txt' };
    expect(await inside.hook('PostToolUse', 'Edit', relative, { cwd: box.path('src') })).toEqual(QUIET);
    expect(trail(box).slice(0, 2)).toEqual([
      'claude-code: Edit src/b.txt (+1 -2)',
      'claude-code: Write a.txt (+1 -3)',
    ]);
  });

  it('loses none of several that come at once', async () => {
    const box = personRepo();
    const names = ['1.txt', '2.txt', '3.txt', '4.txt'];
    for (const name of names) box.write(name, `${name}\n`);
    const claude = claudeCode(box, 's', (args, options) => bin(box, args, options));
    const hooks = names.map(name => claude.hook('PostToolUse', 'Write', { file_path: box.path(name) }));
    expect(await Promise.all(hooks)).toEqual(names.map(() => QUIET));
    expect(trail(box).slice(0, -1).sort()).toEqual(names.map(name => `claude-code: Write ${name} (+1 -0)`));
  });

  it('makes one line of an id that would be a trailer', async () => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    const input = JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: 'a.txt' },
      session_id: 'x\nVedit-Agent: ada',
    });
    expect(await vedit(box, ['hook', 'claude-code'], { input })).toEqual(QUIET);
    const agents = box.git('log', '-1', '--format=%(trailers:key=Vedit-Agent,valueonly)', 'vedit/main');
    expect(agents.trim()).toBe('claude-code');
  });

  it('records an edit that Cursor made, which runs the hooks of Claude Code, as Cursor’s', async () => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    const input = JSON.stringify({
      conversation_id: 'c1',
      cursor_version: '2.5.26',
      hook_event_name: 'postToolUse',
      tool_name: 'Write',
      tool_input: { file_path: box.path('a.txt') },
      workspace_roots: [box.dir],
    });
    expect(await vedit(box, ['hook', 'claude-code'], { input })).toEqual(QUIET);
    expect(trail(box)[0]).toBe('cursor: Write a.txt (+1 -3)');
  });

  it('says with --json what was done', async () => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    const input = JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Write',
      tool_input: { file_path: 'a.txt' },
    });
    const { out } = await vedit(box, ['hook', 'claude-code', '--json'], { input });
    expect(JSON.parse(out)).toEqual({
      ok: true,
      data: { recorded: box.git('rev-parse', 'vedit/main'), subject: 'Write a.txt (+1 -3)' },
    });
    const again = await vedit(box, ['hook', 'claude-code', '--json'], { input });
    expect(JSON.parse(again.out).data.passed).toMatch(/^NO_CHANGE: /);
  });
});

/** None of these may stop Claude Code, show anything, or be recorded. */
const PASSED: ReadonlyArray<
  readonly [what: string, hook: (box: Sandbox, claude: ClaudeCode) => ReturnType<ClaudeCode['hook']>]
> = [
  [
    'a file that nobody changed',
    (box, claude) => claude.hook('PostToolUse', 'Edit', { file_path: box.path('a.txt') }),
  ],
  [
    'a file outside of the repository',
    (box, claude) => {
      const file_path = `${box.dir}/../outside.txt`;
      writeFileSync(file_path, 'x');
      return claude.hook('PostToolUse', 'Write', { file_path });
    },
  ],
  [
    'a link that leads out',
    (box, claude) => {
      symlinkSync('/etc/hosts', box.path('hosts'));
      return claude.hook('PostToolUse', 'Edit', { file_path: box.path('hosts') });
    },
  ],
  [
    'a file of git',
    (box, claude) => claude.hook('PostToolUse', 'Write', { file_path: box.path('.git/config') }),
  ],
  [
    'an ignored file',
    (box, claude) => {
      box.write('.git/info/exclude', '*.env\n');
      box.write('secret.env', 'KEY=1\n');
      return claude.hook('PostToolUse', 'Write', { file_path: box.path('secret.env') });
    },
  ],
  [
    'a repository inside',
    (box, claude) => {
      mkdirSync(box.path('inner'));
      box.git('init', '-q', box.path('inner'));
      box.write('inner/x.txt', 'x\n');
      return claude.hook('PostToolUse', 'Write', { file_path: box.path('inner/x.txt') });
    },
  ],
  [
    'a tool that changes no file',
    (box, claude) => {
      box.write('a.txt', 'x\n');
      return claude.hook('PostToolUse', 'Read', { file_path: box.path('a.txt') });
    },
  ],
  [
    'an event that is about something else',
    (box, claude) => {
      box.write('a.txt', 'x\n');
      return claude.hook('PostToolUseFailure', 'Edit', { file_path: box.path('a.txt') });
    },
  ],
];

describe('hook claude-code passes over', () => {
  it.each(PASSED)('%s', async (_, hook) => {
    const box = personRepo();
    expect(await hook(box, claudeCode(box, 's'))).toEqual(QUIET);
    expect(hasTrail(box)).toBe(false);
  });

  it('a folder in no repository', async () => {
    const box = plainFolder();
    box.write('a.txt', 'x\n');
    expect(await claudeCode(box, 's').hook('PostToolUse', 'Write', { file_path: box.path('a.txt') })).toEqual(
      QUIET,
    );
  });
});

/** These are worth a word to those who look for it; none is a reason to stop Claude Code. */
const TOLD: ReadonlyArray<readonly [what: string, input: string | Uint8Array, words: RegExp]> = [
  ['nothing', '', /JSON/],
  ['no JSON', 'PostToolUse', /JSON/],
  ['half of it', '{"hook_event_name": "PostToolUse", "tool_na', /JSON/],
  ['a list', '[]', /no JSON object/],
  ['bytes that are no text', new Uint8Array([0x7b, 0xff, 0x7d]), /NOT_UTF8/],
  [
    'no file',
    JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Edit', tool_input: null }),
    /names no file/,
  ],
  [
    'a path with a line end',
    JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: 'a\n.txt' },
    }),
    /INVALID_INPUT/,
  ],
];

describe('hook claude-code goes on', () => {
  it.each(TOLD)('after %s', async (_, input, words) => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    const { code, out, err } = await vedit(box, ['hook', 'claude-code'], { input });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^vedit hook: nothing recorded: [^\n]+\n$/);
    expect(err).toMatch(words);
    expect(hasTrail(box)).toBe(false);
  });

  it('where the repository cannot be written', async () => {
    const box = personRepo();
    box.write('a.txt', 'x\n');
    box.write('.git/vedit', 'a file where a folder should be');
    const { code, out, err } = await claudeCode(box, 's').hook('PostToolUse', 'Edit', {
      file_path: box.path('a.txt'),
    });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(/^vedit hook: nothing recorded: /);
  });

  it.each([
    ['an unknown agent', ['hook', 'claude']],
    ['an unknown option', ['hook', 'claude-code', '--bogus']],
    ['no agent', ['hook']],
  ])('after %s in the settings: 2 would stop it', async (_, args) => {
    const { code, err } = await vedit(personRepo(), args);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^vedit: /) });
  });
});

it('tells Gemini CLI of a rejection after a call alone: before one it shows its model nothing', async () => {
  const box = personRepo();
  const hook = async (hook_event_name: string, path: string, old_string: string, new_string: string) => {
    const tool_input = { file_path: box.path(path), old_string, new_string };
    const event = { session_id: 'g1', cwd: box.dir, hook_event_name, tool_name: 'replace', tool_input };
    return (await vedit(box, ['hook', 'gemini'], { input: JSON.stringify(event) })).out;
  };
  box.write('a.txt', 'one\nbad\nthree\n');
  await hook('AfterTool', 'a.txt', 'two', 'bad');
  await vedit(box, ['reject', 'a.txt', '-m', 'no such line']);
  expect(await hook('BeforeTool', 'src/b.txt', 'b', 'B')).toBe('');
  box.write('src/b.txt', 'B\n');
  expect(JSON.parse(await hook('AfterTool', 'src/b.txt', 'b', 'B')).hookSpecificOutput).toMatchObject({
    hookEventName: 'AfterTool',
    additionalContext: expect.stringContaining('no such line'),
  });
  expect(await hook('BeforeTool', 'a.txt', 'two', 'bad')).toContain('"decision":"deny"');
});

/** Makes another repository, or a submodule, with one file. */
function inner(box: Sandbox, name: string, isSubmodule = false): Sandbox {
  const source = isSubmodule ? '../source' : name;
  const at = (...words: string[]): string => box.git('-C', box.path(source), ...words);
  box.git('init', '-q', box.path(source));
  writeFileSync(box.path(source, 'a.txt'), 'one\n');
  at('add', '-A');
  at('commit', '-qm', 'first');
  if (isSubmodule)
    box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', box.path(source), name);
  const dir = box.path(name);
  const gitDir = box.git('-C', dir, 'rev-parse', '--absolute-git-dir');
  const path = (...names: string[]): string =>
    names[0]?.startsWith('.git/') ? join(gitDir, names[0].slice(5)) : join(dir, ...names);
  return {
    ...box,
    dir,
    path,
    git: (...words: string[]) => box.git('-C', dir, ...words),
    write: (file: string, content: string) => writeFileSync(path(file), content),
  } as Sandbox;
}

describe('the repository is that of the file', () => {
  const edit = (cwd: string, file_path: string, more: object = {}): string =>
    JSON.stringify({
      ...{ session_id: 's1', cwd, hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_use_id: 'toolu_1' },
      tool_input: { file_path, old_string: 'one', new_string: 'ONE' },
      ...more,
    });
  const one = (box: Sandbox): string => (box.git('for-each-ref', 'refs/vedit') === '' ? '' : trail(box)[0]!);
  const history = (box: Sandbox) => mkdirSync(box.path('.git/vedit'), { recursive: true });

  it('of a linked work tree, where the agent is at work in the main one', async () => {
    const box = personRepo();
    const tree = box.path('..', 'tree');
    box.git('worktree', 'add', '-q', tree);
    writeFileSync(`${tree}/a.txt`, 'ONE\ntwo\nthree\n');
    expect(await vedit(box, ['hook', 'claude-code'], { input: edit(box.dir, `${tree}/a.txt`) })).toEqual(
      QUIET,
    );
    expect(box.git('log', '-1', '--format=%an: %s', 'vedit/worktree/tree')).toBe(
      'claude-code: Edit a.txt (+1 -1)',
    );
    expect(box.git('for-each-ref', 'refs/vedit/main')).toBe('');
  });

  it.each<[what: string, inner: (box: Sandbox) => Sandbox, cwd?: (box: Sandbox) => string]>([
    ['of one inside', box => inner(box, 'nested')],
    ['of a submodule', box => inner(box, 'sub', true)],
    ['of one beside', box => inner(box, '../beside')],
    ['of an agent that was started outside of git', box => inner(box, '../beside'), () => plainFolder().dir],
  ])('%s, if that has a history', async (_, make, cwd = box => box.dir) => {
    const box = personRepo();
    const other = make(box);
    other.write('a.txt', 'ONE\n');
    const input = edit(cwd(box), other.path('a.txt'));
    const options = { input, cwd: () => cwd(box) };
    expect(await vedit(box, ['hook', 'claude-code'], options)).toEqual(QUIET);
    expect([one(other), one(box)]).toEqual(['', '']);
    history(other);
    expect(await vedit(box, ['hook', 'claude-code'], options)).toEqual(QUIET);
    expect([one(other), one(box)]).toEqual(['claude-code: Edit a.txt (+1 -1)', '']);
  });

  it('each of a patch', async () => {
    const box = personRepo();
    const other = inner(box, '../beside');
    history(other);
    other.write('a.txt', 'ONE\n');
    box.write('a.txt', 'ONE\ntwo\nthree\n');
    const update = (path: string): string => `*** Update File: ${path}\n@@\n-one\n+ONE\n`;
    const command = `*** Begin Patch\n${update('a.txt')}${update(other.path('a.txt'))}*** End Patch\n`;
    const input = edit(box.dir, '', { tool_name: 'apply_patch', tool_input: { command }, turn_id: 't1' });
    expect(await vedit(box, ['hook', 'codex'], { input })).toEqual(QUIET);
    expect([one(other), one(box)]).toEqual(Array(2).fill('codex: codex.apply_patch a.txt (+1 -1)'));
  });
});
