/** Anthropic's SDK, with a scripted model: the real tool runner over the text editor and memory tools. */

import { existsSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { BetaRunnableTool } from '@anthropic-ai/sdk/lib/tools/BetaRunnableTool';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  answerToolUses,
  type CustomTool,
  customTools,
  type MemoryTool,
  memoryTool,
  type TextEditorTool,
  type TextEditorType,
  type ToolResultBlock,
  textEditorTool,
} from '../../src/surfaces/anthropic.ts';
import type { Session } from '../../src/workspace/session.ts';
import { checkTrail, shop, TURNS, type Turn } from '../helpers/adapter-story.ts';
import type { Place } from '../helpers/person-repo.ts';

type Content = Anthropic.Beta.BetaContentBlock;
type ResultParam = Anthropic.Beta.BetaToolResultBlockParam;

describe('types', () => {
  it('are those of the SDK', () => {
    expectTypeOf<TextEditorTool<'text_editor_20250728'>>().toExtend<BetaRunnableTool>();
    expectTypeOf<TextEditorTool<'text_editor_20250429'>>().toExtend<BetaRunnableTool>();
    expectTypeOf<TextEditorTool<'text_editor_20250124'>>().toExtend<BetaRunnableTool>();
    expectTypeOf<TextEditorTool<'text_editor_20241022'>>().toExtend<BetaRunnableTool>();
    expectTypeOf<MemoryTool>().toExtend<BetaRunnableTool>();
    expectTypeOf<CustomTool>().toExtend<BetaRunnableTool>();
    expectTypeOf<ToolResultBlock>().toExtend<ResultParam>();
    expectTypeOf<keyof MemoryToolHandlers>().toEqualTypeOf<
      'view' | 'create' | 'str_replace' | 'insert' | 'delete' | 'rename'
    >();
    expect(betaMemoryTool).toBeTypeOf('function');
  });
});

const VERSIONS: TextEditorType[] = [
  'text_editor_20250728',
  'text_editor_20250429',
  'text_editor_20250124',
  'text_editor_20241022',
];

describe.each(VERSIONS)('the tool runner with %s', type => {
  it('tells the story', async () => {
    const repo = shop();
    const tool = textEditorTool(await repo.session('s1'), { type });
    const editor = (turn: Turn): ScriptedUse => ({ name: tool.name, input: editorInput(type, turn) });
    checkTurns(await runScript(repo, [tool as BetaRunnableTool], editor));
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });
});

describe('the tool runner', () => {
  it('tells the story with the tools of the engine', async () => {
    const repo = shop();
    const tools = customTools(await repo.session('s1'), { prefix: 'file_' });
    const own = ({ tool, input }: Turn): ScriptedUse => ({ name: `file_${tool}`, input });
    checkTurns(await runScript(repo, tools, own));
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });

  it('tells the story with the memory tool', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const tools = [memoryTool(session, { folder: 'src' }), ...customTools(session, { tools: ['undo'] })];
    const memories = (turn: Turn): ScriptedUse =>
      turn.tool === 'undo'
        ? { name: 'undo', input: {} }
        : { name: 'memory', input: { command: turn.tool, ...turn.input, path: '/memories/cart.js' } };
    checkTurns(await runScript(repo, tools, memories));
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });

  it('sends definitions without functions in them', () => {
    const tool = textEditorTool(null as unknown as Session, { maxCharacters: 10_000 });
    expect(JSON.parse(JSON.stringify(tool))).toEqual({
      type: 'text_editor_20250728',
      name: 'str_replace_based_edit_tool',
      max_characters: 10_000,
    });
  });
});

