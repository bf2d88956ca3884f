/** Vercel's AI SDK, with a scripted model: the real `generateText` over the tools and over provider tools. */

import { anthropic } from '@ai-sdk/anthropic';
import { openai } from '@ai-sdk/openai';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { NearestText, ToolSets, ViewData } from '../../src/index.ts';
import {
  type AiTool,
  aiTools,
  applyPatchExecute,
  memoryExecute,
  textEditorExecute,
} from '../../src/surfaces/ai.ts';
import type { Session } from '../../src/workspace/session.ts';
import { checkTrail, shop, TURNS, type Turn } from '../helpers/adapter-story.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

describe('types', () => {
  it('are those of the SDK', () => {
    expectTypeOf<Record<string, AiTool>>().toExtend<ToolSet>();
    const session = null as unknown as Session;
    const made = [
      anthropic.tools.textEditor_20250728({ execute: textEditorExecute(session), maxCharacters: 9_000 }),
      anthropic.tools.textEditor_20241022({ execute: textEditorExecute(session) }),
      anthropic.tools.memory_20250818({ execute: memoryExecute(session) }),
      openai.tools.applyPatch({ execute: applyPatchExecute(session) }),
      tool(aiTools(session).view),
    ];
    expect(made.map(one => typeof one.execute)).toEqual(made.map(() => 'function'));
  });
});

describe('generateText', () => {
  it('tells the story with the tools of the engine', async () => {
    const repo = shop();
    const results = await run(repo, aiTools(await repo.session('s1')), turn => [turn.tool, turn.input]);
    checkTurns(results);
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });

  it('gives a page the whole result, and the model the text', async () => {
    const repo = shop();
    const tools = aiTools(await repo.session('s1'), { tools: ['str_replace'] });
    const output = await tools.str_replace!.execute({
      path: 'src/cart.js',
      oldString: '0.19',
      newString: '0.2',
    });
    expect(output).toMatchObject({
      ok: true,
      data: { commit: expect.any(String), diff: expect.any(String) },
    });
    expect(tools.str_replace!.toModelOutput({ output })).toEqual({
      type: 'text',
      value: expect.stringContaining('str_replace done'),
    });
    // Mastra hands the result over as it is.
    expect(tools.str_replace!.toModelOutput(output)).toEqual(tools.str_replace!.toModelOutput({ output }));
    const refused = await tools.str_replace!.execute({ path: 'none' });
    for (const given of [refused, { output: refused }])
      expect(tools.str_replace!.toModelOutput(given)).toMatchObject({ type: 'error-text' });
  });

  it('tells the story with Anthropic’s text editor', async () => {
    const repo = shop();
    const editor = anthropic.tools.textEditor_20241022({
      execute: textEditorExecute(await repo.session('s1')),
    });
    const results = await run(repo, { str_replace_editor: editor }, turn => [
      'str_replace_editor',
      editorInput(turn),
    ]);
    checkTurns(results);
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });

  it('keeps memories, and applies OpenAI’s patches', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const memory = memoryExecute(session, { folder: '.memory' });
    await memory({ command: 'create', path: '/memories/a.md', file_text: 'tea\n' }, { toolCallId: 'm1' });
    expect(repo.read('.memory/a.md')).toBe('tea\n');
    await expect(memory({ command: 'create', path: '/memories/a.md', file_text: 'x' })).rejects.toThrow(
      'FILE_EXISTS',
    );
    const apply = applyPatchExecute(session);
    const operation = { type: 'update_file', path: '.memory/a.md', diff: '@@\n-tea\n+coffee\n' };
    expect(await apply({ callId: 'p1', operation })).toMatchObject({ status: 'completed' });
    expect(await apply({ callId: 'p2', operation })).toMatchObject({
      status: 'failed',
      output: expect.stringContaining('PATCH_FAILED'),
    });
    expect(
      repo.git('log', '--format=%(trailers:key=Vedit-Call,valueonly,separator=%x2C)', '-2', 'vedit/main'),
    ).toBe('p1\nm1');
  });
});

