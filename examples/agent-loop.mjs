/** An agent in 40 lines: `ANTHROPIC_API_KEY=... node agent-loop.mjs 'Add a license header to src/*.js'`. */

import Anthropic from '@anthropic-ai/sdk';
import { initRepository, openWorkspace } from 'versioned-edit';
import { answerToolUses, customTools } from 'versioned-edit/anthropic';
import { toolInstructions } from 'versioned-edit/tools';

const [task = 'Make hello.txt.'] = process.argv.slice(2);
const root = process.cwd();
await initRepository({ root }); // does nothing in a repository that is there
const workspace = await openWorkspace({ root });
const session = workspace.session({ agent: 'loop', model: 'claude-sonnet-4-5' });

const client = new Anthropic();
const messages = [{ role: 'user', content: task }];
for (let turn = 0; turn < 50; turn++) {
  const reply = await client.messages.create({
    model: 'claude-sonnet-4-5',
    max_tokens: 4096,
    system: toolInstructions(),
    tools: customTools(),
    messages,
  });
  messages.push({ role: 'assistant', content: reply.content });
  for (const block of reply.content) if (block.type === 'text') console.log(block.text);
  if (reply.stop_reason !== 'tool_use') break;
  // A refusal is an answer too: it says what the model should send instead.
  messages.push({ role: 'user', content: await answerToolUses(session, reply.content) });
}
console.log((await session.log()).message); // every edit, a commit each
await workspace.close();
