/** A model behind the official client, which shows it one form of an answer alone; and how it reads what it is shown. */

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished } from 'vitest';
import { McpConnection, type McpOptions } from '../../../../src/surfaces/mcp/server.ts';
import { caller } from '../../../helpers/mcp-client.ts';

/** Which part of a result the client shows: Claude Code and Codex show the structure where there is one. */
export type Form = 'text' | 'structured';

export const FORMS: readonly Form[] = ['text', 'structured'];

export type Call = readonly [tool: string, input: Record<string, unknown>];

/** What the model gets to read. */
export interface Seen {
  text: string;
  isError: boolean;
}

export type Ask = (call: Call) => Promise<Seen>;

/** A server of all tools with these options, asked through the client. */
export async function modelOf(options: Omit<McpOptions, 'version'>, form: Form): Promise<Ask> {
  const structured = form === 'structured';
  const connection = new McpConnection({ version: '1', tools: 'all', structured, ...options });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await connection.server().connect(theirs);
  const client = new Client({ name: 'model', version: '1' });
  await client.connect(ours);
  onTestFinished(() => client.close());
  return asking(client, form);
}

/** After the list of tools the client checks every structure by the tool's outputSchema. */
export async function asking(client: Client, form: Form): Promise<Ask> {
  const { tools } = await client.listTools();
  expect(tools.every(tool => (tool.outputSchema !== undefined) === (form === 'structured'))).toBe(true);
  const call = caller(client);
  return async ([tool, input]) => {
    const { text, structured, isError } = await call(tool, input);
    if (form === 'structured') return { text: readStructure(JSON.stringify(structured), text), isError };
    expect(structured).toBeUndefined();
    return { text, isError };
  };
}

/** The text in a structure as clients show it; it must be the one that the others show. */
function readStructure(shown: string, text: string): string {
  expect(shown).not.toMatch(/"diff":/);
  const structure = JSON.parse(shown);
  expect(structure.text).toBe(text);
  return structure.text;
}

/** The lines of a text that have numbers before them. */
export function numberedLines(text: string): Map<number, string> {
  return new Map(
    [...text.matchAll(/^ *(\d+)\t(.*)$/gm)].map(([, line, content]) => [Number(line), content!]),
  );
}

/** Lines `from` to `to` of those, as a text; throws when one is not shown. */
export function linesIn(text: string, from: number, to: number = from): string {
  const lines = numberedLines(text);
  return Array.from({ length: to - from + 1 }, (_, n) => found(lines.get(from + n), `line ${from + n}`)).join(
    '\n',
  );
}

/** The text between the first fences, without its last line end. */
export function fencedIn(text: string): string {
  return found(/^```\n(.*?)\n```$/ms.exec(text)?.[1], 'a fenced text');
}

/** What the pattern's first group finds. */
export function wordIn(text: string, pattern: RegExp): string {
  return found(pattern.exec(text)?.[1], String(pattern));
}

/** A version as a refusal or a view says it. */
export function versionIn(text: string): string {
  return wordIn(text, /version "?([0-9a-f]{12,40})/);
}

function found(value: string | undefined, what: string): string {
  if (value === undefined) throw new Error(`The text does not have ${what}.`);
  return value;
}
