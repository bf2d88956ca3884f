/** A client that shows no pages of servers sees no difference: every answer is, byte for byte, that of a server without one. */

import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it } from 'vitest';
import { packageVersion } from '../../../src/surfaces/cli/package-version.ts';
import { McpConnection } from '../../../src/surfaces/mcp/server.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { bin } from '../../helpers/vedit.ts';

const OTHER_MIME = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/uri-list'] } };
const OTHER = { 'com.example/other': {} };

const CALLS = [
  { method: 'tools/list' },
  { method: 'resources/list' },
  { method: 'resources/templates/list' },
  { method: 'resources/read', params: { uri: 'ui://vedit/edits' } },
  { method: 'prompts/list' },
  { method: 'tools/call', params: { name: 'view', arguments: { path: 'a.txt' } } },
  {
    method: 'tools/call',
    params: { name: 'str_replace', arguments: { path: 'a.txt', old_str: 'x', new_str: 'y' } },
  },
  ...['review_page', 'page_history', 'page_accept', 'page_reject', 'no_such_tool'].map(name => ({
    method: 'tools/call',
    params: { name, arguments: { hunk: { path: 'a.txt' } } },
  })),
];

type Request = { method: string; params?: object };

/** As clients of 2025 begin. */
function asOf2025(capabilities: object): Request[] {
  const clientInfo = { name: 'plain', version: '1' };
  return [
    { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } },
    { method: 'notifications/initialized' },
    ...CALLS,
  ];
}

/** As clients of 2026 do: what they can goes with every request. */
function asOf2026(capabilities: object): Request[] {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'plain', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return [{ method: 'server/discover' }, ...CALLS].map(({ method, params }: Request) => ({
    method,
    params: { ...params, _meta },
  }));
}

function lines(requests: readonly Request[]): string {
  return requests
    .map((one, id) => (one.method.startsWith('notifications/') ? one : { id, ...one }))
    .map(one => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`)
    .join('');
}

/** A server that knows of no page. */
async function withoutPage(repo: Place, requests: readonly Request[]): Promise<string> {
  const connection = new McpConnection({ version: packageVersion(), open: () => repo.open() });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const said: string[] = [];
  output.on('data', chunk => said.push(String(chunk)));
  const served = serveStdio(() => connection.server(), {
    transport: new StdioServerTransport(input, output),
  });
  input.write(lines(requests));
  const expected = requests.filter(one => !one.method.startsWith('notifications/')).length;
  await expect.poll(() => said.join('').split('\n').length - 1, { timeout: 10_000 }).toBe(expected);
  await served.close();
  await repo.close();
  return said.join('');
}

/** Answers in the order of their requests: they come as they are ready. */
function sorted(out: string): string[] {
  const id = (line: string): number => JSON.parse(line).id;
  return out
    .trimEnd()
    .split('\n')
    .sort((a, b) => id(a) - id(b));
}

describe('a client without the extension', () => {
  it.each([
    ['of 2025', asOf2025({})],
    ['of 2025 that shows other things', asOf2025({ extensions: OTHER_MIME })],
    ['of 2025 with another extension', asOf2025({ extensions: OTHER, roots: {} })],
    ['of 2026', asOf2026({})],
    ['of 2026 that shows other things', asOf2026({ extensions: OTHER_MIME })],
  ])('gets what a server without a page answers: %s', async (_, requests) => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const expected = sorted(await withoutPage(repo, requests));
    const { out, code } = await bin(repo, ['mcp'], { input: lines(requests) });
    expect(code).toBe(0);
    expect(sorted(out)).toEqual(expected);
    expect(out).not.toMatch(/"resources"|_meta":\{"ui"/);
    expect(out).toContain('There is no tool \\"page_accept\\"');
  });

  it('is told apart: one with it gets more', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const shows = {
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    };
    for (const requests of [asOf2025(shows), asOf2026(shows)]) {
      const { out } = await bin(repo, ['mcp'], { input: lines(requests) });
      const [hello, list] = sorted(out).map(line => JSON.parse(line).result);
      expect(hello.capabilities).toHaveProperty('resources');
      expect(JSON.stringify(list ?? '')).toContain('page_accept');
    }
  });
});
