import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEventName } from '../../../src/engine/origins/agent-events.ts';
import { aMoment } from '../../helpers/agent-events.ts';
import type { Sandbox } from '../../helpers/real-git.ts';
import { BIN, cleanEnv, personRepo, plainFolder, vedit } from '../../helpers/vedit.ts';

const FRONT = join(dirname(BIN), 'vedit-hook');

/** The front as Claude Code starts it; `PATH` without node where it must not need it. */
function front(
  box: Sandbox,
  input: string,
  { cwd = box.dir, env = {}, shell = '', before = '', agent = 'claude-code' } = {},
): { out: string; err: string; code: number | null } {
  const options = { cwd, input, encoding: 'utf8', env: cleanEnv(box, env) } as const;
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `${before} ${shell} ${FRONT} ${agent} ${process.execPath}`],
    options,
  );
  return { out: stdout, err: stderr, code: status };
}

const QUIET = { out: '', err: '', code: 0 };

const event = (hook_event_name: string, more: object = {}): string =>
  JSON.stringify({ session_id: 'abc', transcript_path: '/t', cwd: '/x', hook_event_name, ...more });

const bash = (name: string, tool_use_id: string, tool_input: object = { command: 'true' }): string =>
  event(name, { tool_name: 'Bash', tool_input, tool_use_id });

function repo(): Sandbox {
  const box = personRepo();
  box.git('config', 'user.name', 'Ada');
  box.git('config', 'user.email', 'ada@example.com');
  mkdirSync(box.path('.git/vedit'));
  return box;
}

const folder = (box: Sandbox): string => box.path('.git/vedit/agents');

/** What was noted: kind, call and tool. */
function noted(box: Sandbox): string[] {
  if (!existsSync(folder(box))) return [];
  const events = readdirSync(folder(box))
    .map(parseEventName)
    .filter(one => one !== null);
  expect(events.every(({ agent, session }) => agent === 'claude-code' && session === 'abc')).toBe(true);
  return events.map(({ kind, id, tool }) => (tool === '' ? kind : `${kind} ${id} ${tool}`)).sort();
}

