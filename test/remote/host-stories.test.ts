/** The stories for a host that somebody has, told to one of this machine: they take off what they wrote, and nothing else. */

import { expect, it } from 'vitest';
import { bareServer, httpServer } from '../helpers/git-servers.ts';
import { at, sandbox } from '../helpers/real-git.ts';
import { cleanHost, HEADS_STORIES, HOST_STORIES, hostGit, hostRefs } from './host-stories.ts';

/** A server with a branch, a tag and somebody's trail, over HTTP. */
async function busyHost(): Promise<string> {
  const server = bareServer();
  const { url } = await httpServer(server);
  const box = at(sandbox('before').dir);
  box.git('init', '-q', '-b', 'main');
  box.git('commit', '-q', '--allow-empty', '-m', 'of others');
  for (const name of ['heads/main', 'tags/v1', 'vedit-peers/eve-00000001/trail/main'])
    box.git('push', '-q', server.dir, `HEAD:refs/${name}`);
  return url;
}

it.each([...HOST_STORIES, ...HEADS_STORIES])('%s', async (_, tell) => {
  const url = await busyHost();
  const before = await hostRefs(url);
  expect(before.size).toBe(3);
  await tell(url);
  expect(await hostRefs(url)).toEqual(before);
});

it('what a story that failed left behind is taken off, and nothing else', async () => {
  const url = await busyHost();
  const before = await hostRefs(url);
  const box = sandbox('left');
  box.git('init', '-q');
  box.git('commit', '-q', '--allow-empty', '-m', 'left');
  const names = [
    'refs/vedit-peers/vedit-test-ada-00000001/trail/main',
    'refs/heads/vedit/vedit-test-bob-00000001/main',
  ];
  for (const name of names) await hostGit({ args: ['push', '-q', url, `HEAD:${name}`], cwd: box.dir });
  expect((await cleanHost(url)).sort()).toEqual([...names].sort());
  expect(await hostRefs(url)).toEqual(before);
});
