/**
 * One story on every surface: an agent edits, the person rejects that with a reason on the live page of `vedit watch`, the
 * agent's next answer says so, and its try to put it back is refused. Most send what the page sends; two use a browser.
 */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../src/index.ts';
import { aiTools } from '../../src/surfaces/ai.ts';
import { answerToolUses, customTools, memoryTool, textEditorTool } from '../../src/surfaces/anthropic.ts';
import { langchainTools } from '../../src/surfaces/langchain/index.ts';
import { answerItems, patchEditor } from '../../src/surfaces/openai.ts';
import { textEditor } from '../helpers/agent-zero.ts';
import { CHROMIUM, NO_BROWSER } from '../helpers/browser.ts';
import { claudeCode } from '../helpers/claude-code-hooks.ts';
import { connect } from '../helpers/mcp-client.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';
import { looking, startWatch } from './web/page/live/watching.ts';
import { ask, ticketOf } from './web/server/serving.ts';

const PATH = 'memories/a.txt';
const LINES = 'one\ntwo\nthree\n';
const OLD = 'two\n';
const NEW = 'two\nconst cache = {};\n';
const ADA = { name: 'Ada', email: 'ada@example.com' };

/** An agent: replaces a text and reads the file; each answers what the model reads. */
interface Agent {
  edit(from: string, to: string): Promise<string>;
  view(): Promise<string>;
}

/** What the model reads, whether it is answered or thrown. */
async function read(call: Promise<unknown>): Promise<string> {
  return call.then(
    answer => (typeof answer === 'string' ? answer : JSON.stringify(answer)),
    error => String(error.message),
  );
}

const ADAPTERS: Readonly<Record<string, (session: Session) => Agent>> = {
  'Anthropic’s text editor': session => {
    const { run } = textEditorTool(session);
    const call = (command: string, input = {}): Promise<string> =>
      read(run({ command, path: PATH, ...input }));
    return {
      edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
      view: () => call('view'),
    };
  },
  'Anthropic’s memory tool': session => {
    const { run } = memoryTool(session);
    const call = (command: string, input = {}): Promise<string> =>
      read(run({ command, path: '/memories/a.txt', ...input }));
    return {
      edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
      view: () => call('view'),
    };
  },
  'Anthropic’s custom tools': session => {
    const tools = customTools(session);
    const call = (name: string, input: object): Promise<string> =>
      read(tools.find(one => one.name === name)!.run({ path: PATH, ...input }));
    return {
      edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
      view: () => call('view', {}),
    };
  },
  'tool_use blocks': session => {
    let calls = 0;
    const call = (name: string, input: object): Promise<string> =>
      read(answerToolUses(session, [{ type: 'tool_use', id: `t${++calls}`, name, input }]));
    return {
      edit: (old_str, new_str) => call('str_replace', { path: PATH, old_str, new_str }),
      view: () => call('view', { path: PATH }),
    };
  },
  'OpenAI’s patch editor': session => {
    const { updateFile } = patchEditor(session);
    const tool = (name: string, input: object): Promise<string> =>
      read(
        answerItems(session, [
          { type: 'function_call', call_id: `${Math.random()}`, name, arguments: JSON.stringify(input) },
        ]),
      );
    return {
      edit: (from, to) => {
        const diff = `@@\n${marked('-', from)}${marked('+', to)}`;
        return read(updateFile({ type: 'update_file', path: PATH, diff }));
      },
      view: () => tool('view', { path: PATH }),
    };
  },
  'the AI SDK': session => {
    const tools = aiTools(session);
    const call = async (name: 'str_replace' | 'view', input: object): Promise<string> => {
      const output = await tools[name].execute({ path: PATH, ...input });
      return tools[name].toModelOutput({ output }).value;
    };
    return {
      edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
      view: () => call('view', {}),
    };
  },
  LangChain: session => {
    const tools = langchainTools(session, (run, fields) => ({ ...fields, invoke: run }));
    const call = (name: string, input: object): Promise<string> =>
      read(tools.find(one => one.name === name)!.invoke({ path: PATH, ...input }));
    return {
      edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
      view: () => call('view', {}),
    };
  },
  'Agent Zero': session => {
    const tool = textEditor(session);
    const call = async (input: object): Promise<string> =>
      (await tool.execute({ path: PATH, ...input })).message;
    return {
      edit: (old_text, new_text) => call({ action: 'patch', old_text, new_text }),
      view: () => call({ action: 'read' }),
    };
  },
};

function marked(mark: string, text: string): string {
  return text
    .split('\n')
    .slice(0, -1)
    .map(line => `${mark}${line}\n`)
    .join('');
}

function shop(): Place {
  const repo = personRepo({ [PATH]: LINES });
  repo.git('config', 'user.name', ADA.name);
  repo.git('config', 'user.email', ADA.email);
  return repo;
}

type Reject = (repo: Place) => Promise<void>;

/** As the page does it: with the token for the ticket of the printed address, the hunk that it was shown. */
const reject: Reject = async repo => {
  const { address } = await startWatch(repo);
  const port = Number(new URL(address).port);
  const { bearer } = (await ask(port, 'POST', '/api/enter', { body: { ticket: ticketOf(address) } })).json;
  const token = { bearer: String(bearer) };
  const [hunk] = (await ask(port, 'GET', '/api/open', token)).json.hunks as unknown[];
  const body = { act: 'reject', hunk, reason: 'no caching here' };
  expect((await ask(port, 'POST', '/api/act', { body })).status).toBe(401);
  expect((await ask(port, 'POST', '/api/act', { ...token, body })).json).toMatchObject({ ok: true });
};

