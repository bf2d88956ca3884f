/** Hosts as processes, what they said, and whether all of it is true. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { git, using } from '../../helpers/clones.ts';
import type { Place } from '../../helpers/person-repo.ts';
import type { Sandbox } from '../../helpers/real-git.ts';
import { create, faultsOf, hostsOf, sync, treesOf } from '../hosts.ts';

export interface Ack {
  id: string;
  path: string;
  commit: string;
  sync?: 'done' | 'pending';
}

export interface Totals {
  rounds: number;
  pulled: number;
  pushed: number;
  pushes: number;
  merges: number;
  outrun: number;
  failed: Record<string, number>;
  /** Milliseconds: until its last edit was answered, of waiting for answers, and until the server had all. */
  edited: number;
  waited: number;
  ms: number;
}

export interface Host {
  child: ChildProcess;
  acks: Ack[];
  aside: Array<{ aside: string; path: string; merge: string }>;
  /** What should not be: refusals, syncs that no repetition helps. */
  wrong: string[];
  totals: Totals | null;
  begun: Promise<void>;
  done: Promise<void>;
}

export interface HostWork {
  name: string;
  count: number;
  first?: number;
  pause?: number;
  when?: 'interval' | 'before-answer';
  interval?: number;
  timeout?: number;
  tries?: number;
}

export const SHARED: readonly string[] = ['shared/a.txt', 'shared/b.txt', 'shared/c.txt'];

const PROGRAM = join(import.meta.dirname, 'host.mjs');

export function startHost(place: Sandbox, work: HostWork): Host {
  const given = JSON.stringify({ root: place.dir, shared: SHARED, ...work });
  const child = spawn(process.execPath, [PROGRAM, given], { stdio: ['ignore', 'pipe', 'pipe'] });
  let begins = (): void => {};
  const begun = new Promise<void>(resolve => {
    begins = resolve;
  });
  const host: Host = { child, acks: [], aside: [], wrong: [], totals: null, begun, done: Promise.resolve() };
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    begins();
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) note(host, JSON.parse(line));
  });
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk;
  });
  host.done = new Promise(resolve => {
    child.on('close', code => {
      begins();
      if (error !== '' || (code !== 0 && code !== null))
        host.wrong.push(`${work.name} ended with ${code}: ${error}`);
      resolve();
    });
  });
  return host;
}

function note(host: Host, line: Record<string, unknown>): void {
  if ('commit' in line) host.acks.push(line as unknown as Ack);
  else if ('aside' in line) host.aside.push(line as unknown as Host['aside'][number]);
  else if ('totals' in line) host.totals = line.totals as Totals;
  else if (!('begins' in line)) host.wrong.push(JSON.stringify(line));
}

/** A server with documents, and hosts that have them: every second one with files beside its repository. */
export async function startHosts(server: Sandbox, names: readonly string[], url?: string): Promise<Place[]> {
  const hosts: Place[] = [];
  for (const [n, name] of names.entries())
    hosts.push(...(await hostsOf(server, [name], { bare: n % 2 === 0, ...(url ? { url } : {}) })));
  const text = [...names.flatMap(name => [`[${name}]`, ...BETWEEN]), 'END', ''].join('\n');
  for (const path of SHARED) await create(hosts[0]!, path, text);
  for (const name of names) await create(hosts[0]!, `own/${name}.txt`, `[${name}]\n`);
  for (const host of hosts) await sync(host);
  return hosts;
}

/** Lines between the places of two hosts, so that they do not touch. */
const BETWEEN = ['-', '--', '---', '----'];

/** Syncs one after the other until all have the same. */
export async function settle(hosts: readonly Place[]): Promise<void> {
  for (let round = 0; round < 2; round++)
    for (const host of hosts)
      await using(host, one => one.sync({ git, onConflict: 'server', withUnpushedCommits: true }));
}

export interface Story {
  server: Sandbox;
  places: readonly Place[];
  acks: readonly Ack[];
  /** What the hosts were told of by events; `null`: some were killed, and the history alone tells. */
  aside: ReadonlyArray<{ aside: string; path: string }> | null;
}

/** What of the promises does not hold; all repositories have settled. */
export async function broken({ server, places, acks, aside }: Story): Promise<string[]> {
  const wrong: string[] = [];
  if (treesOf([server, ...places]).size !== 1) wrong.push('the trees differ');
  const commits = server.git('rev-list', 'main').split('\n');
  const there = new Map<string, number>();
  for (const commit of commits) there.set(commit, (there.get(commit) ?? 0) + 1);
  for (const { id, commit } of acks)
    if (there.get(commit) !== 1)
      wrong.push(`${id} (${commit}) is ${there.get(commit) ?? 0} times on the server`);
  const named = new Set((aside ?? asideIn(server)).map(one => `${one.aside} ${one.path}`));
  for (const ack of acks) {
    const count = textOf(server, ack.path).filter(line => line === ack.id).length;
    const expected = named.has(`${ack.commit} ${ack.path}`) ? 0 : 1;
    if (count !== expected) wrong.push(`${ack.id} stands ${count} times in ${ack.path}, not ${expected}`);
  }
  for (const box of [server, ...places]) {
    const fsck = box.git('fsck', '--strict', '--no-dangling');
    if (/error|missing|broken/.test(fsck)) wrong.push(fsck);
  }
  for (const place of places) {
    wrong.push(...(await faultsOf(place)));
    if (
      place.git('rev-parse', '--is-bare-repository') === 'false' &&
      place.git('status', '--porcelain') !== ''
    )
      wrong.push(`${place.dir}: ${place.git('status', '--porcelain')}`);
  }
  return wrong;
}

const texts = new WeakMap<Sandbox, { tip: string; byPath: Map<string, string[]> }>();

function textOf(server: Sandbox, path: string): string[] {
  const tip = server.git('rev-parse', 'main');
  const known = texts.get(server);
  const { byPath } = known?.tip === tip ? known : { byPath: new Map<string, string[]>() };
  texts.set(server, { tip, byPath });
  const text = byPath.get(path) ?? server.git('show', `main:${path}`).split('\n');
  byPath.set(path, text);
  return text;
}

/** As the history names them. */
export function asideIn(server: Sandbox): Array<{ aside: string; path: string }> {
  const format = '--format=%(trailers:key=Vedit-Sets-Aside,valueonly)';
  const lines = server.git('log', format, 'main').split('\n').filter(Boolean);
  return lines.map(line => ({ aside: line.slice(0, 40), path: line.slice(41) }));
}
