/** LangChain.js with a scripted model: its real agent over the tools. */

import { AIMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { describe, expect, it } from 'vitest';
import type { WorkspaceEvent } from '../../../src/engine/calls/events.ts';
import { langchainTools } from '../../../src/surfaces/langchain/index.ts';
import { checkTrail, shop, TURNS } from '../../helpers/adapter-story.ts';
import type { Place } from '../../helpers/person-repo.ts';

describe('the tools', () => {
  it('tell the story in an agent of LangChain', async () => {
    const repo = shop();
    const tools = langchainTools(await repo.session('s1'), tool);
    const model = script(
      repo,
      TURNS.map(({ tool: name, input, before }) => ({ name, args: input, before })),
    );
    const { messages } = await createAgent({ model, tools }).invoke(
      { messages: [{ role: 'user', content: 'Show the rate.' }] },
      LIMIT,
    );
    const results = messages.filter(message => ToolMessage.isInstance(message));
    expect(
      results.map(({ content, status, artifact }) => [content, status === 'error', artifact?.ok]),
    ).toEqual(TURNS.map(({ says, refused }) => [expect.stringMatching(says), refused ?? false, !refused]));
    checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
  });

  it('take the names and nulls that models send', async () => {
    const repo = shop();
    const [made] = langchainTools(await repo.session('s1'), tool, { tools: ['str_replace'] });
    const replace = made as unknown as { invoke(input: object): Promise<unknown> };
    const args = { filePath: 'src/cart.js', oldString: '0.19', new_string: '0.2', replace_all: null };
    const call = { type: 'tool_call' as const, id: 'c1', name: 'str_replace', args };
    const message = (await replace.invoke(call)) as ToolMessage;
    expect([message.content, message.status]).toEqual([
      expect.stringContaining('str_replace done'),
      'success',
    ]);
    expect(await replace.invoke({ path: 'src/cart.js', old_str: '0.2', new_str: '1' })).toContain('done');
  });

  it.each([
    [{ path: 'src/cart.js' }, '`old_str` is required'],
    [{ path: 'src/cart.js', old_str: 5 }, '`old_str` must be a text'],
    [{ path: 'src/cart.js', old_str: '0.19', mode: 'fast' }, 'no field `mode`'],
  ])('answer %j in words of the engine', async (args, words) => {
    const repo = shop();
    const events: WorkspaceEvent[] = [];
    const session = await repo.session('s1', { onEvent: event => events.push(event) });
    const [made] = langchainTools(session, tool, { tools: ['str_replace'] });
    const replace = made as unknown as { schema: object; invoke(input: object): Promise<unknown> };
    expect(replace.schema).toMatchObject({ type: 'object', required: ['path', 'old_str'] });
    const call = { type: 'tool_call' as const, id: 'c1', name: 'str_replace', args };
    const message = (await replace.invoke(call)) as ToolMessage;
    expect(message).toMatchObject({ status: 'error', artifact: { code: 'INVALID_INPUT' } });
    expect(message.content).toContain(words);
    expect(message.content).toContain('Example: ');
    expect(events).toMatchObject([{ kind: 'refusal', op: 'str_replace' }]);
  });
});

const LIMIT = { recursionLimit: 60 };

/** A model that asks for these tools, one after the other. */
function script(
  repo: Place,
  calls: ReadonlyArray<{ name: string; args: object; before?: ((repo: Place) => void) | undefined }>,
): ReturnType<typeof fakeModel> {
  const model = fakeModel();
  for (const [index, { name, args, before }] of calls.entries()) {
    model.respond(() => {
      before?.(repo);
      return new AIMessage({
        content: '',
        tool_calls: [{ name, args, id: `call-${index}`, type: 'tool_call' }],
      });
    });
  }
  return model.respond(new AIMessage('Done.'));
}
