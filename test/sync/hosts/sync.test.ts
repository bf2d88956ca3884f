/** Hosts with one trail on the server: fetched, merged and pushed, whoever comes first. */

import { expect, it } from 'vitest';
import type { WorkspaceEvent } from '../../../src/index.ts';
import { edit, git, shared, using } from '../../helpers/clones.ts';
import { bareServer } from '../../helpers/git-servers.ts';
import type { Place } from '../../helpers/person-repo.ts';
import { create, faultsOf, hostsOf, LINES, sync, tip, treesOf, twoHosts } from '../hosts.ts';

/** What is said of an edit. */
const statusOf = (host: Place, commit: string) =>
  using(host, async at => (await at.session({ id: 'reader' }).show(commit)).data.status);

it('begins with an empty server, and goes on without a commit where nothing is new here', async () => {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two']);
  expect((await sync(one!)).data).toMatchObject({ head: null, pushed: 0, pulled: 0 });
  await create(one!, 'a.txt', LINES);
  const { data } = await sync(one!);
  expect(data).toMatchObject({ ref: 'refs/heads/main', pushed: 1, pulled: 0, merges: [], head: tip(server) });
  const came = await sync(two!);
  expect(came.data).toMatchObject({ pulled: 1, pushed: 0, merges: [], paths: ['a.txt'], head: tip(server) });
  expect(tip(two!)).toBe(tip(server));
  expect((await sync(two!)).message).toContain('nothing new');
  expect(await faultsOf(two!)).toEqual([]);
});

it('merges what both did, and no commit changes its id', async () => {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two'], { bare: false });
  await create(one!, 'a.txt', LINES);
  await sync(one!);
  await sync(two!);
  expect(two!.read('a.txt')).toBe(LINES);
  expect(two!.git('status', '--porcelain')).toBe('');
  const first = await edit(one!, 'a.txt', 'line 2\n', 'two\n', 'one-agent');
  const second = await edit(two!, 'a.txt', 'line 9\n', 'nine\n', 'two-agent');
  await sync(one!);
  const { data } = await sync(two!);
  expect(data).toMatchObject({ pulled: 1, pushed: 2, aside: [], paths: ['a.txt'], outrun: 0 });
  expect(data.merges).toHaveLength(1);
  expect((await sync(one!)).data).toMatchObject({ pulled: 2, pushed: 0, merges: [] });
  for (const host of [one!, two!]) {
    expect(tip(host)).toBe(tip(server));
    expect(host.read('a.txt')).toBe(LINES.replace('line 2\n', 'two\n').replace('line 9\n', 'nine\n'));
    expect(host.git('status', '--porcelain')).toBe('');
    expect(await faultsOf(host)).toEqual([]);
    expect(host.git('fsck', '--strict')).not.toMatch(/error|missing/);
    for (const commit of [first, second]) host.git('merge-base', '--is-ancestor', commit, 'main');
    expect((await using(host, at => at.verify())).data.commits).toBe(4);
  }
});

