/** A client that is not the official one: that of Vercel's AI SDK, which speaks the protocol of 2025. */

import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkTrail, shop, TURNS } from '../../helpers/adapter-story.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { BIN, cleanEnv } from '../../helpers/vedit.ts';

type Tools = Record<string, { execute(input: object, options: object): Promise<unknown> }>;

/** Its tools, as `generateText` would be given them. */
async function toolsOf(repo: Place): Promise<Tools> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [BIN, 'mcp', '--session', 's1'],
    cwd: repo.dir,
    env: cleanEnv(repo) as Record<string, string>,
    stderr: 'ignore',
  });
  const client = await createMCPClient({ transport, clientName: 'claude' });
  onTestFinished(() => client.close());
  return (await client.tools()) as unknown as Tools;
}

describe('the MCP client of the AI SDK', () => {
  it('tells the story', async () => {
    const repo = shop();
    const tools = await toolsOf(repo);
    for (const [step, turn] of TURNS.entries()) {
      turn.before?.(repo);
      const result = await tools[turn.tool]!.execute(turn.input, {
        toolCallId: `call-${step}`,
        messages: [],
      });
      expect(result).toMatchObject({
        content: [{ type: 'text', text: expect.stringMatching(turn.says) }],
        isError: turn.refused ?? false,
      });
    }
    checkTrail(repo, { agent: 'claude' });
  });

  it('loses none of the calls that it sends together', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const { create } = await toolsOf(repo);
    const names = Array.from({ length: 12 }, (_, n) => `f${n}.txt`);
    const calls = names.map(path => create!.execute({ path, file_text: 'x\n' }, { toolCallId: path }));
    expect(await Promise.all(calls)).toEqual(calls.map(() => expect.objectContaining({ isError: false })));
    expect(repo.git('ls-tree', '--name-only', 'vedit/main').split('\n').sort()).toEqual(
      ['a.txt', ...names].sort(),
    );
  });
});
