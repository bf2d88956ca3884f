/** push, fetch, peers, merge and the hook of the server, as a person uses them. */

import { describe, expect, it } from 'vitest';
import { edit, git, serverRefs, shared, using } from '../../../helpers/clones.ts';
import { httpServer, serverHook } from '../../../helpers/git-servers.ts';
import { at } from '../../../helpers/real-git.ts';
import { content, vedit, veditJson } from '../../../helpers/vedit.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

describe('two people', () => {
  it('publish, look and merge', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const dry = await vedit(ada, ['push', '-n']);
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('1 edit:\n') });
    const pushed = await vedit(ada, ['push']);
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('pushed: refs/vedit/main') });
    const fetched = await vedit(bob, ['fetch']);
    const [, name] = /^fetched: (ada-[0-9]{8}\/main) \(new\)/.exec(fetched.out) ?? [];
    expect(name).toBeDefined();
    expect((await vedit(bob, ['peers'])).out).toMatch(new RegExp(`^${name} [0-9a-f]{7} .*str_replace a.txt`));
    expect((await vedit(bob, ['log', '--oneline', '--trail', name!])).out).toContain(
      'str_replace a.txt (+1 -1)',
    );
    expect((await vedit(bob, ['blame', 'a.txt', '--trail', name!])).out).toContain('fixer');
    expect(await vedit(bob, ['replace', 'a.txt', 'one', '1', '--trail', name!])).toMatchObject({ code: 1 });
    expect((await vedit(bob, ['merge', name!, '-n'])).err).toContain('dry run');
    const merged = await vedit(bob, ['merge', name!]);
    expect(merged).toMatchObject({
      code: 0,
      out: expect.stringContaining('+2'),
      err: expect.stringContaining('merge'),
    });
    expect(content(bob, 'a.txt')).toBe('one\n2\nthree\n');
    expect((await vedit(bob, ['verify'])).code).toBe(0);
    expect((await vedit(bob, ['merge', name!])).code).toBe(1);
    const left = await vedit(bob, ['peers', 'prune', '--older', '180d']);
    expect(left).toMatchObject({ code: 0, out: 'No clone is that old.\n' });
    expect((await vedit(bob, ['peers', 'prune'])).code).toBe(2);
    expect((await vedit(bob, ['merge', name!, 'a.txt'])).code).toBe(2);
  });

  it('see in blame who made what was landed, and before a fetch where to ask', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    await vedit(ada, ['land', '-m', 'Landed']);
    ada.git('push', '-q', 'origin', 'main');
    bob.git('pull', '-q');
    const before = await vedit(bob, ['blame', 'a.txt']);
    expect(before).toMatchObject({ code: 0, err: expect.stringContaining('vedit fetch may bring') });
    expect(before.out).not.toContain('fixer');
    const pushed = await vedit(ada, ['push']);
    await vedit(bob, ['fetch']);
    const after = await vedit(bob, ['blame', 'a.txt']);
    expect(after).toMatchObject({ code: 0, out: expect.stringContaining('fixer'), err: '' });
    const [, clone] = /refs\/vedit-peers\/([^/]+)/.exec(pushed.out)!;
    const status = await vedit(bob, ['status', '--trail', `${clone}/main`]);
    expect(status.out).toMatch(/, landed in [0-9a-f]{12}\)/);
    expect(status.out).not.toContain('vedit land');
  });

  it('are asked what may be seen on a terminal, and refused elsewhere', async () => {
    const { server, ada } = shared(FILES);
    ada.write('b.txt', 'b\nmy secret\n');
    await edit(ada, 'b.txt', 'b\n', 'B\n');
    expect(await vedit(ada, ['push'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/say so: --with-outside\.\n$/),
    });
    expect(await veditJson(ada, ['push'])).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
    const tty = ['in', 'out', 'err'] as const;
    const no = await vedit(ada, ['push'], { tty, input: 'n\n' });
    expect(no).toMatchObject({ code: 1, err: expect.stringContaining('outside b.txt') });
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
    expect(await vedit(ada, ['push'], { tty, input: 'y\n' })).toMatchObject({ code: 0 });
    expect(serverRefs(server)).toHaveLength(2);
  });

  it('are told where both changed the same lines, and decide', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const clone = (await using(ada, one => one.push({ git }))).data.clone!;
    await edit(bob, 'a.txt', 'two', 'zwei');
    await vedit(bob, ['fetch']);
    const unnamed = await vedit(bob, ['merge']);
    expect([unnamed.code, unnamed.err]).toEqual([
      1,
      `vedit: INVALID_INPUT: Name the history of another clone to merge: ${clone}/main is the only one here.\n`,
    ]);
    const refused = await vedit(bob, ['merge', clone]);
    expect(refused).toMatchObject({
      code: 3,
      err: expect.stringContaining('--keep mine or --keep theirs takes files'),
    });
    expect((await vedit(bob, ['merge', clone, '--keep', 'theirs', 'a.txt'])).code).toBe(0);
    expect(content(bob, 'a.txt')).toContain('2');
  });
});