/** The story from the agent's first edit on. */
async function story(repo: Place, agent: Agent, rejecting: Reject = reject): Promise<void> {
  expect(await agent.edit(OLD, NEW)).not.toContain('Note: Ada');
  expect(repo.read(PATH)).toContain(NEW);
  await rejecting(repo);
  expect(repo.read(PATH)).toBe(LINES);
  expect(await agent.view()).toMatch(/Note: Ada rejected what you wrote in .*no caching here/);
  expect(await agent.view()).not.toContain('Note: Ada');
  const again = await agent.edit(OLD, NEW);
  expect(again).toContain('REJECTED');
  expect(again).toContain('no caching here');
  expect(repo.read(PATH)).toBe(LINES);
}

describe.each(Object.entries(ADAPTERS))('%s', (_, adapter) => {
  it('tells of a rejection, and refuses to put it back', async () => {
    const repo = shop();
    await story(repo, adapter(await repo.session('s1', { user: ADA })));
  });
});

async function overMcp(repo: Place): Promise<Agent> {
  const { call } = await connect(repo);
  const text = async (name: string, input: object): Promise<string> =>
    (await call(name, { path: PATH, ...input })).text;
  return {
    edit: (old_str, new_str) => text('str_replace', { old_str, new_str }),
    view: () => text('view', {}),
  };
}

it('vedit mcp', async () => {
  const repo = shop();
  await story(repo, await overMcp(repo));
});

describe.skipIf(CHROMIUM === undefined)(`in a browser${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, () => {
  const look = looking();
  const inBrowser: Reject = async repo => {
    const { page } = await look((await startWatch(repo)).address);
    await page.locator('.row').first().waitFor();
    await page.locator('#tab-review').click();
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(1);
    await page.keyboard.press('r');
    await page.locator('#ask-text').fill('no caching here');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => repo.read(PATH), { timeout: 15_000 }).toBe(LINES);
    await expect.poll(() => page.locator('.review-hunk').count(), { timeout: 15_000 }).toBe(0);
  };

  it('vedit mcp', async () => {
    const repo = shop();
    await story(repo, await overMcp(repo), inBrowser);
  });

  it('Anthropic’s text editor', async () => {
    const repo = shop();
    const session = await repo.session('s1', { user: ADA });
    await story(repo, ADAPTERS['Anthropic’s text editor']!(session), inBrowser);
  });
});

it('vedit apply, a process a call', async () => {
  const repo = shop();
  const call = async (tool: string, input: object): Promise<string> => {
    const line = JSON.stringify({ tool, input: { path: PATH, ...input } });
    const args = ['apply', '--agent', 'fixer', '--session', 's1'];
    const { out } = await vedit(repo, args, { input: line });
    const { code = '', message } = JSON.parse(out);
    return `${code} ${message}`;
  };
  await story(repo, {
    edit: (old_str, new_str) => call('str_replace', { old_str, new_str }),
    view: () => call('view', {}),
  });
});

it('vedit replace, a process a call', async () => {
  const repo = shop();
  const as = ['--agent', 'fixer', '--session', 's1'];
  const said = async (...args: string[]): Promise<string> => {
    const { out, err } = await vedit(repo, args);
    return `${out}${err}`;
  };
  await story(repo, {
    edit: (from, to) => said('replace', PATH, from, to, ...as),
    view: () => said('view', PATH, ...as),
  });
  const other = ['--agent', 'fixer', '--session', 's2'];
  expect(await said('replace', PATH, 'one', 'ONE', ...other)).toMatch(/\[vedit\/main.*\nNote: Ada rejected/s);
  expect(await said('replace', PATH, 'nowhere', 'x', '--agent', 'third')).toMatch(/NO_MATCH.*Note: Ada/s);
});

it('the hook of Claude Code tells it and denies the edit', async () => {
  const repo = shop();
  const claude = claudeCode(repo, '5f2c');
  await claude.edit(PATH, OLD, NEW);
  await reject(repo);
  const [, after] = await claude.edit(PATH, 'one', 'ONE');
  expect(JSON.parse(after!.out)).toMatchObject({
    hookSpecificOutput: {
      hookEventName: 'PostToolUse',
      additionalContext: expect.stringContaining('Note: Ada rejected what you wrote in memories/a.txt'),
    },
  });
  const input = { file_path: repo.path(PATH), old_string: OLD, new_string: NEW };
  const before = await claude.hook('PreToolUse', 'Edit', input, { tool_use_id: 'toolu_9' });
  expect(before.code).toBe(0);
  expect(JSON.parse(before.out).hookSpecificOutput).toMatchObject({
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringContaining('no caching here'),
  });
  expect(JSON.parse(before.out).hookSpecificOutput.permissionDecisionReason).toMatch(
    /Nothing was changed\. Do it in another way, or ask the person, who alone can take the rejection back \(vedit revert [0-9a-f]{12}\)\.$/,
  );
  const { file_path, ...step } = input;
  for (const [tool, given] of [
    ['MultiEdit', { file_path, edits: [{ old_string: 'ONE', new_string: 'one' }, step] }],
    ['Write', { file_path, content: `ONE\n${NEW}three\n` }],
    ['Edit', { file_path, old_string: '', new_string: `ONE\n${NEW}three\n` }],
  ] as const) {
    const denied = await claude.hook('PreToolUse', tool, given, { tool_use_id: `toolu_${tool}` });
    const said = JSON.parse(denied.out).hookSpecificOutput;
    expect([tool, said.permissionDecision, said.permissionDecisionReason]).toEqual([
      tool,
      'deny',
      expect.stringMatching(/^Ada rejected /),
    ]);
  }
  const fine = await claude.hook('PreToolUse', 'Edit', { ...input, new_string: 'TWO\n' });
  expect(fine).toEqual({ code: 0, out: '', err: '' });
});
