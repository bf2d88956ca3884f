/** Real processes in sandboxes: other namespaces of processes, hosts and mounts, as agents live in them. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Sandbox } from '../helpers/real-git.ts';
import { type Ack, SHARED, type Work } from '../race/agents.ts';

const WORKER = join(import.meta.dirname, '..', 'race', 'worker.mjs');
const HOLDER = join(import.meta.dirname, 'holder.mjs');
export const VEDIT: string = join(import.meta.dirname, '..', '..', 'bin', 'vedit.js');

/** What surrounds a process: words before its command line. */
export type Walls = readonly string[];

/** None. */
export const HOST: Walls = [];
/** Another PID namespace, with the same host name. */
export const BOX: Walls = ['unshare', '-p', '-f', '--mount-proc'];
/** Another host name as well. The shell stays: the first process of a namespace cannot kill itself. */
export const container = (name: string): Walls => [
  ...['unshare', '-p', '-f', '-u', '--mount-proc', 'sh', '-c'],
  `hostname ${name} && "$@"; exit $?`,
  'sh',
];
/** A mount namespace of its own with something mounted, and then a container. */
export const mounted = (mount: string, name: string): Walls => [
  ...['unshare', '-m', '-p', '-f', '-u', 'sh', '-c'],
  `mount -t proc proc /proc && ${mount} && hostname ${name} && "$@"; exit $?`,
  'sh',
];

/** Why sandboxes cannot be made here; `null` where they can. */
export function noSandbox(): string | null {
  const { status, error } = spawnSync('unshare', ['-m', '-p', '-f', '-u', '--mount-proc', 'true']);
  if (status === 0) return null;
  return error ? 'there is no unshare here' : 'this user may not make namespaces';
}

/** Why no overlay can be mounted here. */
export function noOverlay(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-overlay-'));
  const script = `cd ${folder} && mkdir l u w m && ${overlay(folder)}`;
  const { status } = spawnSync('unshare', ['-m', 'sh', '-c', script]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? null : 'no overlay can be mounted here';
}

/** Mounts `l` and `u` of a folder, one over the other, at its `m`. */
export function overlay(folder: string): string {
  return `mount -t overlay overlay -o lowerdir=${folder}/l,upperdir=${folder}/u,workdir=${folder}/w ${folder}/m`;
}

export interface Member {
  process: ChildProcess;
  /** The next line that it says. */
  next(): Promise<Record<string, unknown>>;
  tell(line: string): void;
  /** Resolves with its exit code or signal. */
  ended: Promise<number | string | null>;
}

function started(walls: Walls, args: readonly string[]): Member {
  const [command, ...rest] = [...walls, process.execPath, ...args];
  const child = spawn(command!, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin!.on('error', () => {});
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    process: child,
    next: async () => JSON.parse((await lines.next()).value ?? '{}'),
    tell: line => void child.stdin!.write(`${line}\n`),
    ended: once(child, 'close').then(([code, signal]) => code ?? signal),
  };
}

/** A process that takes the lock of a folder; see holder.mjs. */
export function startHolder(walls: Walls, folder: string, patience: number, kind = ''): Member {
  return started(walls, [HOLDER, folder, String(patience), kind]);
}

/** The process of a sandbox itself, by its number here: what started it is another one. */
export function innermost(member: Member): number {
  let pid = member.process.pid!;
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    if (children === '') return pid;
    pid = Number(children.split(' ')[0]);
  }
}

/** Works as an agent behind walls; answers what was acknowledged, and what went wrong. */
export async function work(
  walls: Walls,
  repo: Sandbox,
  { name, count, options = {} }: Work,
): Promise<{ acks: Ack[]; refused: string[]; code: number | string | null }> {
  const all = { root: repo.dir, shared: SHARED, pause: 0, name, count, options: { ...options } };
  const [command, ...rest] = [...walls, process.execPath, WORKER, JSON.stringify(all)];
  const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const acks: Ack[] = [];
  const refused: string[] = [];
  createInterface({ input: child.stdout! }).on('line', text => {
    const line = JSON.parse(text) as { id?: string; commit?: string; refused?: string; message?: string };
    if (line.id) acks.push({ id: line.id, commit: line.commit! });
    if (line.refused) refused.push(`${line.refused} ${line.message}`);
  });
  const [code, signal] = await once(child, 'close');
  return { acks, refused, code: code ?? signal };
}

/** Runs a command line of vedit behind walls. */
export function vedit(walls: Walls, repo: Sandbox, ...args: string[]): { code: number | null; err: string } {
  const [command, ...rest] = [...walls, process.execPath, VEDIT, '-C', repo.dir, ...args];
  const { status, stderr } = spawnSync(command!, rest, { encoding: 'utf8' });
  return { code: status, err: stderr };
}

/** Kills itself by the library's own hook, in the middle of its first edit. */
export function dieInAnEdit(walls: Walls, repo: Sandbox): void {
  const library = join(import.meta.dirname, '..', '..', 'dist', 'index.js');
  const script = `const { openWorkspace } = await import(${JSON.stringify(library)});
    const workspace = await openWorkspace({ root: ${JSON.stringify(repo.dir)} });
    const session = workspace.session({ beforeCommit: () => process.kill(process.pid, 'SIGKILL') });
    await session.edit('create', { path: 'dead.txt', file_text: 'dead' });`;
  const [command, ...rest] = [...walls, process.execPath, '--input-type=module', '-e', script];
  spawnSync(command!, rest);
}
