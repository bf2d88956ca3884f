/** A bare server with clones of people, each with a workspace. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { systemGit } from '../../src/git/native/system-git.ts';
import { type IsomorphicGit, isomorphicGit, type RunGit, type Workspace } from '../../src/index.ts';
import { fetchClient } from '../../src/remote/isomorphic/http-client.ts';
import { bareServer, type HttpServer, httpServer } from './git-servers.ts';
import { type Place, place } from './person-repo.ts';
import { at, type Sandbox } from './real-git.ts';

export const git: RunGit = systemGit({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
});

/** The server of the test that runs, and where it is served once somebody asked over HTTP. */
let current: { server: Sandbox; served: Promise<HttpServer> | null } | null = null;

/** isomorphic-git, with the server of the test that runs, over HTTP. The git of a clone goes on to know it by its folder. */
export const overHttp: IsomorphicGit = isomorphicGit({
  url: 'http://the.server/server.git',
  http: {
    async request(request) {
      const { server } = current!;
      current!.served ??= httpServer(server);
      const { url } = await current!.served;
      return fetchClient.request({
        ...request,
        url: request.url.replace('http://the.server/server.git', url),
      });
    },
  },
});

/** The stories of trails on a server are told over each. */
export const TRANSPORTS: ReadonlyArray<readonly [string, RunGit | IsomorphicGit]> = [
  ['the git of the machine', git],
  ['isomorphic-git', overHttp],
];

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
  current = { server, served: null };
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
