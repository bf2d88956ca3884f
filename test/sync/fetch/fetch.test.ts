/** Bringing the trails of others: mirrors that can be read, and servers that cannot be trusted. */

import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EditError, type FetchOptions, type Workspace } from '../../../src/index.ts';
import { cloneOf, edit, git, type Shared, shared, using } from '../../helpers/clones.ts';
import { httpServer } from '../../helpers/git-servers.ts';
import type { Sandbox } from '../../helpers/real-git.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

/** Ada has edited and pushed. */
async function published(): Promise<Shared & { clone: string; tip: string; ref: string }> {
  const all = shared(FILES);
  const tip = await edit(all.ada, 'a.txt', 'two', '2');
  const { data } = await using(all.ada, one => one.push({ git }));
  return { ...all, clone: data.clone!, tip, ref: `refs/vedit-peers/${data.clone}/trail/main` };
}

const fetching = (at: Shared['bob'], options: FetchOptions = {}): ReturnType<Workspace['fetch']> =>
  using(at, one => one.fetch({ git, ...options }));
const leftOver = (at: Sandbox): string[] => readdirSync(at.path('.git/vedit/fetch'));

describe('workspace.fetch', () => {
  it('brings mirrors, and changes nothing else', async () => {
    const { ada, bob, clone, tip, ref } = await published();
    bob.git('tag', 'mine');
    const before = bob.git('for-each-ref') + bob.git('status', '--porcelain');
    const { data, message } = await fetching(bob);
    const name = `${clone}/main`;
    expect(data).toEqual({
      remote: 'origin',
      fetched: [{ name, ref, from: null, to: tip }],
      reviews: [],
      refused: [],
      trails: 1,
      gone: [],
    });
    expect(message).toBe(`fetched: ${name} (new) ${tip.slice(0, 12)}`);
    expect(bob.git('rev-parse', ref)).toBe(tip);
    expect(
      bob
        .git('for-each-ref')
        .replace(/^.*vedit-peers.*\n?/m, '')
        .trim() + bob.git('status', '--porcelain'),
    ).toBe(before);
    expect(() => bob.git('rev-parse', '--verify', '-q', 'FETCH_HEAD')).toThrow();
    expect(bob.git('fsck', '--strict')).not.toMatch(/error|missing/);
    expect(leftOver(bob)).toEqual([]);
    expect((await fetching(bob)).message).toBe('Nothing new in 1 history at origin.');
    const next = await edit(ada, 'a.txt', 'three', '3');
    await using(ada, one => one.push({ git }));
    expect((await fetching(bob)).data.fetched).toEqual([{ name, ref, from: tip, to: next }]);
    const { data: peers } = await using(bob, one => one.peers());
    expect(peers).toMatchObject({
      clone: null,
      peers: [{ name, clone, branch: 'main', head: next, agent: 'fixer' }],
    });
  });

  it('is read by log, show, diff, blame and view of that trail, and never edited', async () => {
    const { bob, clone, tip } = await published();
    await fetching(bob);
    bob.write('a.txt', 'what bob types\n');
    const trail = `${clone}/main`;
    await using(
      bob,
      async workspace => {
        const session = workspace.session();
        const { data: log } = await session.log();
        expect(log.entries.map(({ commit, agent, reason }) => [commit, agent, reason])).toEqual([
          [tip, 'fixer', 'two to 2'],
        ]);
        expect((await session.show('@')).data.diff).toContain('+2');
        const { data: blame } = await session.blame({ path: 'a.txt' });
        expect(blame.lines.map(({ text, agent }) => [text, agent])).toEqual([
          ['one', null],
          ['2', 'fixer'],
          ['three', null],
        ]);
        expect(blame.recorded).toBe(true);
        expect((await session.read({ path: 'a.txt' })).message).toContain('2');
        expect((await session.diff({ from: '~1' })).data).toBeDefined();
        expect((await session.status()).data).toMatchObject({ outside: [] });
        const message = expect.stringContaining(`${trail} is the history of another clone`);
        const refusal = { code: 'INVALID_INPUT', message };
        const input = { path: 'b.txt', old_str: 'b', new_str: 'c' };
        await expect(session.edit('str_replace', input)).rejects.toMatchObject(refusal);
        await expect(session.undo({ scope: 'trail' })).rejects.toMatchObject(refusal);
        await expect(workspace.land({ message: 'x' })).rejects.toMatchObject(refusal);
      },
      trail,
    );
    expect(bob.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(bob.read('a.txt')).toBe('what bob types\n');
    const missing = using(bob, one => one.session().log(), `${clone}/other`);
    await expect(missing).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('vedit fetch'),
    });
  });

  it('is never pruned with own trails, and stays when the remote has it no more', async () => {
    const { server, bob, clone, ref } = await published();
    await fetching(bob);
    const gc = await using(bob, one => one.gc({ pruneBefore: new Date(Date.now() + 1e9), unlanded: true }));
    expect(gc.data.pruned).toEqual([]);
    server.git('update-ref', '-d', ref);
    const { data } = await fetching(bob);
    expect(data.gone).toEqual([`${clone}/main`]);
    expect(bob.git('rev-parse', ref)).toHaveLength(40);
  });

  it('takes trails of a server that takes heads only', async () => {
    const all = shared(FILES);
    const tip = await edit(all.ada, 'a.txt', 'two', '2');
    all.ada.git('config', 'vedit.push', 'heads');
    const { data } = await using(all.ada, one => one.push({ git }));
    await fetching(all.bob);
    expect(all.bob.git('rev-parse', `refs/vedit-peers/${data.clone}/trail/main`)).toBe(tip);
  });

  it.each(['--depth=1', '--filter=blob:none'])('works in a clone made with %s', async option => {
    const { server, ada, tip, ref } = await published();
    server.git('config', 'uploadpack.allowFilter', 'true');
    ada.git('commit', '-q', '--allow-empty', '-m', 'more');
    ada.git('push', '-q', 'origin', 'main');
    const thin = cloneOf(server, 'thin', option);
    await fetching(thin);
    expect(thin.git('rev-parse', ref)).toBe(tip);
    expect(thin.git('show', `${ref}:a.txt`)).toBe('one\n2\nthree');
    await edit(thin, 'a.txt', 'three', '3');
  });
});

