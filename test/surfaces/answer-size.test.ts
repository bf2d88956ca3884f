/** How much of an answer reaches the model, on every surface: what was done and where, never the whole of it again. */

import { tool } from '@langchain/core/tools';
import { describe, expect, it } from 'vitest';
import { openWorkspace, type Session } from '../../src/index.ts';
import { aiTools } from '../../src/surfaces/ai.ts';
import { answerToolUses, customTools } from '../../src/surfaces/anthropic.ts';
import { langchainTools } from '../../src/surfaces/langchain/index.ts';
import { agentTools, answerItems } from '../../src/surfaces/openai.ts';
import { tools } from '../../src/tools/index.ts';
import { textEditor } from '../helpers/agent-zero.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { modelOf } from './mcp/repair/model.ts';

const ALL = { tools: tools.map(({ name }) => name) };

type Show = (name: string, input: Record<string, unknown>) => Promise<string>;

/** What each surface hands to the model of a call of one of the engine's tools. */
const SURFACES: Readonly<Record<string, (repo: Place, session: Session) => Show | Promise<Show>>> = {
  'MCP, text alone': repo => mcp(repo, 'text'),
  'MCP, the structure alone': repo => mcp(repo, 'structured'),
  'the AI SDK': (_, session) => async (name, input) => {
    const { execute, toModelOutput } = aiTools(session, ALL)[name]!;
    return toModelOutput({ output: await execute(input) }).value;
  },
  'the AI SDK, where a page forgets the tools': (_, session) => async (name, input) =>
    JSON.stringify(await aiTools(session, ALL)[name]!.execute(input)),
  'OpenAI’s agents': (_, session) => async (name, input) =>
    agentTools(session, ALL)
      .find(one => one.name === name)!
      .execute(input),
  'OpenAI’s responses': (_, session) => async (name, input) => {
    const call = { type: 'function_call', call_id: 'c', name, arguments: JSON.stringify(input) };
    return JSON.stringify(await answerItems(session, [call]));
  },
  'Anthropic’s runner': (_, session) => async (name, input) =>
    customTools(session, ALL)
      .find(one => one.name === name)!
      .run(input)
      .catch(error => error.message),
  'Anthropic’s messages': (_, session) => async (name, input) =>
    JSON.stringify(await answerToolUses(session, [{ type: 'tool_use', id: 'c', name, input }])),
  LangChain: (_, session) => async (name, input) => {
    const made = langchainTools(session, tool, ALL).find(one => one.name === name)!;
    const { invoke } = made as unknown as { invoke(call: object): Promise<{ content: string }> };
    return (await invoke({ type: 'tool_call', id: 'c', name, args: input })).content;
  },
};

async function mcp(repo: Place, form: 'text' | 'structured'): Promise<Show> {
  const ask = await modelOf({ open: () => openWorkspace({ root: repo.dir }) }, form);
  return async (name, input) => JSON.stringify(await ask([name, input]));
}

const LINE = 'some line of a text that is here, and as long as most';
const BIG = `${LINE}\n`.repeat(5_000);
/** As programs write them that nobody reads. */
const LONG = `${'x'.repeat(3_000)}\n`.repeat(300);
const MANY = Array.from({ length: 80 }, (_, n) => `many/${n}.txt`);

/** Each with the most characters that its answer may have, however much it changed. */
const EDITS: ReadonlyArray<
  readonly [what: string, most: number, name: string, input: Record<string, unknown>]
> = [
  ['a create of 5,000 lines', 400, 'create', { path: 'new.txt', file_text: BIG }],
  [
    '5,000 lines replaced',
    6_000,
    'str_replace',
    { path: 'new.txt', old_str: 'some', new_str: 'a', replace_all: true },
  ],
  [
    'lines of 3,000 letters',
    20_000,
    'str_replace',
    { path: 'long.txt', old_str: 'x'.repeat(3_000), new_str: 'y'.repeat(3_000), replace_all: true },
  ],
  [
    '80 files at once',
    12_000,
    'change',
    {
      edits: MANY.map(path => ({
        edit: 'str_replace',
        path,
        old_str: 'x',
        new_str: `y\n${'z\n'.repeat(100)}`,
      })),
    },
  ],
  ['their undo', 12_000, 'undo', {}],
  ['a delete of 5,000 lines', 400, 'delete', { path: 'new.txt' }],
];

/** Page output of the AI SDK has the data too, whose texts and lists are cut. */
const WITH_DATA = 60_000;

describe.each(Object.keys(SURFACES))('%s', name => {
  it('answers an edit with what the model needs of it, however large it is', async () => {
    const repo = bigRepo();
    const show = await SURFACES[name]!(repo, await repo.session());
    for (const [what, most, edit, input] of EDITS) {
      const { length } = await show(edit, input);
      expect({ what, length, isShort: length < (name.includes('page') ? WITH_DATA : most) }).toMatchObject({
        isShort: true,
      });
    }
    const shown = await show('show', { commit: '~3' });
    expect(shown).toMatch(/edited long\.txt \(\+300 -300\).*lines of this diff are shown; diff from/s);
    expect(shown.length).toBeLessThan(WITH_DATA);
  });
});

function bigRepo(): Place {
  return personRepo({ 'long.txt': LONG, ...Object.fromEntries(MANY.map(path => [path, 'x\n'])) });
}

describe('the surfaces with tools of their own', () => {
  it('answer a whole file that is written as shortly', async () => {
    const repo = bigRepo();
    const session = await repo.session();
    const editor = textEditor(session);
    const written = await editor.execute({ action: 'write', path: 'a0.txt', content: BIG });
    expect(written.message.length).toBeLessThan(400);
    const patched = await editor.execute({
      action: 'patch',
      path: 'long.txt',
      edits: [{ from: 1, to: 300, content: LONG.replaceAll('x', 'y') }],
    });
    expect(patched.message.length).toBeLessThan(30_000);
  });
});