it('stops at a conflict, names both sides and writes nothing; the server may decide, or a function', async () => {
  const server = bareServer();
  const [one, two] = await hostsOf(server, ['one', 'two'], { bare: false });
  await create(one!, 'a.txt', LINES);
  await create(one!, 'b.txt', 'b\n');
  await sync(one!);
  await sync(two!);
  await edit(one!, 'a.txt', 'line 2\n', 'two\n', 'one-agent');
  await edit(one!, 'b.txt', 'b', 'B', 'one-agent');
  await sync(one!);
  const lost = await edit(two!, 'a.txt', 'line 2\n', 'zwei\n', 'two-agent');
  const kept = await edit(two!, 'a.txt', 'line 9\n', 'nine\n', 'two-agent');
  const failed = await sync(two!).catch(error => error);
  expect(failed).toMatchObject({
    code: 'CONFLICT',
    data: {
      conflicts: [{ path: 'a.txt', mine: [{ agent: 'two-agent' }, {}], theirs: [{ agent: 'one-agent' }] }],
    },
  });
  expect(failed.message).toMatch(/zwei.*two-agent.*one-agent.*\(onConflict: "server"\)/s);
  expect(tip(two!)).toBe(kept);
  expect(two!.read('b.txt')).toBe('b\n');
  const asked: unknown[] = [];
  await expect(
    sync(two!, {
      onConflict: (conflict: unknown) => {
        asked.push(conflict);
        return 'stop';
      },
    }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(asked).toMatchObject([{ path: 'a.txt', regions: [{ start_line: 2 }] }]);
  const events: WorkspaceEvent[] = [];
  const workspace = await two!.open({ onEvent: event => events.push(event) });
  const { data, message } = await workspace.sync({ git, onConflict: 'server' });
  await workspace.close();
  const aside = {
    path: 'a.txt',
    commit: lost,
    agent: 'two-agent',
    session: 'two-agent-1',
    merge: data.merges[0],
  };
  expect(data.aside).toMatchObject([aside]);
  expect(message).toContain(`put aside: a.txt: ${lost.slice(0, 12)}`);
  expect(events).toMatchObject([{ kind: 'aside', commit: data.merges[0], edits: [aside] }]);
  expect(two!.read('a.txt')).toBe(LINES.replace('line 2\n', 'two\n').replace('line 9\n', 'nine\n'));
  expect(two!.read('b.txt')).toBe('B\n');
  expect(two!.git('show', `${lost}:a.txt`)).toContain('zwei');
  await sync(one!);
  expect(treesOf([server, one!, two!]).size).toBe(1);
  for (const host of [one!, two!]) {
    expect(await faultsOf(host)).toEqual([]);
    expect(await statusOf(host, lost)).toMatchObject({ now: 'superseded', by: data.merges[0] });
    expect(await statusOf(host, kept)).toMatchObject({ now: 'open' });
  }
});

it('is decided by a function for the own side', async () => {
  const { server, one, two } = await twoHosts();
  const lost = await edit(one, 'a.txt', 'line 2\n', 'two\n');
  await sync(one);
  const kept = await edit(two, 'a.txt', 'line 2\n', 'zwei\n');
  const { data } = await sync(two, { onConflict: () => 'mine' });
  expect(await statusOf(two, lost)).toMatchObject({ now: 'superseded', by: data.merges[0] });
  expect(await statusOf(two, kept)).toMatchObject({ now: 'open' });
  expect(server.git('show', 'main:a.txt')).toContain('zwei');
  await expect(sync(two, { onConflict: 'theirs' as never })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  expect(await faultsOf(two)).toEqual([]);
});

it('counts the same request of two hosts once in the text, and answers it on each', async () => {
  const { server, one, two } = await twoHosts();
  const request = { path: 'a.txt', insert_line: 12, insert_text: 'once\n', edit_id: 'order-7' };
  const insert = (host: typeof one) =>
    using(host!, async at => {
      const session = at.session({ id: 's' });
      await session.view('a.txt');
      return session.edit('insert', request);
    });
  await insert(one);
  await edit(two, 'a.txt', 'line 12\n', 'line 12\nmore\n', 'two-agent');
  await insert(two);
  await sync(one);
  await sync(two, { onConflict: 'server' });
  await sync(one);
  const text = server.git('show', 'main:a.txt');
  expect(text.match(/once/g)).toHaveLength(1);
  expect(text).toContain('more');
  for (const host of [one, two]) {
    expect((await insert(host)).data.repeated).toBe(true);
    expect(await faultsOf(host)).toEqual([]);
  }
});

it('answers a retry once the own edits came back with what others did', async () => {
  const { one, two } = await twoHosts();
  const request = { path: 'a.txt', old_str: 'line 2\n', new_str: 'line 2\nline 2\n', edit_id: 'order-7' };
  const send = () => using(one, at => at.session({ id: 's' }).edit('str_replace', request));
  const { commit } = (await send()).data;
  await edit(two, 'a.txt', 'line 9\n', 'nine\n', 'two-agent');
  await sync(one);
  await sync(two);
  await sync(one);
  // The own edit is behind the second parent of the other host's merge now.
  expect(one.git('rev-list', '--first-parent', 'main').split('\n')).not.toContain(commit);
  expect((await send()).data).toMatchObject({ repeated: true, commit });
  const undone = await using(one, at => at.session({ id: 's' }).undo());
  expect(undone.data.edits).toMatchObject([{ commit }]);
  await using(one, at => at.session({ id: 's' }).redo());
  const { data } = await using(one, at => at.session({ id: 's' }).log({ session: 's' }));
  expect(data.entries.map(({ op }) => op)).toEqual(['redo', 'undo', 'str_replace']);
  expect(await faultsOf(one)).toEqual([]);
});

it('shares trails beside a branch under one name, and the branch stays', async () => {
  const { server, ada, bob } = shared({ 'a.txt': LINES });
  const heads = server.git('for-each-ref', 'refs/heads');
  await edit(ada, 'a.txt', 'line 2\n', 'two\n', 'ada-agent');
  const { data } = await sync(ada);
  expect(data).toMatchObject({ trail: 'refs/vedit/main', ref: 'refs/vedit-shared/main', pushed: 1 });
  expect((await sync(bob)).data).toMatchObject({ pulled: 1, merges: [] });
  expect(tip(bob, 'refs/vedit/main')).toBe(tip(ada, 'refs/vedit/main'));
  expect(bob.read('a.txt')).toContain('two');
  await edit(bob, 'a.txt', 'line 9\n', 'nine\n', 'bob-agent');
  ada.write('a.txt', ada.read('a.txt').replace('line 12', 'what ada types'));
  await sync(bob);
  await sync(ada);
  expect(ada.read('a.txt')).toContain('what ada types');
  expect(ada.read('a.txt')).toContain('nine');
  await sync(bob);
  expect(bob.read('a.txt')).toBe(ada.read('a.txt'));
  expect(server.git('for-each-ref', 'refs/heads')).toBe(heads);
  for (const host of [ada, bob]) expect(await faultsOf(host)).toEqual([]);
  for (const host of [ada, bob]) expect(host.git('rev-parse', 'HEAD')).toBe(tip(server));
});

it('asks before text of people or unpushed commits are published', async () => {
  const { server, ada } = shared({ 'a.txt': LINES });
  ada.write('a.txt', LINES.replace('line 1\n', 'secret\n'));
  await edit(ada, 'a.txt', 'line 9\n', 'nine\n');
  const refused = using(ada, one => one.sync({ git }));
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: ['withOutside'] } });
  expect(server.git('for-each-ref', 'refs/vedit-shared')).toBe('');
  await using(ada, one => one.sync({ git, withOutside: true }));
  expect(server.git('for-each-ref', 'refs/vedit-shared')).not.toBe('');
});
