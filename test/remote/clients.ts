/** A repository with a transport to a server. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { systemGit } from '../../src/git/native/system-git.ts';
import type { GitCall, RunGit } from '../../src/git/run-git.ts';
import { Transport } from '../../src/remote/transport.ts';
import { repository, type Sandbox } from '../helpers/real-git.ts';

export interface Client extends Sandbox {
  transport: Transport;
  /** What git was started with. */
  calls: GitCall[];
  commit(text: string): string;
}

export interface ClientOptions {
  timeout?: number;
  env?: object;
}

export function client(url: string, { env, timeout }: ClientOptions = {}): Client {
  const box = repository();
  box.git('remote', 'add', 'origin', url);
  const calls: GitCall[] = [];
  const run = systemGit({ PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', ...env });
  const git: RunGit = call => {
    calls.push(call);
    return run(call);
  };
  const commit = (text: string): string => {
    box.write('a.txt', text);
    box.git('add', '-A');
    box.git('commit', '-qm', text);
    return box.git('rev-parse', 'HEAD');
  };
  const transport = new Transport({ git, cwd: box.dir, remote: 'origin', timeout });
  return { ...box, transport, calls, commit };
}

/** The objects folder that a fetch writes to. */
export function quarantine(box: Sandbox): string {
  const dir = box.path('.git', 'quarantine', 'objects');
  mkdirSync(`${dir}/info`, { recursive: true });
  writeFileSync(`${dir}/info/alternates`, `${box.path('.git', 'objects')}\n`);
  return dir;
}