describe('a loop of one’s own', () => {
  it('that is stopped has the answers of what was done, and the rest marked', async () => {
    const repo = shop();
    const stop = new AbortController();
    const create = (path: string) => ({ path, file_text: 'x\n' });
    const blocks = [
      use('a', 'create', create('a.txt')),
      use('b', 'str_replace_based_edit_tool', { command: 'create', ...create('b.txt') }),
      use('c', 'memory', { command: 'create', ...create('/memories/c.txt') }),
      use('d', 'create', create('d.txt')),
      use('e', 'weather', {}),
    ];
    const asked = await repo.open({
      onEvent: event => void (event.kind === 'edit' && event.call === 'a' && stop.abort()),
    });
    const answers = await answerToolUses(asked.session(), blocks, { signal: stop.signal });
    expect(answers.map(one => [one.tool_use_id, one.is_error ?? false])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
      ['d', true],
    ]);
    expect(answers[0]!.content).toContain('create done, commit ');
    for (const { content } of answers.slice(1)) expect(content).toMatch(/^Not done: the run was stopped/);
    const made = ['a.txt', 'b.txt', 'memories/c.txt', 'd.txt'];
    expect(made.map(path => existsSync(repo.path(path)))).toEqual([true, false, false, false]);
    // All were stopped before the first: all are answered.
    const none = await answerToolUses(asked.session(), blocks, {
      signal: AbortSignal.abort(new Error('no')),
    });
    expect(none.map(one => one.is_error)).toEqual([true, true, true, true]);
  });

  it('answers the blocks that are for it, in their order', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const blocks = [
      { type: 'text', text: 'Let me look.' },
      use('a', 'str_replace_based_edit_tool', { command: 'view', path: 'src/cart.js', view_range: [1, 1] }),
      use('b', 'str_replace_editor', {
        command: 'insert',
        path: 'src/cart.js',
        insert_line: 0,
        new_str: 'top',
      }),
      use('c', 'weather', { city: 'Oslo' }),
      use('d', 'str_replace_based_edit_tool', {
        command: 'str_replace',
        path: 'src/cart.js',
        old_str: 'top',
        view_range: null,
      }),
      use('e', 'log', { limit: 1 }),
      use('f', 'str_replace_based_edit_tool', { command: 'erase', path: 'src/cart.js' }),
      use('g', 'str_replace_based_edit_tool', { command: 'create', path: 'a.txt', file_text: 'x', mode: 7 }),
    ];
    const answers = await answerToolUses(session, blocks);
    expect(answers.map(one => [one.tool_use_id, one.is_error ?? false])).toEqual([
      ['a', false],
      ['b', false],
      ['d', false],
      ['e', false],
      ['f', true],
      ['g', true],
    ]);
    expect(answers[4]!.content).toContain('view, str_replace, create, insert, undo_edit');
    expect(answers[5]!.content).toContain('no field `mode`');
    expect(repo.read('src/cart.js').startsWith('\n')).toBe(true);
  });

  it('undoes the last edit of the file that is named', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const edit = (id: string, input: object): unknown => use(id, 'str_replace_editor', input);
    const answers = await answerToolUses(session, [
      edit('a', { command: 'create', path: 'a.txt', file_text: 'a\n' }),
      edit('b', { command: 'str_replace', path: 'a.txt', old_str: 'a', new_str: 'b' }),
      edit('c', { command: 'create', path: 'c.txt', file_text: 'c\n' }),
      edit('d', { command: 'undo_edit', path: 'a.txt' }),
    ]);
    expect(answers.every(one => !one.is_error)).toBe(true);
    expect([repo.read('a.txt'), repo.read('c.txt')]).toEqual(['a\n', 'c\n']);
  });

  it('answers every tool of the engine where none are chosen', async () => {
    const blocks = [use('a', 'blame', { path: 'src/cart.js' })];
    expect(await answerToolUses(await shop().session(), blocks, { tools: undefined })).toHaveLength(1);
  });

  it('cuts what view answers', async () => {
    const repo = shop();
    const view = use('a', 'str_replace_based_edit_tool', { command: 'view', path: 'src/cart.js' });
    const [answer] = await answerToolUses(await repo.session(), [view], { maxCharacters: 50 });
    expect(answer!.content).toContain('cut at 50 characters');
  });
});

