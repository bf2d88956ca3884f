/** Workspaces that sync by themselves: before each answer, or every so often. */

import { expect, it, onTestFinished, vi } from 'vitest';
import type { SyncData } from '../../../src/engine/calls/sync-data.ts';
import type { WorkspaceEvent } from '../../../src/index.ts';
import { SyncLoop } from '../../../src/sync/hosts/loop.ts';
import { edit, git, using } from '../../helpers/clones.ts';
import { bareServer, httpServer } from '../../helpers/git-servers.ts';
import { create, hostsOf, LINES, sync, tip, twoHosts } from '../hosts.ts';

const insert = (path: string, n: number) => ({
  path,
  old_str: `line ${n}\n`,
  new_str: `line ${n}\nnew ${n}\n`,
});

it('answers an edit once the server has it, and many edits go up in few pushes', async () => {
  const server = bareServer();
  const { url, requests } = await httpServer(server);
  const [one] = await hostsOf(server, ['one'], { url });
  await create(one!, 'a.txt', LINES);
  const workspace = await one!.open({ sync: { git, when: 'before-answer' } });
  const edits = Array.from({ length: 8 }, async (_, n) => {
    const session = workspace.session({ agent: `agent${n}` });
    const { data } = await session.edit('str_replace', insert('a.txt', n + 1));
    server.git('merge-base', '--is-ancestor', data.commit!, 'main');
    return data.sync;
  });
  expect(new Set(await Promise.all(edits))).toEqual(new Set(['done']));
  expect(requests.filter(one => one.startsWith('POST') && one.endsWith('receive-pack')).length).toBeLessThan(
    6,
  );
  const dry = await workspace.session().edit('str_replace', { ...insert('a.txt', 12), dry_run: true });
  expect(dry.data.sync).toBeUndefined();
  await workspace.close();
});

it('answers an edit that the server could not be told of: done, pending, and why', async () => {
  const server = bareServer();
  let isDown = true;
  const { url } = await httpServer(server, {
    before: (_, response) => {
      if (isDown) response.writeHead(500).end('oops');
      return isDown;
    },
  });
  const [one] = await hostsOf(server, ['one'], { url });
  await create(one!, 'a.txt', LINES);
  const events: WorkspaceEvent[] = [];
  const workspace = await one!.open({
    sync: { git, when: 'before-answer' },
    onEvent: event => events.push(event),
  });
  const session = workspace.session({ agent: 'fixer' });
  const request = { ...insert('a.txt', 2), edit_id: 'order-7' };
  const { data, message } = await session.edit('str_replace', request);
  expect(data).toMatchObject({ sync: 'pending', sync_error: { code: 'REMOTE_FAILED' } });
  expect(message).toContain('do not send it again');
  expect(tip(one!)).toBe(data.commit);
  isDown = false;
  const again = await session.edit('str_replace', request);
  expect(again.data).toMatchObject({ repeated: true, commit: data.commit, sync: 'done' });
  expect(tip(server)).toBe(data.commit);
  expect(events.map(event => (event.kind === 'sync' ? (event.error?.code ?? 'done') : event.kind))).toEqual([
    'REMOTE_FAILED',
    'edit',
    'done',
  ]);
  await workspace.close();
});

it('brings an edit that is pending by itself, though nobody edits again', async () => {
  const server = bareServer();
  let isDown = true;
  const { url } = await httpServer(server, {
    before: (_, response) => {
      if (isDown) response.writeHead(500).end('oops');
      return isDown;
    },
  });
  const [one] = await hostsOf(server, ['one'], { url });
  await create(one!, 'a.txt', LINES);
  const workspace = await one!.open({ sync: { git, when: 'before-answer', interval: 200 } });
  const { data, message } = await workspace.session().edit('str_replace', insert('a.txt', 2));
  expect(data).toMatchObject({ sync: 'pending', sync_error: { code: 'REMOTE_FAILED', retryable: true } });
  expect(message).toContain('goes to the server by itself');
  isDown = false;
  await expect.poll(() => tip(server), { timeout: 20_000 }).toBe(data.commit);
  await workspace.close();
});

it('syncs every so often, tells of it, and edits wait for nothing', async () => {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two']);
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  const events: WorkspaceEvent[] = [];
  const workspace = await two!.open({ sync: { git, interval: 50 }, onEvent: event => events.push(event) });
  await expect.poll(() => events.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(events[0]).toMatchObject({ kind: 'sync', error: null, data: { pulled: 1 } });
  const { data } = await workspace.session({ agent: 'fixer' }).edit('str_replace', insert('a.txt', 2));
  expect(data.sync).toBeUndefined();
  await expect.poll(() => tip(server), { timeout: 20_000 }).toBe(data.commit);
  await workspace.close();
  await edit(two!, 'a.txt', 'line 5\n', 'five\n');
  expect(tip(server)).toBe(data.commit);
});

it('is told of a conflict with the answer', async () => {
  const { server, one, two } = await twoHosts();
  await edit(one, 'a.txt', 'line 2\n', 'two\n');
  await sync(one);
  const zwei = { path: 'a.txt', old_str: 'line 2\n', new_str: 'zwei\n' };
  const answered = (onConflict: 'stop' | 'server') =>
    using(two, async () => {
      const workspace = await two.open({ sync: { git, when: 'before-answer', onConflict } });
      const file = onConflict === 'stop' ? zwei : insert('a.txt', 9);
      const { data } = await workspace.session({ agent: 'fixer' }).edit('str_replace', file);
      await workspace.close();
      return data;
    });
  expect(await answered('stop')).toMatchObject({
    sync: 'pending',
    sync_error: { code: 'CONFLICT', retryable: false },
  });
  expect(await answered('server')).toMatchObject({ sync: 'done' });
  expect(server.git('show', 'main:a.txt')).toMatch(/two.*new 9/s);
});

it.each([-3_600_000, 3_600_000])('a clock that is set by %i ms keeps no edit waiting', async change => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const nothing = { head: null, pulled: 0, pushed: 1, merges: [], aside: [], paths: [], outrun: 0 };
  const run = async (): Promise<SyncData> => {
    vi.setSystemTime(Date.now() + change);
    return { remote: 'origin', trail: 'refs/heads/main', ref: 'refs/heads/main', ...nothing };
  };
  const loop = new SyncLoop({ options: { git, when: 'before-answer' }, run, told: () => {} });
  for (let n = 0; n < 6; n++) expect((await loop.next()).error).toBe(null);
  await loop.close();
});
