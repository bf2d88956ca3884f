import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseHook, transcriptModel } from '../../../../src/surfaces/cli/install/claude-code.ts';
import { sandbox } from '../../../helpers/real-git.ts';

/** As https://docs.anthropic.com/en/docs/claude-code/hooks shows it. */
const HOOK = {
  session_id: 'abc123',
  transcript_path: '/home/ada/.claude/projects/shop/00893aaf.jsonl',
  cwd: '/home/ada/shop',
  permission_mode: 'default',
  hook_event_name: 'PostToolUse',
  tool_name: 'Write',
  tool_input: { file_path: '/home/ada/shop/file.txt', content: 'text' },
  tool_response: { filePath: '/home/ada/shop/file.txt', success: true },
  tool_use_id: 'toolu_01ABC123',
};

const parsed = (change: object): ReturnType<typeof parseHook> =>
  parseHook(JSON.stringify({ ...HOOK, ...change }), '/elsewhere');

describe('a hook', () => {
  it('names the file, the session and the call', () => {
    expect(parsed({})).toEqual({
      when: 'after',
      tool: 'Write',
      path: '/home/ada/shop/file.txt',
      folder: '/home/ada/shop',
      session: 'abc123',
      call: 'toolu_01ABC123',
      transcript: HOOK.transcript_path,
      input: HOOK.tool_input,
    });
  });

  it.each([
    ['Edit', 'file_path'],
    ['MultiEdit', 'file_path'],
    ['NotebookEdit', 'notebook_path'],
  ])('of %s has its file in %s', (tool_name, field) => {
    expect(parsed({ tool_name, tool_input: { [field]: 'sub/x' } })?.path).toBe('/home/ada/shop/sub/x');
  });

  it('before a tool runs is told from one after it, and others are passed over', () => {
    expect(parsed({ hook_event_name: 'PreToolUse' })?.when).toBe('before');
    for (const hook_event_name of ['PostToolUseFailure', 'Stop', 'SessionStart', 7, null])
      expect(parsed({ hook_event_name })).toBe(null);
    for (const tool_name of ['Bash', 'Read', 'mcp__vedit__str_replace', 'toString', '', {}])
      expect(parsed({ tool_name })).toBe(null);
  });

  it('that lacks what need not be there is enough', () => {
    const least = { cwd: undefined, session_id: 7, tool_use_id: null, transcript_path: '' };
    expect(parsed({ ...least, tool_input: { file_path: 'x' } })).toEqual({
      when: 'after',
      tool: 'Write',
      path: '/elsewhere/x',
      folder: '/elsewhere',
      session: undefined,
      call: undefined,
      transcript: undefined,
      input: { file_path: 'x' },
    });
  });

  it.each(['', 'text', '{', '[]', 'null', '7', '"x"', '{"a":1}{"b":2}'])('that is %j is an error', text => {
    expect(() => parseHook(text, '/')).toThrow();
  });

  it.each([undefined, null, 7, '', [], {}])('whose file is %j is an error', file_path => {
    expect(() => parsed({ tool_input: { file_path } })).toThrow('file_path');
    expect(() => parsed({ tool_input: file_path })).toThrow('file_path');
  });
});

const line = (type: string, model?: unknown): string =>
  `${JSON.stringify({ type, message: { role: type, model } })}\n`;

describe('the model', () => {
  it('is that of the newest answer', async () => {
    const box = sandbox();
    const path = box.path('t.jsonl');
    box.write(
      't.jsonl',
      line('assistant', 'claude-old') + line('assistant', 'claude-opus-4-5') + line('user'),
    );
    appendFileSync(path, `${line('assistant', '<synthetic>')}{"type":"assistant","message":{"model":"cut`);
    expect(await transcriptModel(path)).toBe('claude-opus-4-5');
  });

  it('is found at the end of a long transcript', async () => {
    const box = sandbox();
    box.write('t.jsonl', `${line('user', 'x'.repeat(3_000_000))}${line('assistant', 'claude-haiku')}`);
    expect(await transcriptModel(box.path('t.jsonl'))).toBe('claude-haiku');
  });

  it('is not known without a transcript, from a folder, or from a pipe that nobody writes to', async () => {
    const box = sandbox();
    execFileSync('mkfifo', [box.path('pipe')]);
    for (const path of [undefined, 't.jsonl', box.path('none'), box.dir, box.path('pipe'), '/dev/zero'])
      expect(await transcriptModel(path)).toBe(undefined);
  });
});