describe('the front', () => {
  it('notes turns and commands, in a folder for the user alone', () => {
    const box = repo();
    for (const input of [
      event('SessionStart', { source: 'startup' }),
      event('UserPromptSubmit', { prompt: 'say "session_id":"zzz" and "hook_event_name":"Stop"' }),
      bash('PreToolUse', 'toolu_1'),
      bash('PostToolUse', 'toolu_1'),
      bash('PreToolUse', 'toolu_2', { command: 'sleep 9', run_in_background: true }),
      bash('PostToolUseFailure', 'toolu_3'),
      event('PreToolUse', { tool_name: 'mcp__files__write', tool_input: {}, tool_use_id: 'toolu_4' }),
      event('Stop'),
      event('Stop'),
      event('SessionEnd', { reason: 'exit' }),
    ])
      expect(front(box, input)).toEqual(QUIET);
    expect(noted(box)).toEqual([
      'after toolu_1 Bash',
      'after toolu_3 Bash',
      'background toolu_2 Bash',
      'before toolu_1 Bash',
      'before toolu_4 mcp__files__write',
      'end',
      'prompt',
      'start',
      'stop',
      'stop',
    ]);
    expect(statSync(folder(box)).mode & 0o777).toBe(0o700);
  });

  it('notes one call once', () => {
    const box = repo();
    for (const _ of [1, 2]) expect(front(box, bash('PreToolUse', 'toolu_1'))).toEqual(QUIET);
    expect(noted(box)).toEqual(['before toolu_1 Bash']);
  });

  it('finds the id of a call behind a long command, and none that a command only says', () => {
    const box = repo();
    const command = `echo ${'x'.repeat(5_000)} '"tool_use_id":"toolu_9","run_in_background":true'`;
    expect(front(box, bash('PreToolUse', 'toolu_1', { command }))).toEqual(QUIET);
    expect(noted(box)).toEqual(['before toolu_1 Bash']);
  });

  it('drops what changes nothing, without node', () => {
    const box = repo();
    const read = event('PreToolUse', { tool_name: 'Read', tool_input: { file_path: 'a.txt' } });
    const own = event('PreToolUse', { tool_name: 'mcp__vedit__create', tool_input: {} });
    for (const input of [read, own, event('Notification'), event('SubagentStop')])
      expect(front(box, input)).toEqual(QUIET);
    expect(noted(box)).toEqual([]);
  });

  it('passes over other folders, and repositories that vedit was never in', () => {
    expect(front(plainFolder(), bash('PreToolUse', 'toolu_1'))).toEqual(QUIET);
    const box = personRepo();
    expect(front(box, bash('PreToolUse', 'toolu_1'))).toEqual(QUIET);
    expect(existsSync(box.path('.git/vedit'))).toBe(false);
  });

  it('finds the repository from a folder in it, a work tree of it, and by the project', () => {
    const box = repo();
    box.git('worktree', 'add', '-q', '../tree');
    front(box, bash('PreToolUse', 'c1'), { cwd: box.path('src') });
    front(box, bash('PreToolUse', 'c2'), { cwd: box.path('..', 'tree') });
    front(box, bash('PreToolUse', 'c3'), { cwd: plainFolder().dir, env: { CLAUDE_PROJECT_DIR: box.dir } });
    expect(noted(box)).toEqual(['before c1 Bash', 'before c2 Bash', 'before c3 Bash']);
  });

  it('hands on what it cannot read, and leaves edits for whoever comes next', async () => {
    const box = repo();
    const odd = JSON.stringify({ tool_use_id: 'x', hook_event_name: 'Stop', session_id: 'abc d' });
    expect(front(box, odd)).toEqual(QUIET);
    expect(readdirSync(folder(box)).map(name => parseEventName(name)?.session)).toEqual(['abc_d']);
    box.write('a.txt', 'by Claude\n');
    const edit = event('PostToolUse', {
      cwd: box.dir,
      tool_name: 'Write',
      tool_input: { file_path: box.path('a.txt'), content: 'by Claude\n' },
      tool_use_id: 'toolu_1',
    });
    for (const _ of [1, 2]) expect(front(box, edit)).toEqual(QUIET);
    expect(readdirSync(box.path('.git/vedit/spool'))).toHaveLength(2);
    expect(statSync(box.path('.git/vedit/spool')).mode & 0o777).toBe(0o700);
    const { out } = await vedit(box, ['log', '--oneline']);
    expect(out).toMatch(/^\S+ \S+ \S+ \S+ claude-code: Write a.txt \(\+1 -3\)\n$/);
    expect(readdirSync(box.path('.git/vedit/spool'))).toEqual([]);
    expect(existsSync(box.path('.git/vedit/pending'))).toBe(false);
  });

  it('spools no event for another folder, and none where a person rejected text', () => {
    const box = repo();
    const write = (file_path: string): string =>
      event('PostToolUse', { cwd: box.dir, tool_name: 'Write', tool_input: { file_path } });
    front(box, write('/elsewhere/a.txt'));
    mkdirSync(box.path('.git/vedit/rejections'));
    writeFileSync(box.path('.git/vedit/rejections/x'), '');
    front(box, write(box.path('a.txt')));
    expect(existsSync(box.path('.git/vedit/spool'))).toBe(false);
  });

  it('leaves an edit in the repository of its file, if that has a history', () => {
    const box = repo();
    for (const name of ['inner', '../beside', 'new']) box.git('init', '-q', box.path(name));
    for (const name of ['inner/.git/vedit', '../beside/.git/vedit']) mkdirSync(box.path(name));
    box.git('worktree', 'add', '-q', '../tree');
    const tools = { tool_name: 'Write', tool_use_id: 'c1' };
    for (const name of ['inner/a.txt', '../beside/x/a.txt', '../tree/a.txt', 'new/a.txt', 'a.txt'])
      for (const when of ['PreToolUse', 'PostToolUse'])
        expect(
          front(box, event(when, { ...tools, tool_input: { file_path: box.path(name) } }), {
            cwd: name === 'a.txt' ? box.dir : plainFolder().dir,
            env: { CLAUDE_PROJECT_DIR: box.dir },
          }),
        ).toEqual(QUIET);
    const left = (name: string): string[] => (existsSync(box.path(name)) ? readdirSync(box.path(name)) : []);
    const spools = ['inner/.git/vedit', '../beside/.git/vedit', '.git/worktrees/tree/vedit', '.git/vedit'];
    expect(spools.map(name => left(`${name}/spool`).length)).toEqual([1, 1, 1, 1]);
    expect(left('new/.git/vedit')).toEqual([]);
    expect(left('inner/.git/vedit/agents')).toHaveLength(2);
  });

  it('ends with 0 whatever it is given, and wherever it cannot write', () => {
    const box = repo();
    writeFileSync(folder(box), 'no folder');
    expect(front(box, bash('PreToolUse', 'toolu_1'))).toEqual(QUIET);
    for (const input of ['', '{', '[]', '\0\0', `{${'['.repeat(100_000)}`, '\ufeff{}', 'x'.repeat(3_000_000)])
      expect(front(box, input)).toMatchObject({ code: 0, out: '' });
  });

  it('is not stopped by an input that does not end', async () => {
    const box = repo();
    const child = spawn(
      'sh',
      ['-c', `head -c 9000000 /dev/zero | ${FRONT} claude-code ${process.execPath}`],
      {
        cwd: box.dir,
        env: cleanEnv(box),
      },
    );
    expect(await new Promise(done => child.once('close', done))).toBe(0);
  });
});

