/** An agent that does what its prompt says, as JSON: a list of steps. It says what it was asked and what became of each step. */

import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import * as acp from '@agentclientprotocol/sdk';

const { session, initialize } = acp.methods.agent;
const { fs, terminal, session: told } = acp.methods.client;

const STEPS = {
  write: ({ client, sessionId }, [path, content]) =>
    client.request(fs.writeTextFile, { sessionId, path, content }),
  /** A tool of the agent's own, which says what it did. */
  edit: async ({ update }, [path, oldText, newText]) => {
    const call = { toolCallId: `e${path}`, title: 'edit', kind: 'edit' };
    await update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
    writeFileSync(path, readFileSync(path, 'utf8').replace(oldText, newText));
    const content = [{ type: 'diff', path, oldText, newText }];
    await update({
      sessionUpdate: 'tool_call_update',
      toolCallId: call.toolCallId,
      status: 'completed',
      content,
    });
  },
  /** A command that the agent runs itself. */
  run: async ({ update }, [command]) => {
    const call = { toolCallId: `r${command}`, title: command, kind: 'execute', rawInput: { command } };
    await update({ sessionUpdate: 'tool_call', ...call, status: 'in_progress' });
    await wait(1_500);
    execSync(command);
    await update({ sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status: 'completed' });
  },
  terminal: async ({ client, sessionId }, [command]) => {
    const { terminalId } = await client.request(terminal.create, {
      sessionId,
      command: 'sh',
      args: ['-c', command],
    });
    await client.request(terminal.waitForExit, { sessionId, terminalId });
    await client.request(terminal.release, { sessionId, terminalId });
  },
  /** What it tells nobody. */
  silently: async (_, [path, text]) => writeFileSync(path, text),
  ask: ({ client }, [method, params]) => client.request(method, params),
};

acp
  .agent({ name: 'scripted' })
  .onRequest(initialize, () => ({
    protocolVersion: acp.PROTOCOL_VERSION,
    agentInfo: { name: 'scripted', version: '1' },
    agentCapabilities: {},
  }))
  .onRequest(session.new, () => ({ sessionId: `s-${process.pid}` }))
  .onRequest(
    '_odd/thing',
    params => params,
    ({ params }) => ({ odd: params }),
  )
  .onRequest(session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const update = one => client.notify(told.update, { sessionId, update: one });
    const say = text => update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    for (const { text } of prompt.slice(1)) await say(`heard: ${text}\n`);
    for (const [name, ...given] of JSON.parse(prompt[0].text)) {
      const result = await STEPS[name]({ client, sessionId, update }, given).catch(
        error => `failed: ${error.message}`,
      );
      await say(`${name}: ${JSON.stringify(result) ?? 'done'}\n`);
    }
    return { stopReason: 'end_turn' };
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
