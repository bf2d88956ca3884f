/** A call that a client sends again: told by the id of the tool use in `_meta`, never by what counts in a connection. */

import { expect, it } from 'vitest';
import { connect } from '../../helpers/mcp-client.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

type Meta = Record<string, unknown>;

async function connected(): Promise<{ box: Sandbox; twice(_meta: Meta): Promise<boolean[]> }> {
  const box = repository();
  box.write('n.txt', 'n\n');
  const { client, call } = await connect(box);
  await call('view', { path: 'n.txt' });
  const once = async (_meta: Meta): Promise<boolean> => {
    const input = { path: 'n.txt', insert_line: 0, insert_text: 'top\n' };
    const answer = await client.callTool({ name: 'insert', arguments: input, _meta });
    expect(answer.isError ?? false).toBe(false);
    return JSON.stringify(answer).includes('this call was done before; nothing was done again');
  };
  return { box, twice: async meta => [await once(meta), await once(meta)] };
}

it('is answered with its first result, once for each id', async () => {
  const { box, twice } = await connected();
  expect(await twice({ 'claudecode/toolUseId': 'toolu_01X' })).toEqual([false, true]);
  expect(await twice({ 'claudecode/toolUseId': 'toolu_01Y', progressToken: 7 })).toEqual([false, true]);
  expect(await twice({ 'example.org/tool_use_id': 'f81d4fae-7dec-11d0' })).toEqual([false, true]);
  expect(
    box
      .git('show', 'vedit/main:n.txt')
      .split('\n')
      .filter(line => line === 'top'),
  ).toHaveLength(3);
});

it.each<Meta>([
  { progressToken: 1 },
  { progressToken: 'toolu_01X' },
  { 'claudecode/toolUseId': 'call_0' },
  {},
])('is done again where nothing unique says so: %j', async meta => {
  const { twice } = await connected();
  expect(await twice(meta)).toEqual([false, false]);
});
