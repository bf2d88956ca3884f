/**
 * From the packed package to an agent that edits, with each framework in an empty folder: `npm install`, a program, one run
 * against a model on 127.0.0.1 that asks for one edit. `npm run test:frameworks`, or with the names of some.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const ASKED = 'Write a greeting into hello.txt.';

/** The packages that are installed beside this one, and what a program does with them and a session. */
const FRAMEWORKS = {
  '@anthropic-ai/sdk': {
    packages: ['@anthropic-ai/sdk'],
    imports: `import Anthropic from '@anthropic-ai/sdk';
import { textEditorTool } from 'versioned-edit/anthropic';`,
    body: `await new Anthropic().beta.messages.toolRunner({ model: 'm', max_tokens: 4000, messages: [{ role: 'user', content: ASKED }], tools: [textEditorTool(session)] }).runUntilDone();`,
  },
  '@openai/agents': {
    packages: ['@openai/agents'],
    imports: `import { Agent, run, tool } from '@openai/agents';
import { agentTools } from 'versioned-edit/openai';`,
    body: `await run(new Agent({ name: 'fixer', tools: agentTools(session).map(one => tool(one)) }), ASKED);`,
  },
  ai: {
    packages: ['ai', '@ai-sdk/anthropic'],
    imports: `import { createAnthropic } from '@ai-sdk/anthropic';
import { generateText, isStepCount } from 'ai';
import { aiTools } from 'versioned-edit/ai';`,
    body: `const model = createAnthropic({ baseURL: process.env.ANTHROPIC_BASE_URL + '/v1' })('m');
await generateText({ model, tools: aiTools(session), stopWhen: isStepCount(5), prompt: ASKED });`,
  },
  langchain: {
    packages: ['langchain', '@langchain/core', '@langchain/anthropic'],
    imports: `import { ChatAnthropic } from '@langchain/anthropic';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { langchainTools } from 'versioned-edit/langchain';`,
    body: `const model = new ChatAnthropic({ model: 'm', anthropicApiUrl: process.env.ANTHROPIC_BASE_URL });
await createAgent({ model, tools: langchainTools(session, tool) }).invoke({ messages: [{ role: 'user', content: ASKED }] });`,
  },
  '@mastra/core': {
    packages: ['@mastra/core@1.71.0', 'zod@4', 'ai@7'],
    imports: `import { Agent } from '@mastra/core/agent';
import { MockLanguageModelV4 } from 'ai/test';
import { aiTools } from 'versioned-edit/ai';`,
    body: `const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const call = { type: 'tool-call', toolCallId: 'call-0', toolName: 'create', input: JSON.stringify({ path: 'hello.txt', file_text: 'hello\\n' }) };
let step = 0;
const model = new MockLanguageModelV4({
  doGenerate: async () => step++ === 0
    ? { content: [call], usage, warnings: [], finishReason: { unified: 'tool-calls', raw: 'tool-calls' } }
    : { content: [{ type: 'text', text: 'done' }], usage, warnings: [], finishReason: { unified: 'stop', raw: 'stop' } },
});
await new Agent({ id: 'fixer', name: 'fixer', instructions: 'Edit.', model, tools: aiTools(session) }).generate(ASKED, { maxSteps: 5 });`,
  },
};

const program = ({ imports, body }) => `${imports}
import { initRepository, openWorkspace } from 'versioned-edit';
const ASKED = ${JSON.stringify(ASKED)};
const root = process.cwd() + '/work';
await initRepository({ root });
const workspace = await openWorkspace({ root });
const session = workspace.session({ agent: 'fixer' });
${body}
console.log((await session.log()).data.entries.map(entry => entry.op + ' ' + entry.paths.join()).join('; '));
await workspace.close();
process.exit(0);
`;

/** The edit, in the words of the tool that was offered. */
function callOf(tools) {
  const [{ name, type }] = tools.filter(tool => /create|edit/.test(tool.name) && tool.name !== 'edit_lines');
  const input = { path: 'hello.txt', file_text: 'hello\n' };
  return { name, input: type?.startsWith('text_editor') ? { command: 'create', ...input } : input };
}

/** Answers as Anthropic's messages and OpenAI's responses: a call, and after its result a word. */
function answer(url, asked) {
  const isOpenai = url.includes('responses');
  const isDone = JSON.stringify(asked).includes(isOpenai ? 'function_call_output' : 'tool_result');
  const call = isDone ? undefined : callOf(asked.tools);
  return isOpenai ? response(call) : message(call);
}

function message(call) {
  const content = call ? { type: 'tool_use', id: 'toolu_1', ...call } : { type: 'text', text: 'done' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const stop_reason = call ? 'tool_use' : 'end_turn';
  return { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [content], stop_reason, usage };
}

function response(call) {
  const content = [{ type: 'output_text', text: 'done', annotations: [] }];
  const asking = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: call?.name };
  const output = call
    ? { ...asking, arguments: JSON.stringify(call.input) }
    : { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: 'r', object: 'response', model: 'm', status: 'completed', output: [output], usage };
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answer(request.url, JSON.parse(body))));
});
await new Promise(done => server.listen(0, '127.0.0.1', done));
const base = `http://127.0.0.1:${server.address().port}`;
const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', OPENAI_AGENTS_DISABLE_TRACING: '1' };
const env = { ...process.env, ...keys, ANTHROPIC_BASE_URL: base, OPENAI_BASE_URL: `${base}/v1` };

const run = (command, args, cwd) =>
  new Promise(resolve => {
    const child = spawn(command, args, { cwd, env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk));
    child.on('close', () => resolve(said.trim()));
  });

const packs = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-frameworks-')));
const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', packs];
const [{ filename }] = JSON.parse(
  execFileSync('npm', packing, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }),
);
const named = process.argv.slice(2);
for (const [name, framework] of Object.entries(FRAMEWORKS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const folder = realpathSync(mkdtempSync(join(packs, 'empty-')));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'agent.js'), program(framework));
  const began = Date.now();
  const install = ['install', '--no-audit', '--no-fund', '--loglevel=error', join(packs, filename)];
  const notices = await run('npm', [...install, ...framework.packages], folder);
  const installed = Date.now();
  const said = await run(process.execPath, ['agent.js'], folder);
  const seconds = [installed - began, Date.now() - installed].map(ms => (ms / 1000).toFixed(1));
  const passed = said.split('\n').includes('create hello.txt');
  if (!passed) process.exitCode = 1;
  console.log(
    `${name}: ${passed ? 'passed' : 'failed'}, installed in ${seconds[0]} s, ran in ${seconds[1]} s`,
  );
  if (!passed) console.log(`${notices}\n${said}`.slice(0, 2_000));
}
rmSync(packs, { recursive: true, force: true });
server.close();