describe('a server that lies', () => {
  it('with a trail that was rewound or rewritten: refused and named, the mirror stays', async () => {
    const { server, ada, bob, clone, tip, ref } = await published();
    await fetching(bob);
    server.git('update-ref', ref, ada.git('rev-parse', 'main'));
    const { data, message } = await fetching(bob);
    expect(data.fetched).toEqual([]);
    expect(data.refused).toMatchObject([
      { name: `${clone}/main`, from: tip, why: expect.stringContaining('rewound or rewritten') },
    ]);
    expect(message).toContain('refused');
    expect(bob.git('rev-parse', ref)).toBe(tip);
    expect(leftOver(bob)).toEqual([]);
  });

  /** A commit of this tree, made by git's plumbing alone. */
  function forged(
    server: Sandbox,
    entries: ReadonlyArray<readonly [mode: string, name: string, oid: string]>,
  ): string {
    const content = Buffer.concat(
      entries.map(([mode, name, oid]) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
      ),
    );
    const tree = server
      .pipe(content, 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally')
      .toString()
      .trim();
    return server.git('commit-tree', tree, '-m', 'forged');
  }

  it.each([
    ['.git', '40000'],
    ['.GIT', '40000'],
    ['.git\u200c', '40000'],
    ['git~1', '40000'],
    ['..', '40000'],
    ['a/b', '100644'],
    ['device', '060000'],
  ])('with a tree that holds %s: refused, and the sound trails come all the same', async (name, mode) => {
    const { server, bob, clone, tip, ref } = await published();
    const blob = server.pipe('[core]\n', 'hash-object', '-w', '--stdin').toString().trim();
    const inner = server.pipe(`100644 blob ${blob}\tconfig\n`, 'mktree').toString().trim();
    const bad = 'refs/vedit-peers/mallory-00000666/trail/main';
    server.git('update-ref', bad, forged(server, [[mode, name, mode === '40000' ? inner : blob]]));
    // A person who has taught git to look away.
    for (const id of ['hasDotgit', 'hasDotdot', 'fullPathname', 'badFilemode', 'hasDot'])
      bob.git('config', `fetch.fsck.${id}`, 'ignore');
    const { data } = await fetching(bob);
    expect(data.fetched.map(one => one.name)).toEqual([`${clone}/main`]);
    expect(data.refused).toMatchObject([{ name: 'mallory-00000666/main', from: null }]);
    expect(bob.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/vedit-peers')).toBe(
      `${ref} ${tip}`,
    );
    expect(() => bob.git('cat-file', '-e', inner)).toThrow();
    expect(leftOver(bob)).toEqual([]);
  });

  it('with more than may be taken at once: nothing moves in, and what is small comes all the same', async () => {
    const { server, ada, bob, clone } = await published();
    server.git(
      'update-ref',
      'refs/vedit-peers/eve-00000002/trail/main',
      `refs/vedit-peers/${clone}/trail/main`,
    );
    await edit(ada, 'b.txt', 'b\n', Array.from({ length: 3000 }, () => Math.random()).join('\n'));
    await using(ada, one => one.push({ git }));
    const before = bob.git('count-objects', '-v');
    const only = fetching(bob, { maxBytes: 9_000, clones: [clone] });
    await expect(only).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('(maxBytes)'),
    });
    expect(bob.git('count-objects', '-v')).toBe(before);
    const { data } = await fetching(bob, { maxBytes: 9_000 });
    expect(data.fetched).toMatchObject([{ name: 'eve-00000002/main' }]);
    expect(data.refused).toMatchObject([
      { name: `${clone}/main`, why: expect.stringContaining('9000 bytes') },
    ]);
    expect((await fetching(bob)).data.fetched).toMatchObject([{ name: `${clone}/main` }]);
    expect(leftOver(bob)).toEqual([]);
  });

  it.each([
    ['twice', ['a', 'a']],
    ['out of order', ['b', 'a']],
    ['as a file and a folder', ['a', 'a.b', 'a/']],
  ])('with a tree that holds names %s: refused', async (_, names) => {
    const { server, bob } = await published();
    const blob = server.pipe('x', 'hash-object', '-w', '--stdin').toString().trim();
    const inner = server.pipe(`100644 blob ${blob}\tconfig\n`, 'mktree').toString().trim();
    const entries = names.map(name =>
      name.endsWith('/') ? (['40000', name.slice(0, -1), inner] as const) : (['100644', name, blob] as const),
    );
    server.git('update-ref', 'refs/vedit-peers/mallory-00000666/trail/main', forged(server, entries));
    for (const id of ['treeNotSorted', 'duplicateEntries']) bob.git('config', `fetch.fsck.${id}`, 'ignore');
    const { data } = await fetching(bob);
    expect(data.refused).toMatchObject([
      { name: 'mallory-00000666/main', why: expect.stringContaining('sorted') },
    ]);
  });

  it('with refs to what is no commit, and with names that are none', async () => {
    const { server, bob, clone } = await published();
    const blob = server.pipe('x', 'hash-object', '-w', '--stdin').toString().trim();
    server.git('update-ref', 'refs/vedit-peers/mallory-00000666/trail/main', blob);
    server.git('update-ref', 'refs/vedit-peers/no-name/trail/main', blob);
    server.git('update-ref', 'refs/vedit-peers/-upload-pack=x-00000001/trail/main', blob);
    const { data } = await fetching(bob);
    expect(data.fetched.map(one => one.name)).toEqual([`${clone}/main`]);
    expect(data.refused.map(one => one.name)).toEqual(['mallory-00000666/main']);
    expect(data.trails).toBe(2);
  });
});

