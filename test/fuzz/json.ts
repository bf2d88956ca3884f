/** JSON of any shape to runTool, and lines of any kind to apply: an answer with a code, never a stack trace or a hang. */

import { ERROR_CODES } from '../../src/errors.ts';
import { runTool } from '../../src/index.ts';
import { tools } from '../../src/tools/index.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';
import { Random, type Tally } from './tally.ts';

/** Values that programs stumble over. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1,
  1.5,
  1e308,
  2 ** 53,
  -(2 ** 31),
  '',
  ' ',
  'a.txt',
  '.',
  '..',
  '@',
  '~1',
  '~99999999999999999999',
  'HEAD^{tree}',
  '0'.repeat(40),
  'ffff',
  '__proto__',
  'constructor',
  'line 1\n',
  '\0',
  '\ud800',
  'x'.repeat(5000),
  '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch',
  '--- a/a.txt\n+++ b/a.txt\n@@ -1,9999999 +1 @@\n-a\n+b\n',
  '<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE',
  [],
  {},
  [[]],
  [null],
  [1, -1],
  [Number.MAX_SAFE_INTEGER, -1],
  JSON.parse('{"__proto__":{"x":1},"toString":1,"toJSON":2}'),
  [{ from: 1, to: 1, content: 'x' }],
  [{ edit: 'create', path: 'x', file_text: 'x' }],
  [{ edit: 'change', edits: [] }],
];

function anyKey(random: Random): string {
  const value = random.pick(VALUES);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A value of any shape, not deeper than `depth`. */
function anyValue(random: Random, depth: number): unknown {
  if (depth === 0 || random.once(2)) return random.pick(VALUES);
  const count = random.below(4);
  if (random.once(2)) return Array.from({ length: count }, () => anyValue(random, depth - 1));
  const entries = Array.from({ length: count }, () => [anyKey(random), anyValue(random, depth - 1)]);
  return Object.fromEntries(entries);
}

/** An input that works, with some fields changed, left out, renamed or added. */
function bentInput(
  random: Random,
  example: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): unknown {
  const input: Record<string, unknown> = { ...example };
  for (let n = 1 + random.below(3); n > 0; n--) {
    const field = fields.length > 0 ? random.pick(fields) : 'extra';
    if (random.once(4)) delete input[field];
    else if (random.once(6)) input[anyKey(random)] = anyValue(random, 2);
    else input[field] = anyValue(random, 3);
  }
  return input;
}

export async function fuzzTools(count: number, seed: number): Promise<Tally> {
  const random = new Random(seed);
  const repo = personRepo({ 'a.txt': 'a\nb\nc\n', 'src/auth.ts': 'x\n' });
  const workspace = await repo.open();
  const lost: string[] = [];
  for (let n = 0; n < count; n++) {
    const tool = random.pick(tools);
    const any = random.once(4);
    const input = any ? anyValue(random, 4) : bentInput(random, tool.example, Object.keys(tool.input.shape));
    const name = random.once(30) ? (random.pick(VALUES) as string) : tool.name;
    const result: unknown = await runTool(workspace.session(), name, input).catch(error => `threw ${error}`);
    const fault = faultOf(repo, result);
    if (fault) lost.push(`${name} ${shown(input)}: ${fault}`);
  }
  await workspace.close();
  const fsck = repo.git('fsck', '--strict', '--no-dangling');
  if (fsck !== '') lost.push(fsck);
  return { name: 'tool inputs', tried: count, lost, notes: `seed ${seed}` };
}

/** Lines for `vedit apply`, whole, cut, mixed and nested: each piece is answered, and the stream goes on. */
export async function fuzzApply(count: number, seed: number): Promise<Tally> {
  const random = new Random(seed);
  const repo = personRepo({ 'a.txt': 'a\nb\nc\n' });
  const lost: string[] = [];
  const last = JSON.stringify({ tool: 'view', input: { path: 'a.txt' }, id: 'last' });
  for (let n = 0; n < count; n++) {
    const lines = Array.from({ length: 1 + random.below(4) }, () => anyLine(random));
    const { code, out, err } = await vedit(repo, ['apply'], { input: `${lines.join('\n')}\n${last}\n` });
    const answers = out.split('\n').filter(line => line !== '');
    const faults = answers.map(line => faultOf(repo, parsed(line))).filter(fault => fault !== null);
    if (![0, 1, 2, 3, 4, 128].includes(code)) faults.push(`exit ${code}`);
    if (err !== '') faults.push(`stderr ${err}`);
    if ((parsed(answers.at(-1) ?? '') as { id?: unknown } | null)?.id !== 'last' && !isOpen(lines))
      faults.push('the call after it was not answered');
    if (faults.length > 0) lost.push(`${shown(lines)}: ${faults.join('; ')}`);
  }
  return { name: 'lines of apply', tried: count, lost, notes: `seed ${seed}` };
}

/** A line that begins a call over several lines may take the next ones with it. */
function isOpen(lines: readonly string[]): boolean {
  return lines.some(line => /[{[,:]\s*$/.test(line));
}

function anyLine(random: Random): string {
  const call = { tool: random.pick(tools).name, input: anyValue(random, 3), id: anyValue(random, 1) };
  const text = JSON.stringify(random.once(3) ? anyValue(random, 4) : call) ?? 'undefined';
  if (random.once(4)) return text.slice(0, random.below(text.length + 1));
  if (random.once(8)) return text.slice(random.below(text.length));
  return random.once(20) ? `${'['.repeat(50_000)}` : text;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** What is wrong with an answer, or `null`. */
export function faultOf(repo: Place, result: unknown): string | null {
  const { ok, code, message } = (result ?? {}) as { ok?: unknown; code?: string; message?: unknown };
  const text = JSON.stringify(result) ?? String(result);
  if (typeof ok !== 'boolean' || typeof message !== 'string') return `no answer: ${text.slice(0, 200)}`;
  if (!ok && !(String(code) in ERROR_CODES)) return `no code: ${text.slice(0, 200)}`;
  if (!ok && (code === 'STORE_FAILED' || code === 'INTERNAL_ERROR')) return message;
  if (/\n\s+at .*:\d+:\d+/.test(message)) return 'a stack trace';
  if (!ok && message.includes(repo.dir)) return 'a host path';
  return message.length > 200_000 ? `${message.length} characters` : null;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 400);
}
