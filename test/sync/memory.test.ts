/** Repositories in memory, and bare ones, share their trails over HTTP without any git. */

import { expect, it } from 'vitest';
import { initRepository, isomorphicGit, memoryFs, openWorkspace, type Workspace } from '../../src/index.ts';
import { bareServer, httpServer } from '../helpers/git-servers.ts';
import { sandbox } from '../helpers/real-git.ts';

async function inMemory(): Promise<{ open(trail?: string): Promise<Workspace>; config(): Promise<string> }> {
  const fs = memoryFs();
  await initRepository({ root: '/notes', fs });
  return {
    open: trail => openWorkspace({ root: '/notes', fs, ...(trail === undefined ? {} : { trail }) }),
    config: async () => String(await fs.promises.readFile('/notes/.git/config', 'utf8')),
  };
}

it('one in memory publishes, another reads, and a name once given is kept', async () => {
  const server = bareServer();
  const git = isomorphicGit({ url: (await httpServer(server)).url });
  const [ada, bob] = [await inMemory(), await inMemory()];
  const before = await ada.config();
  const own = await ada.open();
  const session = own.session({ agent: 'page' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\ntwo\n' });
  const { data } = await own.push({ git });
  expect(await ada.config()).toBe(`${before}[vedit]\n\tclone = ${data.clone}\n`);
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: '1' });
  await own.close();
  const again = await ada.open();
  expect((await again.push({ git })).data).toMatchObject({
    clone: data.clone,
    trails: [{ result: 'pushed' }],
  });
  await again.close();
  expect(server.git('show', `refs/vedit-peers/${data.clone}/trail/main:a.txt`)).toBe('1\ntwo');
  expect(server.git('fsck', '--strict')).not.toMatch(/error|missing/);

  const other = await bob.open();
  const { data: fetched } = await other.fetch({ git });
  expect(fetched.fetched).toMatchObject([{ name: `${data.clone}/main`, from: null }]);
  await other.close();
  const peer = await bob.open(`${data.clone}/main`);
  const { data: log } = await peer.session().log();
  expect(log.entries.map(({ op, agent }) => [op, agent])).toEqual([
    ['str_replace', 'page'],
    ['create', 'page'],
  ]);
  await peer.close();
});

it('a bare repository on disk does the same, and its config stays as git reads it', async () => {
  const server = bareServer();
  const git = isomorphicGit({ url: (await httpServer(server)).url });
  const box = sandbox('bare.git');
  await initRepository({ root: box.dir, bare: true });
  box.git('config', 'user.name', 'J\u00f6rg');
  box.git('config', 'alias.st', 'status ; "quoted"');
  const workspace = await openWorkspace({ root: box.dir });
  await workspace.session({ agent: 'host' }).edit('create', { path: 'a.txt', file_text: 'one\n' });
  const { data } = await workspace.push({ git });
  await workspace.close();
  expect(box.git('config', 'vedit.clone')).toBe(data.clone);
  expect(box.git('config', 'user.name')).toBe('J\u00f6rg');
  expect(box.git('config', 'alias.st')).toBe('status ; "quoted"');
  expect(server.git('rev-parse', `refs/vedit-peers/${data.clone}/trail/main`)).toBe(
    box.git('rev-parse', 'main'),
  );
});

it('two in memory share one trail', async () => {
  const server = bareServer();
  const git = isomorphicGit({ url: (await httpServer(server)).url });
  const [ada, bob] = [await (await inMemory()).open(), await (await inMemory()).open()];
  const lines = Array.from({ length: 9 }, (_, n) => `line ${n}\n`).join('');
  await ada.session({ agent: 'page' }).edit('create', { path: 'a.txt', file_text: lines });
  await ada.sync({ git });
  expect((await bob.sync({ git })).data).toMatchObject({ pulled: 1, merges: [] });
  const change = (one: Workspace, n: number, text: string) =>
    one
      .session({ agent: text })
      .edit('str_replace', { path: 'a.txt', old_str: `line ${n}\n`, new_str: `${text}\n` });
  await change(ada, 1, 'ada');
  await change(bob, 7, 'bob');
  await change(bob, 1, 'other');
  await ada.sync({ git });
  const { data } = await bob.sync({ git, onConflict: 'server' });
  expect(data).toMatchObject({ aside: [{ path: 'a.txt', agent: 'other' }], merges: [expect.any(String)] });
  expect((await ada.sync({ git })).data.head).toBe(data.head);
  expect(server.git('show', 'main:a.txt')).toBe(
    lines.replace('line 1', 'ada').replace('line 7', 'bob').trim(),
  );
  for (const one of [ada, bob]) expect((await one.verify()).data.faults).toEqual([]);
  for (const one of [ada, bob]) await one.close();
});
