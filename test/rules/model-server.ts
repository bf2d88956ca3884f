/**
 * A model for the examples in the docs: it asks for one tool that makes a file, and is done. The endpoints of
 * Anthropic and OpenAI, as far as their SDKs need them.
 */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelServer {
  /** What makes the SDKs ask this server. */
  env: Record<string, string>;
  close(): void;
}

export async function modelServer(): Promise<ModelServer> {
  const server = createServer(async (request, response) => {
    const body = await textOf(request);
    const answer = request.url?.includes('/messages') ? anthropicMessage(body) : openaiResponse(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: url,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  };
  return { env, close: () => server.close() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part as Uint8Array);
  return Buffer.concat(parts).toString();
}

const FILE = { path: 'hello.txt', file_text: 'hello\n' };

/** https://platform.claude.com/docs/en/api/messages */
function anthropicMessage(body: string): object {
  const isDone = body.includes('"tool_result"');
  const { tools = [] } = JSON.parse(body) as { tools?: Array<{ name: string }> };
  const name = tools.find(tool => tool.name === 'create') ? 'create' : tools[0]?.name;
  const input = name === 'create' ? FILE : { command: 'create', ...FILE };
  const content = isDone
    ? [{ type: 'text', text: 'The file is there.' }]
    : [{ type: 'tool_use', id: 'call-1', name, input }];
  return {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content,
    stop_reason: isDone ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** https://platform.openai.com/docs/api-reference/responses */
function openaiResponse(body: string): object {
  const operation = { type: 'create_file', path: FILE.path, diff: '+hello\n' };
  const patch = { type: 'apply_patch_call', id: 'i1', call_id: 'call-1', status: 'completed', operation };
  const content = [{ type: 'output_text', text: 'The file is there.', annotations: [] }];
  const message = { type: 'message', id: 'i2', role: 'assistant', status: 'completed', content };
  const isDone = body.includes('"apply_patch_call_output"');
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return { id: 'r1', object: 'response', status: 'completed', output: [isDone ? message : patch], usage };
}
