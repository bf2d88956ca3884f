/** A repository that many work in, and what their work must have left. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ack, SHARED } from '../race/agents.ts';
import { at, type Sandbox } from './real-git.ts';

/** A repository on a real disk with one commit, which the caller removes; `own`: the trail is its branch. */
export function startRepository(own: boolean): Sandbox {
  const repo = at(realpathSync(mkdtempSync(join(tmpdir(), 'vedit-race-'))));
  repo.git('init', '-q', '-b', 'main', '--template=');
  repo.git('config', 'gc.auto', '0');
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  if (own) repo.git('config', 'vedit.trail', 'HEAD');
  repo.write(SHARED, 'END\n');
  repo.write('native.txt', '0\n');
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'start');
  return repo;
}

export const trailOf = (own: boolean): string => (own ? 'refs/heads/main' : 'refs/vedit/main');

/** The acknowledged edits that are not on the trail exactly once, or whose text is not in its newest commit. */
export function lostEdits(repo: Sandbox, trail: string, acks: readonly Ack[]): string[] {
  const byId = commitsById(repo, trail);
  const head = new Set(
    agentFiles(repo, trail).flatMap(path => repo.git('show', `${trail}:${path}`).split('\n')),
  );
  return acks.flatMap(({ id, commit }) => {
    const found = byId.get(id) ?? [];
    return [
      ...(found.length === 1 && found[0] === commit ? [] : [`${id} is on the trail ${found.length} times`]),
      ...(head.has(id) ? [] : [`the text of ${id} is not in the newest commit`]),
    ];
  });
}

function commitsById(repo: Sandbox, trail: string): Map<string, string[]> {
  const format = '--format=%H %(trailers:key=Vedit-Edit-Id,valueonly,separator=%x2C)';
  const byId = new Map<string, string[]>();
  for (const line of repo.git('log', format, trail).split('\n')) {
    const [commit, id] = line.split(' ');
    if (id) byId.set(id, [...(byId.get(id) ?? []), commit!]);
  }
  return byId;
}

function agentFiles(repo: Sandbox, trail: string): string[] {
  const names = repo.git('ls-tree', '--name-only', trail).split('\n');
  return names.filter(name => name === SHARED || name.startsWith('own-'));
}

/** Acknowledged commits that no ref leads to. */
export function unreachable(repo: Sandbox, acks: readonly Ack[]): string[] {
  const reached = new Set(repo.git('rev-list', '--all').split('\n'));
  return acks.filter(ack => !reached.has(ack.commit)).map(ack => `${ack.id} was acknowledged and is lost`);
}

/** What git says of the repository. */
export function gitFaults(repo: Sandbox): string[] {
  const fsck = spawnSync('git', ['fsck', '--strict', '--no-dangling', '--no-progress'], { cwd: repo.dir });
  const said = `${fsck.stdout}${fsck.stderr}`.trim();
  return said === '' && fsck.status === 0 ? [] : [`git fsck: ${said}`];
}

/** Files of agents that are not what the trail holds. */
export function differing(repo: Sandbox, trail: string): string[] {
  return agentFiles(repo, trail)
    .filter(path => readFileSync(repo.path(path), 'utf8').trimEnd() !== repo.git('show', `${trail}:${path}`))
    .map(path => `${path} is not what the trail holds`);
}

/** Locks, journal and temporary files. */
export function residue(repo: Sandbox): string[] {
  const names = readdirSync(repo.path('.git'), { recursive: true, encoding: 'utf8' });
  return names
    .filter(name => name.endsWith('.lock') || /^vedit\/(lock|journal|tmp\/)/.test(name))
    .map(name => `${name} lies around`);
}

/** On a branch of one's own git sees nothing but what the agents did. */
export function unclean(repo: Sandbox, own: boolean): string[] {
  const status = own ? repo.git('status', '--porcelain') : '';
  return status === '' ? [] : [`git status: ${status}`];
}
