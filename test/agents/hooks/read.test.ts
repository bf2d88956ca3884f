import { describe, expect, it } from 'vitest';
import type { HookEvent } from '../../../src/agents/hooks/event.ts';
import { plainPath, readHook } from '../../../src/agents/hooks/read.ts';
import samples from './samples.json' with { type: 'json' };

const bytes = (payload: unknown): Uint8Array =>
  new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));

const read = (payload: unknown, named = 'claude-code'): HookEvent | null => readHook(bytes(payload), named);

/** Without what is not there, and where the conversation is kept. */
function plain(event: HookEvent | null): object {
  const { transcript: _, ...rest } = event!;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
}

describe('an event', () => {
  it.each(samples)('of $agent $version is read: $event.when $event.tool', ({ agent, payload, event }) => {
    const runsOthers = agent === 'cursor' || agent === 'vscode' || agent === 'copilot';
    for (const named of runsOthers ? ['claude-code', agent] : [agent])
      expect(plain(read(payload, named))).toEqual(event);
  });

  const EDIT = {
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: 'a', old_string: 'x', new_string: 'y' },
  };

  it.each([
    ['a byte order mark', `\ufeff${JSON.stringify(EDIT)}`],
    ['raw control characters in a text', JSON.stringify({ ...EDIT, reason: '#' }).replace('#', '\u0001\n\t')],
  ])('with %s is read', (_, text) => {
    expect(read(text)?.deed).toEqual({
      kind: 'files',
      files: [{ path: 'a', steps: [{ old: 'x', new: 'y', all: false }] }],
    });
  });

  it.each([true, false])('in UTF-16LE is read, with a mark: %j', isMarked => {
    const wide = Buffer.from(`${isMarked ? '\ufeff' : ''}${JSON.stringify(EDIT)}`, 'utf16le');
    expect(readHook(wide, 'cursor')?.session).toBe('s');
  });

  it('is of the agent that is named where nothing else tells', () => {
    expect(read(EDIT, 'qwen')?.agent).toBe('qwen');
  });

  it('of a tool that changes nothing, or failed, or is the engine’s own, is about no file', () => {
    for (const tool_name of ['Read', 'mcp__vedit__str_replace', 'toString', '', 7])
      expect(read({ ...EDIT, tool_name })?.deed).toBe(null);
    expect(read({ ...EDIT, hook_event_name: 'PostToolUseFailure' })?.deed).toBe(null);
    const command = { ...EDIT, hook_event_name: 'PostToolUseFailure', tool_name: 'Bash' };
    expect(read(command)?.deed?.kind).toBe('command');
  });

  it('of Gemini CLI in which the person changed the proposal has the proposal', () => {
    const input = { file_path: 'a', content: 'y\n', modified_by_user: true, ai_proposed_content: 'x\n' };
    const response = { returnDisplay: { originalContent: 'o\n', newContent: 'y\n' } };
    const event = { hook_event_name: 'AfterTool', tool_name: 'write_file', tool_input: input };
    expect(read({ ...EDIT, ...event, tool_response: response }, 'gemini')?.deed).toEqual({
      kind: 'files',
      files: [{ path: 'a', original: 'o\n', result: 'x\n', isPersons: true }],
    });
  });

  it('of another kind is passed over', () => {
    for (const hook_event_name of ['Notification', 'toString', 7, null])
      expect(read({ ...EDIT, hook_event_name })).toBe(null);
  });

  it.each(['', 'text', '{', '[]', 'null', '7', '"x"', '{"a":1}{"b":2}'])('that is %j is an error', text => {
    expect(() => read(text)).toThrow();
  });

  it('whose file is no text is an error', () => {
    for (const file_path of [undefined, null, 7, '', [], {}])
      expect(() => read({ ...EDIT, tool_input: { file_path } })).toThrow('file_path');
    expect(() => read({ ...EDIT, tool_input: null })).toThrow('file_path');
  });

  it('that is very deep ends', () => {
    const deep = `{"session_id":"s","hook_event_name":"Stop","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(read(deep)?.when).toBe('stop');
  });
});

describe('plainPath', () => {
  it('knows how Cursor writes a path of Windows', () => {
    expect(['/c:/a/b', '/c/a', 'c:/a', 'a'].map(plainPath)).toEqual(['c:/a/b', '/c/a', 'c:/a', 'a']);
  });
});
