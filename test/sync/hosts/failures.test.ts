/** Hosts with one trail where the server, the network or other writers do what they like. */

import { expect, it } from 'vitest';
import { cloneOf, edit, git, using } from '../../helpers/clones.ts';
import { bareServer, httpServer, serverHook } from '../../helpers/git-servers.ts';
import { create, faultsOf, hostsOf, LINES, sync, tip, twoHosts } from '../hosts.ts';

it('goes on from a push whose answer was lost, and brings back a ref that was deleted', async () => {
  const server = bareServer();
  let isLost = true;
  const { url } = await httpServer(server, {
    before: (request, response) => {
      if (isLost && request.method === 'POST' && request.url!.endsWith('git-receive-pack'))
        response.end = (() => response.destroy()) as never;
      return false;
    },
  });
  const [one, two] = await hostsOf(server, ['one', 'two'], { url });
  await create(one!, 'a.txt', LINES);
  expect((await sync(one!)).data).toMatchObject({ pushed: 1, head: tip(server) });
  isLost = false;
  one!.git('update-ref', '-d', 'refs/vedit-shared/heads/main');
  await edit(one!, 'a.txt', 'line 2\n', 'two\n');
  expect((await sync(one!)).data).toMatchObject({ pushed: 1, pulled: 0, head: tip(server) });
  await sync(two!);
  server.git('update-ref', '-d', 'refs/heads/main');
  expect((await sync(two!)).data.head).toBe(tip(server));
});

it('refuses a trail that was rewritten, says what to do, and edits go on', async () => {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  const first = tip(server);
  await edit(one!, 'a.txt', 'line 2\n', 'two\n');
  await sync(one!);
  server.git('update-ref', 'refs/heads/main', first);
  const failed = await sync(one!).catch(error => error);
  expect(failed).toMatchObject({
    code: 'CORRUPT',
    message: expect.stringContaining('git push --force-with-lease'),
  });
  const { data } = await using(one!, at => at.verifyRemote({ git }));
  expect(data).toMatchObject({
    sound: false,
    trails: [{ name: 'origin main', state: 'rewound', parted_at: first, only_here: 1 }],
  });
  await edit(one!, 'a.txt', 'line 3\n', 'three\n');
  one!.git('update-ref', '-d', 'refs/vedit-shared/heads/main');
  await sync(one!);
  expect(server.git('show', 'main:a.txt')).toContain('three');
});

it('merges again where another host came first, and gives up after a bounded number of rounds', async () => {
  const { server, one, two } = await twoHosts();
  await edit(one, 'a.txt', 'line 2\n', 'two\n');
  await edit(two, 'a.txt', 'line 9\n', 'nine\n');
  // The other host comes first between the look of this one and its push.
  const { dir } = one;
  serverHook(
    server,
    'pre-receive',
    `test -e "$PWD/raced" && exit 0; touch "$PWD/raced"; unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_DIR; git -C "${dir}" push -q origin main`,
  );
  const { data } = await sync(two);
  expect(data.outrun).toBe(1);
  expect(server.git('show', 'main:a.txt')).toMatch(/two.*nine/s);
  expect(await faultsOf(two)).toEqual([]);
});

it('says that a server refuses, or fails, and edits go on', async () => {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one']);
  await create(one!, 'a.txt', LINES);
  serverHook(server, 'pre-receive', 'echo "only releases here" >&2; exit 1');
  await expect(sync(one!)).rejects.toMatchObject({
    code: 'REMOTE_REFUSED',
    message: expect.stringContaining('only releases'),
  });
  one!.git('remote', 'set-url', 'origin', 'http://127.0.0.1:9/x.git');
  await expect(sync(one!)).rejects.toMatchObject({ code: 'REMOTE_FAILED', retryable: true });
  await edit(one!, 'a.txt', 'line 2\n', 'two\n');
});

it('does not join histories that have nothing in common unless that is said', async () => {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  await create(two!, 'b.txt', 'b\n');
  await expect(sync(two!)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'allowUnrelated' },
  });
  await sync(two!, { allowUnrelated: true });
  expect(server.git('ls-tree', '--name-only', 'main')).toBe('a.txt\nb.txt');
  expect(await faultsOf(two!)).toEqual([]);
});

it('takes what a person pushes with plain git', async () => {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  const person = cloneOf(server, 'person');
  person.write('a.txt', LINES.replace('line 5', 'by hand'));
  person.git('commit', '-qam', 'by hand');
  person.git('push', '-q', 'origin', 'main');
  await edit(one!, 'a.txt', 'line 9\n', 'nine\n');
  await sync(one!);
  person.git('pull', '-q', '--ff-only');
  expect(person.read('a.txt')).toBe(LINES.replace('line 5', 'by hand').replace('line 9', 'nine'));
  expect(await faultsOf(one!)).toEqual([]);
});

it('finds a forged commit that came in with a merge', async () => {
  const server = bareServer();
  const [one] = await hostsOf(server, ['one']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  const forger = cloneOf(server, 'forger');
  forger.write('a.txt', LINES.replace('line 5', 'forged'));
  const trailers = 'Vedit-Op: str_replace\nVedit-Path: b.txt\nVedit-Session: s1\nVedit-Agent: maker';
  forger.git('commit', '-qam', `str_replace b.txt (+1 -1)\n\n${trailers}`);
  forger.git('push', '-q', 'origin', 'main');
  await edit(one!, 'a.txt', 'line 9\n', 'nine\n');
  await sync(one!);
  expect(await faultsOf(one!)).toEqual([
    expect.stringMatching(/^rewritten: /),
    expect.stringMatching(/^paths: It changes a.txt/),
    expect.stringMatching(/^paths: Its trailer names b.txt/),
  ]);
});
