/** The official client, connected to the real program. */

import { Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import type { Sandbox } from './real-git.ts';
import { BIN, cleanEnv } from './vedit.ts';

export interface Answer {
  text: string;
  isError: boolean;
  /** Only of a server that was started with --structured. */
  structured: Structured | undefined;
}

export interface Structured {
  ok: boolean;
  text: string;
  code?: string;
  retryable?: boolean;
  data: Record<string, unknown>;
}

export interface Connected {
  client: Client;
  /** What the server wrote to standard error so far. */
  log(): string;
  call(name: string, input: object, options?: object): Promise<Answer>;
}

export interface Start {
  command: string;
  args: readonly string[];
}

/** `vedit mcp` in the folder of `box`. It is stopped when the test ends. */
export function connect(
  box: Sandbox,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  capabilities: ClientCapabilities = {},
): Promise<Connected> {
  const start = { command: process.execPath, args: [BIN, 'mcp', ...args] };
  return connectTo(box, start, env, 'test-client', capabilities);
}

/** What a client says that shows pages of servers: MCP Apps. */
export const SHOWS_APPS: ClientCapabilities = {
  extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
};

export async function connectTo(
  box: Sandbox,
  start: Start,
  env: NodeJS.ProcessEnv = {},
  name = 'test-client',
  capabilities: ClientCapabilities = {},
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: start.command,
    args: [...start.args],
    cwd: box.dir,
    env: cleanEnv(box, env) as Record<string, string>,
    stderr: 'pipe',
  });
  const said: string[] = [];
  transport.stderr?.on('data', chunk => said.push(String(chunk)));
  const client = new Client({ name, version: '1.2.3' }, { capabilities });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    log: () => said.join(''),
    call: caller(client),
  };
}

/** Calls a tool with JSON, and answers what came back. */
export function caller(client: Client): Connected['call'] {
  return async (name, input, options) => {
    const result = await client.callTool({ name, arguments: { ...input } }, options);
    const [block] = result.content as Array<{ type: string; text: string }>;
    const structured = result.structuredContent as Answer['structured'];
    return { text: block!.text, isError: result.isError === true, structured };
  };
}
