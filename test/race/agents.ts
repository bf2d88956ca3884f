/** Agents as processes of their own: through the library, and through the command line. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { WorkspaceOptions } from '../../src/index.ts';
import type { Sandbox } from '../helpers/real-git.ts';

/** An edit that was acknowledged. */
export interface Ack {
  id: string;
  commit: string;
}

export interface Agent {
  process: ChildProcess;
  acks: Ack[];
  /** Refusals and warnings, in words. */
  refused: string[];
  /** Its first line was read; its first edit was acknowledged; or it has ended. */
  begun: Promise<void>;
  edited: Promise<void>;
  /** Standard error, and the exit code or signal. */
  done: Promise<{ error: string; code: number | string | null }>;
}

export interface Work {
  name: string;
  count: number;
  /** Milliseconds between two edits. */
  pause?: number;
  options?: Partial<WorkspaceOptions>;
}

/** The file that all agents edit. */
export const SHARED = 'shared.txt';

const WORKER = join(import.meta.dirname, 'worker.mjs');
const VEDIT = join(import.meta.dirname, '..', '..', 'bin', 'vedit.js');

/** An agent that uses the library; the begin of its work is its first line. */
export function startAgent(repo: Sandbox, { pause = 0, options = {}, ...work }: Work): Agent {
  const all = { root: repo.dir, shared: SHARED, pause, options, ...work };
  return watch(spawn(process.execPath, [WORKER, JSON.stringify(all)], { stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** An agent that sends its calls to `vedit apply`; its first line is the answer to its first call. */
export function startCommand(repo: Sandbox, { name, count }: Work): Agent {
  const child = spawn(process.execPath, [VEDIT, '-C', repo.dir, 'apply', '--agent', name]);
  const calls = Array.from({ length: count }, (_, n) => JSON.stringify(callOf(name, n)));
  child.stdin.on('error', () => {});
  child.stdin.end(`${calls.join('\n')}\n`);
  return watch(child);
}

function callOf(name: string, n: number): object {
  const id = `${name}-${n}`;
  const path = n % 3 === 0 ? SHARED : `own-${name}.txt`;
  const edit = { path, old_str: 'END\n', new_str: `${id}\nEND\n`, edit_id: id };
  const create = { path: `own-${name}.txt`, content: `${id}\nEND\n`, edit_id: id };
  return n === 0 ? { id, tool: 'create', input: create } : { id, tool: 'str_replace', input: edit };
}

interface Line {
  begins?: true;
  id?: string;
  commit?: string | null;
  warnings?: string[];
  refused?: string;
  message?: string;
  /** Of `vedit apply`. */
  ok?: boolean;
  code?: string;
  data?: { commit?: string | null; warnings?: string[] };
}

function watch(child: ChildProcess): Agent {
  const acks: Ack[] = [];
  const refused: string[] = [];
  let rest = '';
  let error = '';
  const until = (reached: () => boolean): Promise<void> =>
    new Promise(resolve => {
      child.stdout!.on('data', () => reached() && resolve());
      child.once('close', () => resolve());
    });
  child.stdout!.on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) note(JSON.parse(line) as Line, acks, refused);
  });
  const begun = until(() => true);
  const edited = until(() => acks.length > 0);
  child.stderr!.on('data', chunk => {
    error += chunk;
  });
  const done: Agent['done'] = new Promise(resolve =>
    child.once('close', (code, signal) => resolve({ error, code: code ?? signal })),
  );
  return { process: child, acks, refused, begun, edited, done };
}

function note(line: Line, acks: Ack[], refused: string[]): void {
  const { commit, warnings } = line.data ?? line;
  const code = line.refused ?? line.code;
  if (line.id && commit) acks.push({ id: line.id, commit });
  if (code) refused.push(`${code} ${line.message}`);
  refused.push(...(warnings ?? []).map(text => `warning: ${text}`));
}