describe('without git on the path', () => {
  it('push, fetch and peers speak http, and say what they cannot', async () => {
    const { server, ada, bob } = shared(FILES);
    const env = { PATH: '/nonexistent' };
    await edit(ada, 'a.txt', 'two', '2');
    const folder = await vedit(ada, ['push'], { env });
    expect(folder).toMatchObject({ code: 1, err: expect.stringContaining('only servers of http and https') });
    const { url } = await httpServer(server, { auth: 'ada:s3cret' });
    for (const box of [ada, bob]) box.git('remote', 'set-url', 'origin', url);
    const locked = await vedit(ada, ['push'], { env });
    expect(locked).toMatchObject({ code: 128, err: expect.stringContaining('401') });
    for (const box of [ada, bob]) box.git('remote', 'set-url', 'origin', url.replace('//', '//ada:s3cret@'));
    const pushed = await vedit(ada, ['push'], { env });
    expect(pushed).toMatchObject({ code: 0, out: expect.stringContaining('pushed: refs/vedit/main') });
    const fetched = await vedit(bob, ['fetch'], { env });
    expect(fetched).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^fetched: ada-\d{8}\/main \(new\)/),
    });
    expect(await vedit(bob, ['fetch', '--max-bytes', '1'], { env })).toMatchObject({ code: 0 });
    expect(JSON.stringify([folder, locked, pushed, fetched])).not.toContain('s3cret');
  });
});

