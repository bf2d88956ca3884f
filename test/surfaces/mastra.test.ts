/**
 * Mastra, with a scripted model: its own agent over the tools of the AI SDK. It is installed into a folder of its own: with
 * what it brings it is as large as a third of all other packages.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aiTools } from '../../src/surfaces/ai.ts';
import { checkTrail, shop, TURNS } from '../helpers/adapter-story.ts';

const VERSION = '1.71.0';

interface Mastra {
  Agent: new (options: object) => { generate(prompt: string, options: object): Promise<{ text: string }> };
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-mastra-')));
let mastra: Mastra;

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...quiet, `@mastra/core@${VERSION}`, 'zod@4'], { cwd: folder });
  writeFileSync(join(folder, 'agent.js'), "export { Agent } from '@mastra/core/agent';\n");
  mastra = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'agent.js')).href);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

it('tells the story with the tools of the engine', async () => {
  const repo = shop();
  const results: Array<{ text: string; isError: boolean }> = [];
  let step = 0;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const output = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).at(-1);
      if (output?.type === 'tool-result' && 'value' in output.output) {
        const { type, value } = output.output;
        results.push({ text: String(value), isError: type === 'error-text' });
      }
      const turn = TURNS[step++];
      if (!turn)
        return {
          content: [{ type: 'text', text: 'done' }],
          usage,
          warnings: [],
          finishReason: finish('stop'),
        };
      turn.before?.(repo);
      const call = { toolCallId: `call-${step - 1}`, toolName: turn.tool, input: JSON.stringify(turn.input) };
      return {
        content: [{ type: 'tool-call', ...call }],
        usage,
        warnings: [],
        finishReason: finish('tool-calls'),
      };
    },
  });
  const tools = aiTools(await repo.session('s1'));
  const agent = new mastra.Agent({ id: 'fixer', name: 'fixer', instructions: 'Edit.', model, tools });
  const { text } = await agent.generate('Go.', { maxSteps: TURNS.length + 1 });
  expect(text).toBe('done');
  expect(results).toEqual(
    TURNS.map(({ says, refused = false }) => ({ text: expect.stringMatching(says), isError: refused })),
  );
  checkTrail(repo, { agent: 'claude', calls: ['call-2', 'call-5', 'call-6'] });
});

function finish<Kind extends string>(unified: Kind): { unified: Kind; raw: string } {
  return { unified, raw: unified };
}
