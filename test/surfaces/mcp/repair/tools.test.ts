/**
 * What reaches a model of every tool, over the real program, by the official client and by that of the AI SDK, of which
 * each shows the text alone or the structure alone: enough for the next call, and for the repair of a refused one.
 */

import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tools } from '../../../../src/tools/index.ts';
import { connect } from '../../../helpers/mcp-client.ts';
import { type Place, personRepo } from '../../../helpers/person-repo.ts';
import { BIN, cleanEnv } from '../../../helpers/vedit.ts';
import { EVERY_TOOL, LIST } from '../every-tool.ts';
import { type Ask, asking, FORMS, type Form, wordIn } from './model.ts';

const CLIENTS: Readonly<Record<string, (repo: Place, form: Form) => Promise<Ask>>> = {
  'the official client': async (repo, form) => asking((await connect(repo, argsOf(form))).client, form),
  'the client of the AI SDK': aiSdk,
};

function argsOf(form: Form): string[] {
  return ['--tools', 'all', ...(form === 'structured' ? ['--structured'] : [])];
}

interface AiResult {
  content: Array<{ text: string }>;
  structuredContent?: { text: string };
  isError: boolean;
}

async function aiSdk(repo: Place, form: Form): Promise<Ask> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...argsOf(form)],
    cwd: repo.dir,
    env: cleanEnv(repo) as Record<string, string>,
    stderr: 'ignore',
  });
  const client = await createMCPClient({ transport });
  onTestFinished(() => client.close());
  const own = (await client.tools()) as unknown as Record<
    string,
    {
      execute(input: object, options: object): Promise<AiResult>;
      toModelOutput(options: object): { value: Array<{ text: string }> };
    }
  >;
  return async ([name, input]) => {
    const tool = own[name]!;
    const output = await tool.execute(input, { toolCallId: 'call', messages: [] });
    const [shown] = tool.toModelOutput({ output }).value;
    const text = form === 'text' ? shown!.text : output.structuredContent!.text;
    expect(text).toBe(output.content[0]!.text);
    expect(output.structuredContent === undefined).toBe(form === 'text');
    return { text, isError: output.isError };
  };
}

describe.each(Object.keys(CLIENTS))('%s', client => {
  it.each(FORMS)('shows a model the %s alone, and that is enough', async form => {
    const ask = await CLIENTS[client]!(personRepo({ 'list.txt': LIST }), form);
    for (const { call, says, next } of EVERY_TOOL) {
      const [tool, input] = call;
      const refused = await ask([tool, { ...input, colour: 'red' }]);
      expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^INVALID_INPUT: /) });
      expect(exampleIn(refused.text, tool)).toBe(true);
      const wrong = wordIn(refused.text, /no field `(\w+)`/);
      const repaired = Object.entries({ ...input, colour: 'red' }).filter(([field]) => field !== wrong);

      const done = await ask([tool, Object.fromEntries(repaired)]);
      expect({ tool, ...done }).toMatchObject({ isError: false });
      for (const words of says) expect(done.text).toMatch(words);
      expect({ tool, ...(await ask(next(done.text))) }).toMatchObject({ isError: false });
    }
  });
});

it('the table has every tool', () => {
  const called = new Set(EVERY_TOOL.map(({ call: [tool] }) => tool));
  // A reply needs a comment, which no agent makes.
  expect([...called, 'reply'].sort()).toEqual(tools.map(({ name }) => name).sort());
});

/** True when the example that the text gives is an input of the tool. */
function exampleIn(text: string, name: string): boolean {
  const example = JSON.parse(wordIn(text, /Example: (\{.*\})$/s));
  return tools.find(tool => tool.name === name)!.input.safeParse(example).success;
}
