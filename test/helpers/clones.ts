/** A bare server with clones of people, each with a workspace. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { systemGit } from '../../src/git/native/system-git.ts';
import type { RunGit, Workspace } from '../../src/index.ts';
import { bareServer } from './git-servers.ts';
import { type Place, place } from './person-repo.ts';
import { at, type Sandbox } from './real-git.ts';

export const git: RunGit = systemGit({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});

export interface Shared {
  server: Sandbox;
  ada: Place;
  bob: Place;
}

/** A person's clone of the server, on main. */
export function cloneOf(server: Sandbox, name: string, ...options: string[]): Place {
  execFileSync('git', ['clone', '-q', ...options, `file://${server.dir}`, name], {
    cwd: server.path('..'),
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  });
  const box = place(at(join(server.dir, '..', name)));
  box.git('config', 'user.name', name);
  box.git('config', 'user.email', `${name}@example.com`);
  return box;
}

/** The server has these files on main, and both clones have pulled them. */
export function shared(
  files: Readonly<Record<string, string>>,
  config: Readonly<Record<string, string>> = {},
): Shared {
  const server = bareServer(config);
  const ada = cloneOf(server, 'ada');
  ada.git('checkout', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) ada.write(path, text);
  ada.git('add', '-A');
  ada.git('commit', '-qm', 'start');
  ada.git('push', '-q', 'origin', 'main');
  return { server, ada, bob: cloneOf(server, 'bob') };
}

/** One edit by an agent, in a workspace of its own. */
export async function edit(
  at: Place,
  path: string,
  from: string,
  to: string,
  agent = 'fixer',
): Promise<string> {
  const workspace = await at.open();
  const session = workspace.session({ agent, id: `${agent}-1` });
  const { data } = await session.edit('str_replace', {
    path,
    old_str: from,
    new_str: to,
    reason: `${from} to ${to}`,
  });
  await workspace.close();
  return data.commit!;
}

/** Runs `work` in a workspace that is closed afterwards. */
export async function using<T>(
  at: Place,
  work: (workspace: Workspace) => Promise<T>,
  trail?: string,
): Promise<T> {
  const workspace = await at.open(trail === undefined ? {} : { trail });
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

export const serverRefs = (server: Sandbox): string[] =>
  server.git('for-each-ref', '--format=%(refname)').split('\n').filter(Boolean);
