/** OpenAI's Agents SDK, with a scripted model: the real runner over `applyPatchTool` and function tools. */

import {
  Agent,
  type AgentInputItem,
  applyPatchTool,
  type Editor,
  type Model,
  type ModelResponse,
  Runner,
  tool,
  Usage,
} from '@openai/agents';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WorkspaceEvent } from '../../src/engine/calls/events.ts';
import {
  type ApplyPatchOutput,
  agentTools,
  answerItems,
  chatTools,
  type FunctionDefinition,
  type FunctionOutput,
  functionTools,
  type PatchEditor,
  patchEditor,
} from '../../src/surfaces/openai.ts';
import { checkTrail, shop, TURNS } from '../helpers/adapter-story.ts';
import type { Place } from '../helpers/person-repo.ts';

describe('types', () => {
  it('are those of the SDKs', () => {
    expectTypeOf<PatchEditor>().toExtend<Editor>();
    expectTypeOf<ApplyPatchOutput>().toExtend<OpenAI.Responses.ResponseInputItem.ApplyPatchCallOutput>();
    expectTypeOf<FunctionOutput>().toExtend<OpenAI.Responses.ResponseInputItem.FunctionCallOutput>();
    expectTypeOf<FunctionDefinition>().toExtend<OpenAI.Responses.FunctionTool>();
    expectTypeOf<ReturnType<typeof chatTools>>().toExtend<OpenAI.Chat.ChatCompletionTool[]>();
  });
});

/** What the model asks for in one turn, and what it reads of it. */
interface Call {
  before?: (repo: Place) => void;
  item: object;
  says: RegExp;
}

const path = 'src/cart.js';
const update = (diff: string): object => ({
  type: 'apply_patch_call',
  status: 'in_progress',
  operation: { type: 'update_file', path, diff },
});
const call = (name: string, input: object): object => ({
  type: 'function_call',
  name,
  arguments: JSON.stringify(input),
  status: 'completed',
});

const PATCHES: readonly Call[] = [
  { item: call('view', { path }), says: /log\(rate\);/ },
  { item: update('@@\n-log(rate);\n+show(rate);\n'), says: /AMBIGUOUS|PATCH_FAILED/ },
  { item: update('@@\n const rate = 0.19;\n-log(rate);\n+show(rate);\n'), says: /show\(rate\);/ },
  {
    before: repo => repo.write(path, `// Ada\n${repo.read(path).replace('log', 'print')}`),
    item: update('@@\n show(rate);\n-log(rate);\n+stop();\n'),
    says: /PATCH_FAILED.*print\(rate\);/s,
  },
  { item: call('view', { path }), says: /print\(rate\);/ },
  { item: update('@@\n show(rate);\n-print(rate);\n+stop();\n'), says: /stop\(\);/ },
  { item: call('undo', {}), says: /undo done/ },
];

/** What comes of them. */
const PATCH_OPS = ['apply_patch', 'outside', 'apply_patch', 'undo'];
const PATCHED = '// Ada\nconst rate = 0.19;\nshow(rate);\nprint(rate);\n';

describe('the runner of the Agents SDK', () => {
  it('tells the story with applyPatchTool', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    const reading = agentTools(session, { tools: ['view', 'undo'] }).map(one => tool(one));
    const outputs = await run(repo, [applyPatchTool({ editor: patchEditor(session) }), ...reading], PATCHES);
    expect(outputs).toEqual(PATCHES.map(({ says }) => expect.stringMatching(says)));
    checkTrail(repo, { agent: 'claude', ops: PATCH_OPS, text: PATCHED });
  });

  it('tells the story with function tools', async () => {
    const repo = shop();
    const tools = agentTools(await repo.session('s1')).map(one => tool(one));
    const turns = TURNS.map(({ tool: name, input, says, before }): Call => {
      return { item: call(name, input), says, ...(before ? { before } : {}) };
    });
    const outputs = await run(repo, tools, turns);
    expect(outputs).toEqual(TURNS.map(({ says }) => expect.stringMatching(says)));
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });
});

describe('the editor of the Agents SDK', () => {
  it('stops with the signal of the run that it is made for', async () => {
    const repo = shop();
    const stop = new AbortController();
    const editor = patchEditor(await repo.session('s1'), { signal: stop.signal });
    const made = await editor.createFile({ type: 'create_file', path: 'a.txt', diff: '+one\n' });
    expect(made.status).toBe('completed');
    stop.abort(new Error('the user pressed escape'));
    const call = editor.createFile({ type: 'create_file', path: 'b.txt', diff: '+one\n' });
    await expect(call).rejects.toThrow('the user pressed escape');
    expect(repo.git('status', '--short')).not.toContain('b.txt');
    const session = await repo.session('s2');
    expect(() => patchEditor(session, { signal: 'now' as never })).toThrow('must be an AbortSignal');
  });
});

