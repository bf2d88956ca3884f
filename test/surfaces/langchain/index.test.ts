/** LangChain.js and deepagents, with a scripted model: their real agents over the tools and over the backend. */

import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { type BackendProtocolV2, createDeepAgent } from 'deepagents';
import { createAgent } from 'langchain';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { WorkspaceEvent } from '../../../src/engine/calls/events.ts';
import {
  type DeepAgentsBackend,
  deepAgentsBackend,
  langchainTools,
} from '../../../src/surfaces/langchain/index.ts';
import { checkTrail, shop, TURNS } from '../../helpers/adapter-story.ts';
import type { Place } from '../../helpers/person-repo.ts';

describe('types', () => {
  it('are those of deepagents', () => {
    expectTypeOf<DeepAgentsBackend>().toExtend<BackendProtocolV2>();
  });
});

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

describe('the backend', () => {
  it('tells its story in a deep agent', async () => {
    const repo = shop();
    const path = '/src/cart.js';
    const edit = (old_string: string, new_string: string): object => ({
      file_path: path,
      old_string,
      new_string,
    });
    const model = script(repo, [
      { name: 'read_file', args: { file_path: path } },
      { name: 'edit_file', args: edit('log(rate);', 'show(rate);') },
      { name: 'edit_file', args: edit('0.19;\nlog(rate);', '0.19;\nshow(rate);') },
      {
        before: () =>
          repo.write('src/cart.js', `// Ada\n${repo.read('src/cart.js').replace('log', 'print')}`),
        name: 'edit_file',
        args: edit('log(rate);', 'stop();'),
      },
      { name: 'read_file', args: { file_path: path } },
      { name: 'edit_file', args: edit('print(rate);', 'stop();') },
    ]);
    const session = await repo.session('s1');
    const agent = createDeepAgent({ model, backend: deepAgentsBackend(session) });
    const { messages } = await agent.invoke(
      { messages: [{ role: 'user', content: 'Show the rate.' }] },
      LIMIT,
    );
    const texts = messages
      .filter((message: BaseMessage) => ToolMessage.isInstance(message))
      .map(message => message.text);
    expect(texts).toEqual([
      expect.stringContaining('log(rate);'),
      expect.stringContaining('AMBIGUOUS'),
      expect.stringContaining(path),
      expect.stringContaining('NO_MATCH'),
      expect.stringContaining('print(rate);'),
      expect.stringContaining(path),
    ]);
    await session.undo();
    const text = '// Ada\nconst rate = 0.19;\nshow(rate);\nprint(rate);\n';
    checkTrail(repo, { agent: 'claude', ops: ['str_replace', 'outside', 'str_replace', 'undo'], text });
  });

  it('answers as the protocol says', async () => {
    const repo = shop();
    repo.write('src/deep/er/still/a.test.ts', 'one\ntwo rate\n');
    repo.write('b.md', 'rate\n'.repeat(3));
    const files = deepAgentsBackend(await repo.session('s1'));
    expect(await files.ls('/')).toEqual({
      files: [
        { path: '/b.md', is_dir: false },
        { path: '/src/', is_dir: true },
      ],
    });
    expect(await files.ls('/src')).toMatchObject({
      files: [{ path: '/src/cart.js' }, { path: '/src/deep/', is_dir: true }],
    });
    expect(await files.read('/b.md', 1, 1)).toMatchObject({
      content: 'rate',
      totalLines: 3,
      startLine: 2,
      endLine: 2,
      nextOffset: 2,
    });
    expect(await files.read('/none')).toEqual({ error: expect.stringContaining('FILE_NOT_FOUND') });
    expect(await files.readRaw('/b.md')).toMatchObject({
      data: { content: 'rate\nrate\nrate\n', mimeType: 'text/plain' },
    });
    expect(await files.write('/c.txt', 'c\n')).toMatchObject({
      path: '/c.txt',
      metadata: { commit: expect.any(String) },
    });
    expect(await files.write('/c.txt', 'd\n')).toMatchObject({ path: '/c.txt' });
    expect(await files.edit('/b.md', 'rate', 'r', true)).toMatchObject({ occurrences: 3 });
    expect(await files.edit('/c.txt', 'd', 'e')).toMatchObject({ occurrences: 1 });
    expect(await files.grep('rate', '/src', '*.ts')).toEqual({
      matches: [{ path: '/src/deep/er/still/a.test.ts', line: 2, text: 'two rate' }],
    });
    expect(await files.grep('rate', null, null, 1)).toMatchObject({
      matches: [{ path: '/src/cart.js', line: 1 }],
      truncated: true,
    });
    expect(await files.grep('one', '/src/deep/er/still/a.test.ts')).toMatchObject({ matches: [{ line: 1 }] });
    expect(await files.glob('**/*.{js,ts}')).toMatchObject({
      files: [{ path: '/src/cart.js' }, { path: '/src/deep/er/still/a.test.ts' }],
    });
    expect(await files.delete('/src/deep')).toMatchObject({
      path: '/src/deep',
      metadata: { commit: expect.any(String) },
    });
    expect(await files.delete('/src/deep')).toEqual({ error: expect.stringContaining('FILE_NOT_FOUND') });
    expect(await files.glob('*.ts')).toEqual({ files: [] });
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