describe('vedit hook server --print', () => {
  it('makes published histories append-only, and each clone its own', async () => {
    const { server, ada, bob } = shared(FILES);
    const { out } = await vedit(ada, ['hook', 'server', '--print']);
    serverHook(server, 'pre-receive', out.replace('#!/bin/sh\n', ''));
    const first = await edit(ada, 'a.txt', 'two', '2');
    await using(ada, one => one.push({ git }));
    const tip = await edit(ada, 'a.txt', 'three', '3');
    const clone = (await using(ada, one => one.push({ git }))).data.clone!;
    const ref = `refs/vedit-peers/${clone}/trail/main`;
    expect(server.git('rev-parse', ref)).toBe(tip);
    const refused = (...args: string[]): string => {
      try {
        bob.git('push', '-q', 'origin', ...args);
        return 'allowed';
      } catch (error) {
        return String((error as { stderr: Buffer }).stderr);
      }
    };
    bob.git('fetch', '-q', 'origin', ref);
    expect(refused(`+${first}:${ref}`)).toContain('it would be rewritten');
    expect(refused(`:${ref}`)).toContain('not deleted here');
    expect(refused('--mirror')).toContain('not deleted here');
    expect(refused('main:refs/vedit-peers/who/trail/main')).toContain('no name of a clone');
    expect(refused('main:refs/vedit-peers/$(touch x)-00000001/trail/main')).not.toBe('allowed');
    const blob = bob.git('hash-object', '-w', 'a.txt');
    expect(refused(`${blob}:refs/vedit-peers/eve-00000001/trail/main`)).toContain('no commit');
    const common = 'refs/vedit-shared/main';
    expect(refused(`${tip}:${common}`)).toBe('allowed');
    expect(refused(`+${first}:${common}`)).toContain('it would be rewritten');
    expect(refused(`${first}:refs/vedit-peers/shared/trail/main`)).toContain('no name of a clone');
    expect(server.git('rev-parse', ref)).toBe(tip);
    expect(refused('main:refs/heads/other')).toBe('allowed');
    server.git('config', 'vedit.deleteAfterDays', '30');
    expect(refused(`:${ref}`)).toContain('stay for 30');
    server.git('config', 'vedit.deleteAfterDays', '0');
    expect(refused(`:${ref}`)).toBe('allowed');
  });

  it('knows whose a clone is, where the server says who pushes', async () => {
    const { server, ada, bob } = shared(FILES);
    const { out } = await vedit(ada, ['hook', 'server', '--print']);
    const asUser = (user: string): void => serverHook(server, 'pre-receive', `REMOTE_USER=${user}\n${out}`);
    asUser('ada');
    await edit(ada, 'a.txt', 'two', '2');
    const clone = (await using(ada, one => one.push({ git }))).data.clone!;
    asUser('bob');
    const ref = `refs/vedit-peers/${clone}/trail/other`;
    expect(() => bob.git('push', '-q', 'origin', `main:${ref}`)).toThrow(/another user/);
    await edit(bob, 'a.txt', 'two', 'zwei');
    await using(bob, one => one.push({ git }));
    asUser('ada');
    await edit(ada, 'a.txt', 'three', '3');
    expect((await using(ada, one => one.push({ git }))).data.trails).toMatchObject([{ result: 'pushed' }]);
    expect(at(server.dir).git('for-each-ref', 'refs/vedit-peers').split('\n')).toHaveLength(2);
  });

  it('needs --print', async () => {
    const { ada } = shared(FILES);
    expect(await vedit(ada, ['hook', 'server'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--print'),
    });
  });
});

describe('two hosts', () => {
  it('share one history; edits that do not fit are put aside, and named by sync, log and events', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2', 'ada-agent');
    expect(await vedit(ada, ['sync'])).toMatchObject({ code: 0, out: expect.stringContaining('went up') });
    const aside = await edit(bob, 'a.txt', 'two', 'zwei', 'bob-agent');
    const id = aside.slice(0, 7);
    expect(await vedit(bob, ['sync'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('--on-conflict'),
    });
    expect(await veditJson(bob, ['sync'])).toMatchObject({ ok: false, code: 'CONFLICT' });
    const { data } = await veditJson(bob, ['sync', '--on-conflict', 'server']);
    expect(data).toMatchObject({ aside: [{ commit: aside, path: 'a.txt' }] });
    const { out } = await vedit(bob, ['log', '--oneline']);
    expect(out).toMatch(new RegExp(`merge origin.*\\(puts aside ${id}\\)\n`));
    expect(out).toMatch(new RegExp(`${id}.*\\(superseded by [0-9a-f]{12}\\)\n`));
    expect(out).toContain('ada-agent');
    const events = (await vedit(bob, ['events', '--json'])).out.trim().split('\n');
    const merges = events.map(line => JSON.parse(line)).filter(({ kind }) => kind === 'merge');
    expect(merges).toMatchObject([{ aside: [{ commit: aside, path: 'a.txt' }] }]);
    expect(await vedit(bob, ['sync'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing new'),
    });
    expect(await vedit(bob, ['sync', '--interval', '3'])).toMatchObject({ code: 2 });
  });

  it('ask what may be seen on a terminal', async () => {
    const { server, ada } = shared(FILES);
    ada.write('b.txt', 'b\nmy secret\n');
    await edit(ada, 'b.txt', 'b\n', 'B\n');
    expect(await vedit(ada, ['sync'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('--with-outside'),
    });
    const tty = ['in', 'out', 'err'] as const;
    expect(await vedit(ada, ['sync'], { tty, input: 'y\n' })).toMatchObject({ code: 0 });
    expect(serverRefs(server)).toContain('refs/vedit-shared/main');
  });

  it('go on with --watch until a signal', async () => {
    const { ada, bob } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    await vedit(ada, ['sync']);
    const watching = vedit(bob, ['sync', '--watch', '--interval', '1', '--json']);
    const isThere = () => content(bob, 'a.txt').includes('2');
    await expect.poll(isThere, { timeout: 20_000 }).toBe(true);
    await edit(ada, 'a.txt', 'three', '3');
    await vedit(ada, ['sync']);
    await expect.poll(() => content(bob, 'a.txt'), { timeout: 20_000 }).toContain('3');
    process.emit('SIGINT');
    const { code, out } = await watching;
    expect(code).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).data.pulled),
    ).toEqual([1, 1]);
  });
});
