/** Repositories whose checked-out branch is the trail share it in the same way: there is no HEAD to wait for. */

import { expect, it } from 'vitest';
import { initRepository } from '../../src/index.ts';
import { cloneOf, edit, git, using } from '../helpers/clones.ts';
import { bareServer, httpServer } from '../helpers/git-servers.ts';
import { type Place, place } from '../helpers/person-repo.ts';
import { at } from '../helpers/real-git.ts';

it('are pushed and fetched over http, with a password, and git sees clean branches', async () => {
  const server = bareServer();
  const { url } = await httpServer(server, { auth: 'ada:s3cret' });
  const address = url.replace('//', '//ada:s3cret@');
  const ada: Place = place(at(server.path('..')));
  await initRepository({ root: `${ada.dir}/ada` });
  const own = place(at(`${ada.dir}/ada`));
  own.git('remote', 'add', 'origin', server.dir);
  await using(own, one =>
    one.session().edit('create', { path: 'a.txt', file_text: 'one\ntwo\nthree\nfour\nfive\n' }),
  );
  own.git('push', '-q', 'origin', 'main');
  // A git that waits would keep this process, which is the server, from answering.
  own.git('remote', 'set-url', 'origin', address);
  const bob = cloneOf(server, 'bob');
  bob.git('remote', 'set-url', 'origin', address);
  await edit(own, 'a.txt', 'two', '2', 'ada-agent');
  const pushed = await using(own, one => one.push({ git }));
  expect(pushed.data).toMatchObject({ counts: { edits: 1, outside: 0, unpushed_commits: 0 } });
  expect(pushed.data.trails).toMatchObject([{ trail: 'refs/heads/main', result: 'pushed' }]);
  await edit(bob, 'a.txt', 'five', '5', 'bob-agent');
  await using(bob, one => one.fetch({ git }));
  const name = `${pushed.data.clone}/main`;
  const { data } = await using(bob, one => one.session().log({ limit: 1 }), name);
  expect(data.entries.map(({ agent }) => agent)).toEqual(['ada-agent']);
  expect(bob.git('status', '--porcelain')).toBe('');
  expect((await using(bob, one => one.verify())).data.faults).toEqual([]);
});
