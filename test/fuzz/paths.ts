/** Paths made of the pieces of hostile ones, through every tool: what they may do to the disk and to history. */

import { existsSync, lstatSync } from 'node:fs';
import { ERROR_CODES } from '../../src/errors.ts';
import { runTool, type Session, type ToolResult } from '../../src/index.ts';
import { checkPath } from '../../src/stores/paths.ts';
import { lexical } from './hostile-list.ts';
import { type HostilePlace, hostilePlace, SECRET } from './hostile-place.ts';
import { type PathCall, pathCalls } from './path-calls.ts';
import { Random, type Tally } from './tally.ts';

/** Components and separators of the conformance list, and what is on disk. */
const PIECES: readonly string[] = [
  ...new Set(lexical.flatMap(({ input }) => input.split(/(?=[/\\])|(?<=[/\\])/))),
  ...[
    '..',
    '.',
    '/',
    '/',
    '/',
    '\\',
    '.git',
    'config',
    'hooks',
    'out',
    'leak',
    'g',
    'inside',
    'nested',
    'src',
  ],
  ...['a.txt', 'secret', 'outside', 'repo-evil', '~', 'C:', '\u0000', '\n', '\u202e', '\u200c', ' ', '.'],
];

export function randomPath(random: Random): string {
  const count = 1 + random.below(6);
  return Array.from({ length: count }, () => random.pick(PIECES)).join(random.once(2) ? '' : '/');
}

/** Tries `count` paths, each through every tool. */
export async function fuzzPaths(count: number, seed: number): Promise<Tally> {
  const random = new Random(seed);
  const place = hostilePlace();
  const workspace = await place.open();
  const lost: string[] = [];
  let calls = 0;
  for (let n = 0; n < count; n++) {
    const path = randomPath(random);
    const session = workspace.session();
    for (const call of pathCalls(path)) {
      calls++;
      const result = await runTool(session, call.tool, call.input);
      lost.push(
        ...faultsOf(place, call, path, result).map(words => `${JSON.stringify(path)} ${call.tool}: ${words}`),
      );
    }
    await undone(session);
  }
  await workspace.close();
  const fsck = place.git('fsck', '--strict', '--no-dangling');
  if (fsck !== '') lost.push(fsck);
  return { name: 'paths', tried: calls, lost, notes: `${count} paths, seed ${seed}` };
}

/** Takes back what the path was allowed to do, so that the next one finds the same files. */
async function undone(session: Session): Promise<void> {
  for (let n = 0; n < 20; n++) if (!(await runTool(session, 'undo', {})).ok) return;
}

/** What a call on a path did that it must not do. */
export function faultsOf(place: HostilePlace, call: PathCall, path: string, result: ToolResult): string[] {
  const faults = place.trespasses().map(changed => `changed ${changed}`);
  const text = JSON.stringify(result);
  if (text.includes(SECRET)) faults.push('told the secret');
  if (!result.ok && !(result.code in ERROR_CODES)) faults.push(`has no code: ${text}`);
  if (!result.ok && result.code === 'INTERNAL_ERROR') faults.push(result.message);
  if (!result.ok && result.message.includes(place.path('..')) && !path.includes(place.dir))
    faults.push('told a host path');
  if (result.ok && !call.inText && !isLexicallyAllowed(place, path))
    faults.push(`was done: ${text.slice(0, 200)}`);
  if (result.ok) faults.push(...strangePaths(place, result.data));
  return faults;
}

function isLexicallyAllowed(place: HostilePlace, path: string): boolean {
  try {
    checkPath(path, { root: place.dir, folder: true });
    return true;
  } catch {
    return path === '/';
  }
}

/** Paths of an answer that no request may name, or that are not where they say. */
function strangePaths(place: HostilePlace, data: unknown): string[] {
  const { paths = [] } = data as { paths?: Array<{ path: string; kind?: string }> };
  return paths.flatMap(({ path }) => {
    const real = place.path(path);
    if (!isLexicallyAllowed(place, path)) return [`answered ${path}`];
    return existsSync(real) && lstatSync(real).isSymbolicLink() ? [`recorded the link ${path}`] : [];
  });
}