describe('the Responses API', () => {
  it('that is stopped has the outputs of what was done, and the rest marked', async () => {
    const repo = shop();
    const stop = new AbortController();
    const onEvent = (event: WorkspaceEvent): void =>
      void (event.kind === 'edit' && event.call === 'a' && stop.abort('no'));
    const items = [
      patch('a', { type: 'create_file', path: 'a.txt', diff: '+one\n' }),
      patch('b', { type: 'create_file', path: 'b.txt', diff: '+one\n' }),
      { ...call('create', { path: 'c.txt', file_text: 'one\n' }), call_id: 'c' },
      { ...call('weather', {}), call_id: 'd' },
    ];
    const session = await repo.session('s1', { onEvent });
    const outputs = await answerItems(session, items, { signal: stop.signal });
    const stopped = expect.stringMatching(/^Not done: the run was stopped/);
    expect(outputs).toMatchObject([
      { type: 'apply_patch_call_output', call_id: 'a', status: 'completed' },
      { type: 'apply_patch_call_output', call_id: 'b', status: 'failed', output: stopped },
      { type: 'function_call_output', call_id: 'c', output: stopped },
    ]);
    expect(repo.git('status', '--short', '-uall')).toBe('?? a.txt');
  });

  it('answers every tool of the engine where none are chosen', async () => {
    const items = [{ ...call('blame', { path }), call_id: 'c1' }];
    expect(await answerItems(await shop().session(), items, { tools: undefined })).toHaveLength(1);
  });

  it('tells the story in a loop of one’s own', async () => {
    const repo = shop();
    const session = await repo.session('s1');
    for (const [step, { item, says, before }] of PATCHES.entries()) {
      before?.(repo);
      const [output] = await answerItems(session, [{ ...item, call_id: `call-${step}` }]);
      expect(output).toMatchObject({ call_id: `call-${step}`, output: expect.stringMatching(says) });
    }
    const calls = ['call-2', 'call-5', 'call-6'];
    checkTrail(repo, { agent: 'claude', calls, ops: PATCH_OPS, text: PATCHED });
  });

  it('has its items answered, in their order', async () => {
    const repo = shop();
    const items = [
      { type: 'message', role: 'assistant', content: [] },
      { ...update('@@\n-const rate = 0.19;\n+const rate = 0.2;\n'), id: 'i1', call_id: 'a' },
      patch('b', { type: 'create_file', path: 'a.txt', diff: '+one\n+two\n' }),
      patch('c', { type: 'update_file', path: 'a.txt', diff: '@@\n-one\n+1\n', moveTo: 'b.txt' }),
      patch('d', { type: 'delete_file', path: 'b.txt' }),
      patch('e', { type: 'delete_file', path: 'b.txt' }),
      patch('f', { type: 'rename_file', path: 'b.txt' }),
      { ...call('log', { limit: 9 }), call_id: 'g' },
      { ...call('log', {}), arguments: '{', call_id: 'h' },
      { ...call('weather', {}), call_id: 'i' },
    ];
    const outputs = await answerItems(await repo.session('s1'), items);
    expect(outputs.map(one => [one.call_id, 'status' in one ? one.status : one.type])).toEqual([
      ['a', 'completed'],
      ['b', 'completed'],
      ['c', 'completed'],
      ['d', 'completed'],
      ['e', 'failed'],
      ['f', 'failed'],
      ['g', 'function_call_output'],
      ['h', 'function_call_output'],
    ]);
    expect(outputs[4]!.output).toContain('FILE_NOT_FOUND');
    expect(outputs[5]!.output).toContain('create_file, update_file, delete_file');
    expect(outputs[7]!.output).toContain('INVALID_INPUT');
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Call,valueonly)', 'vedit/main')).toContain(
      'd',
    );
    expect(repo.git('show', 'vedit/main~1:b.txt')).toBe('1\ntwo');
  });

  it('gets the tools as functions', () => {
    const [view] = functionTools({ tools: ['view'] });
    expect(view).toMatchObject({
      type: 'function',
      name: 'view',
      strict: false,
      parameters: { type: 'object', required: ['path'] },
    });
    expect(chatTools({ tools: ['view'] })).toEqual([
      { type: 'function', function: expect.objectContaining({ name: 'view' }) },
    ]);
  });
});

function patch(call_id: string, operation: object): object {
  return { type: 'apply_patch_call', id: `i-${call_id}`, call_id, status: 'completed', operation };
}

/** Runs the SDK's own loop over a scripted model. Answers what the model was given after each of its calls. */
async function run(repo: Place, tools: Agent['tools'], calls: readonly Call[]): Promise<string[]> {
  let seen: readonly AgentInputItem[] = [];
  let step = 0;
  const model: Model = {
    getResponse: async request => {
      seen = request.input as AgentInputItem[];
      const turn = calls[step];
      turn?.before?.(repo);
      const item = turn ? { ...turn.item, callId: `call-${step++}` } : DONE;
      return { usage: new Usage(), output: [item] } as unknown as ModelResponse;
    },
    getStreamedResponse: () => {
      throw new Error('not streamed');
    },
  };
  const agent = new Agent({ name: 'claude', model, tools });
  await new Runner({ tracingDisabled: true }).run(agent, 'Show the rate.', { maxTurns: 20 });
  return seen.flatMap(item => ('output' in item ? [outputText(item.output)] : []));
}

const DONE = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.' }],
};

function outputText(output: unknown): string {
  return typeof output === 'string' ? output : String((output as { text?: string }).text);
}