function editorInput({ tool: name, input }: Turn): Record<string, unknown> {
  if (name === 'undo') return { command: 'undo_edit', path: 'src/cart.js' };
  const { insert_text, ...rest } = input;
  return insert_text === undefined
    ? { command: name, ...rest }
    : { command: name, ...rest, new_str: insert_text };
}

interface Result {
  text: string;
  isError: boolean;
}

/** Runs the SDK's own loop over a scripted model. Answers what the model was given after each of its calls. */
async function run(
  repo: Place,
  tools: ToolSet,
  say: (turn: Turn) => [string, Record<string, unknown>],
): Promise<Result[]> {
  let results: Result[] = [];
  let step = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content.map(resultOf) : []));
      const turn = TURNS[step];
      turn?.before?.(repo);
      const [toolName, input] = turn ? say(turn) : [];
      const call = {
        type: 'tool-call' as const,
        toolCallId: `call-${step++}`,
        toolName: toolName!,
        input: JSON.stringify(input),
      };
      return {
        content: turn ? [call] : [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: turn ? 'tool-calls' : 'stop', raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
  await generateText({ model, prompt: 'Show the rate.', tools, stopWhen: isStepCount(20) });
  return results;
}

const NONE = undefined;
const USAGE = {
  inputTokens: { total: 1, noCache: NONE, cacheRead: NONE, cacheWrite: NONE },
  outputTokens: { total: 1, text: NONE, reasoning: NONE },
};

function resultOf(part: { type: string; output?: unknown }): Result {
  const { type, value } = part.output as { type: string; value: unknown };
  return {
    text: typeof value === 'string' ? value : JSON.stringify(value),
    isError: type.startsWith('error'),
  };
}

function checkTurns(results: readonly Result[]): void {
  expect(results).toEqual(
    TURNS.map(({ says, refused }) => ({ text: expect.stringMatching(says), isError: refused ?? false })),
  );
}

describe('aiTools', () => {
  it('are keyed by the names under which they are offered', async () => {
    const session = await personRepo({ 'a.txt': 'one\n' }).session();
    const standard = aiTools(session);
    expectTypeOf<keyof typeof standard>().toEqualTypeOf<ToolSets['standard']>();
    expect(Object.keys(standard)).toContain('redo');
    const few = aiTools(session, {
      tools: ['view', 'str_replace'],
      prefix: 'file_',
      names: { str_replace: 'replace' },
    });
    expectTypeOf<keyof typeof few>().toEqualTypeOf<'file_view' | 'file_replace'>();
    expect(Object.keys(few)).toEqual(['file_view', 'file_replace']);
    const names: string[] = ['view'];
    expectTypeOf(aiTools(session, { tools: names })).toEqualTypeOf<{ [name: string]: AiTool<string> }>();
    // @ts-expect-error The minimal set has no log.
    expect(aiTools(session, { tools: 'minimal' }).log).toBeUndefined();
  });

  it('answer what their names say', async () => {
    const session = await personRepo({ 'a.txt': 'one\n' }).session();
    const { view, str_replace } = aiTools(session);
    const seen = await view.execute({ path: 'a.txt' });
    if (!seen.ok) throw new Error(seen.message);
    expectTypeOf(seen.data).toEqualTypeOf<ViewData>();
    const input = { path: 'a.txt', old_str: 'none', new_str: 'two', version: seen.data.version };
    const refused = await str_replace.execute(input);
    if (refused.ok || refused.code !== 'NO_MATCH') throw new Error(refused.message);
    expectTypeOf(refused.data.nearest).toEqualTypeOf<NearestText | null>();
    expect(refused.data.path).toBe('a.txt');
  });

  it('stop when the SDK does', async () => {
    const session = await personRepo({ 'a.txt': 'one\n' }).session();
    const stop = new Error('stopped');
    const { str_replace } = aiTools(session);
    const input = { path: 'a.txt', old_str: 'one', new_str: 'two' };
    const call = str_replace.execute(input, { abortSignal: AbortSignal.abort(stop) });
    await expect(call).rejects.toBe(stop);
    expect((await session.read({ path: 'a.txt' })).data.text).toBe('one\n');
  });
});