describe('a server over http', () => {
  it('that sends too much, or half a pack: nothing moves in', async () => {
    const { server, ada, bob } = await published();
    await edit(ada, 'b.txt', 'b\n', Array.from({ length: 3000 }, () => Math.random()).join('\n'));
    await using(ada, one => one.push({ git }));
    const { url } = await httpServer(server, {
      before: (request, response) => {
        if (!request.url!.endsWith('upload-pack')) return false;
        const end = response.end.bind(response);
        response.end = ((chunk: Buffer) =>
          chunk.length < 9_000 ? end(chunk) : end(chunk.subarray(0, 9_000))) as never;
        return false;
      },
    });
    bob.git('remote', 'set-url', 'origin', url);
    const before = bob.git('count-objects', '-v');
    await expect(fetching(bob)).rejects.toMatchObject({ code: 'REMOTE_FAILED', retryable: true });
    expect(bob.git('count-objects', '-v')).toBe(before);
    expect(bob.git('for-each-ref', 'refs/vedit-peers')).toBe('');
    expect(leftOver(bob)).toEqual([]);
  });

  it('tells no password in any error', async () => {
    const { server, bob } = await published();
    const { url } = await httpServer(server, { auth: 'bob:s3cret' });
    bob.git('remote', 'set-url', 'origin', url.replace('//', '//bob:wr0ng@'));
    const failed = await fetching(bob).catch(error => error);
    expect(failed).toBeInstanceOf(EditError);
    expect(JSON.stringify([failed.message, failed.data, String(failed.stack)])).not.toContain('wr0ng');
    bob.git('remote', 'set-url', 'origin', url.replace('//', '//bob:s3cret@'));
    expect((await fetching(bob)).data.fetched).toHaveLength(1);
  });
});