describe('the memory tool', () => {
  it('keeps memories in a folder, every version of them in history', async () => {
    const repo = shop();
    const tool = memoryTool(await repo.session('s1'));
    const say = (input: object): Promise<string> => tool.run(tool.parse(input));
    expect(await say({ command: 'view', path: '/memories' })).toBe('/memories is empty.');
    await say({ command: 'create', path: '/memories/a/notes.md', file_text: 'likes tea\n' });
    await say({ command: 'create', path: '/memories/a/b/c/deep.md', file_text: 'x\n' });
    await say({ command: 'str_replace', path: '/memories/a/notes.md', old_str: 'tea', new_str: 'coffee' });
    await say({ command: 'insert', path: '/memories/a/notes.md', insert_line: 1, insert_text: 'and cake' });
    await say({ command: 'rename', old_path: '/memories/a', new_path: '/memories/people' });
    expect(await say({ command: 'view', path: '/memories/people/notes.md' })).toContain('2\tand cake');
    expect(repo.read('memories/people/b/c/deep.md')).toBe('x\n');
    await say({ command: 'delete', path: '/memories/people' });
    expect(await say({ command: 'view', path: '/memories' })).toBe('/memories is empty.');
    expect(repo.git('show', 'vedit/main~1:memories/people/notes.md')).toBe('likes coffee\nand cake');
  });

  it.each([
    [{ command: 'view', path: '/memoriesX/evil.txt' }, 'OUTSIDE_WORKSPACE'],
    [{ command: 'view', path: '/etc/passwd' }, 'OUTSIDE_WORKSPACE'],
    [{ command: 'create', path: '/memories/../src/cart.js', file_text: 'x' }, 'OUTSIDE_WORKSPACE'],
    [{ command: 'delete', path: '/memories' }, 'INVALID_INPUT'],
    [{ command: 'rename', old_path: '/memories/x', new_path: 'src/x' }, 'OUTSIDE_WORKSPACE'],
    [{ command: 'create', path: '/memories/x', file_text: 'x', text: 'y' }, 'INVALID_INPUT'],
    [{ path: '/memories' }, 'INVALID_INPUT'],
    ['view', 'INVALID_INPUT'],
  ])('refuses %j', async (input, code) => {
    const repo = shop();
    const tool = memoryTool(await repo.session());
    await expect(tool.run(input)).rejects.toThrow(code);
    expect(repo.git('status', '--short')).toBe('');
  });
});

function use(id: string, name: string, input: object): unknown {
  return { type: 'tool_use', id, name, input };
}

/** The command of each version for what the engine calls by other names. */
function editorInput(type: TextEditorType, { tool, input }: Turn): object {
  if (tool === 'undo') return { command: 'undo_edit', path: 'src/cart.js' };
  const { insert_text, ...rest } = input;
  if (tool === 'insert' && type < 'text_editor_20250728')
    return { command: tool, ...rest, new_str: insert_text };
  return { command: tool, ...input };
}

interface ScriptedUse {
  name: string;
  input: object;
}

/** Runs the SDK's own loop; the model says what the script says. Answers the result blocks that were sent to it. */
async function runScript(
  repo: Place,
  tools: BetaRunnableTool[],
  say: (turn: Turn) => ScriptedUse,
): Promise<ResultParam[]> {
  const results: ResultParam[] = [];
  let step = 0;
  const client = new Anthropic({
    apiKey: 'none',
    fetch: async (_url, init) => {
      const { messages } = JSON.parse(String(init?.body)) as { messages: Array<{ content: unknown }> };
      const last = messages.at(-1)!.content;
      if (Array.isArray(last)) results.push(...(last as ResultParam[]));
      const turn = TURNS[step];
      turn?.before?.(repo);
      const said = turn && say(turn);
      const block = said && use(`call-${step++}`, said.name, said.input);
      return reply(block ? [block as Content] : [{ type: 'text', text: 'Done.', citations: null }]);
    },
  });
  const messages = [{ role: 'user' as const, content: 'Show the rate.' }];
  await client.beta.messages
    .toolRunner({ model: 'claude-test', max_tokens: 1_000, messages, tools })
    .runUntilDone();
  return results;
}

function reply(content: Content[]): Response {
  const stop_reason = content[0]!.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude-test',
    content,
    stop_reason,
    usage,
  };
  return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } });
}

function checkTurns(results: readonly ResultParam[]): void {
  expect(results).toHaveLength(TURNS.length);
  for (const [index, { says, refused }] of TURNS.entries()) {
    const { content, is_error } = results[index]!;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect({ text, is_error: is_error ?? false }).toEqual({
      text: expect.stringMatching(says),
      is_error: refused ?? false,
    });
  }
}