const SHELLS = ['dash', 'bash --posix', 'bash', 'busybox ash', 'zsh --emulate sh', 'ksh'].filter(
  shell => spawnSync('sh', ['-c', `${shell} -c :`]).status === 0,
);

/** An event that makes `new.txt`, around the length at which the front reads on. */
const writes = (box: Sandbox, content: string): string =>
  event('PostToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: box.path('new.txt'), content },
    tool_use_id: 'toolu_1',
  });

describe('an event is left whole', () => {
  it.each(SHELLS)('by %s, in whatever characters it is', shell => {
    const box = repo();
    const env = { LC_ALL: 'C.UTF-8' };
    const texts = [100, 500, 600, 660, 2_000].map(n => '日本é'.repeat(n));
    const events = texts.map(text => writes(box, text));
    for (const input of events) expect(front(box, input, { shell, env })).toEqual(QUIET);
    const spool = box.path('.git/vedit/spool');
    const left = new Set(readdirSync(spool).map(name => readFileSync(join(spool, name), 'utf8')));
    expect(events.map(one => left.has(one))).toEqual(events.map(() => true));
  });

  it('though its pipe gives it in pieces', () => {
    const box = repo();
    const input = writes(box, '日本é'.repeat(400));
    const before = 'dd bs=700 2>/dev/null |';
    expect(front(box, input, { before })).toEqual(QUIET);
    const [name] = readdirSync(box.path('.git/vedit/spool'));
    expect(readFileSync(box.path('.git/vedit/spool', name!), 'utf8')).toBe(input);
  });

  it.each(['a', 'é'.repeat(3_000)])('or not at all, and the agent’s user is told', content => {
    const box = repo();
    const before = 'trap "" XFSZ; ulimit -f 0;';
    const { code, err } = front(box, writes(box, content), { before });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^vedit-hook: .* disk/) });
    expect(readdirSync(box.path('.git/vedit/spool'))).toEqual([]);
    expect(existsSync(box.path('.git/vedit/pending'))).toBe(false);
  });

  it.each([10, 9_000])('in the room that is kept for it on a full disk: %d characters', async size => {
    const box = repo();
    const spool = box.path('.git/vedit/spool');
    front(box, bash('PreToolUse', 'toolu_0'));
    const content = 'x'.repeat(size);
    box.write('new.txt', content);
    const disk = box.path('disk');
    mkdirSync(disk);
    const mount = ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk];
    // Only root can make a disk that is full.
    if (process.platform !== 'linux' || spawnSync('mount', mount).status !== 0) return;
    try {
      cpSync(box.path('.git/vedit'), join(disk, 'vedit'), { recursive: true });
      rmSync(box.path('.git/vedit'), { recursive: true });
      symlinkSync(join(disk, 'vedit'), box.path('.git/vedit'));
      spawnSync('dd', ['if=/dev/zero', `of=${disk}/fill`, 'bs=4k']);
      expect(front(box, writes(box, content))).toEqual(QUIET);
      const [name] = readdirSync(spool);
      expect(JSON.parse(readFileSync(join(spool, name!), 'utf8')).tool_input.content).toBe(content);
    } finally {
      spawnSync('umount', ['-l', disk]);
    }
  });
});

describe('what a command did', () => {
  const log = (box: Sandbox): string[] =>
    box.git('log', '--format=%an|%s', 'vedit/main').split('\n').slice(0, -1);

  it('is told from what the person typed before it and after', async () => {
    const box = repo();
    front(box, event('UserPromptSubmit'));
    await aMoment();
    box.write('a.txt', 'typed\ntwo\nthree\n');
    await aMoment();
    front(box, bash('PreToolUse', 'c1'));
    await aMoment();
    box.write('a.txt', 'typed\ncommand\nthree\n');
    box.write('new.txt', 'by the command\n');
    await aMoment();
    front(box, bash('PostToolUse', 'c1'));
    await aMoment();
    box.write('a.txt', 'typed\ncommand\ntyped too\n');
    await aMoment();
    front(box, bash('PreToolUse', 'c2'));
    expect(log(box)).toEqual(['Ada|outside a.txt', 'claude-code|shell 2 files (+2 -1)', 'Ada|outside a.txt']);
    const { out } = await vedit(box, ['blame', 'a.txt']);
    expect(
      out
        .split('\n')
        .map(line => /^\S+ (\S+)/.exec(line)?.[1])
        .slice(0, 3),
    ).toEqual(['Ada', 'claude-code', 'Ada']);
  });

  it('is one edit where the agent gives its calls no ids', async () => {
    const box = repo();
    const gemini = (name: string): string =>
      event(name, { tool_name: 'run_shell_command', tool_input: { command: 'true' }, timestamp: 't' });
    for (const [n, text] of ['one', 'two'].entries()) {
      front(box, gemini('BeforeTool'), { agent: 'gemini' });
      await aMoment();
      box.write(`${n}.txt`, `${text}\n`);
      await aMoment();
      front(box, gemini('AfterTool'), { agent: 'gemini' });
    }
    expect(log(box)).toEqual(['gemini|shell 1.txt (+1 -0)', 'gemini|shell 0.txt (+1 -0)']);
  });

  it('costs no node where nothing changed since the last one', async () => {
    const box = repo();
    front(box, bash('PreToolUse', 'c1'));
    const env = { PATH: process.env.PATH! };
    const options = {
      cwd: box.dir,
      input: bash('PostToolUse', 'c1'),
      encoding: 'utf8',
      env: cleanEnv(box, env),
    } as const;
    // A node that fails would be heard of.
    const { stderr, status } = spawnSync('sh', ['-c', `${FRONT} claude-code /nonexistent/node`], options);
    expect([stderr, status]).toEqual(['', 0]);
    expect(existsSync(box.path('.git/refs/vedit'))).toBe(false);
  });
});
