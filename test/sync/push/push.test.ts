/** Publishing trails: only this clone's, only when asked, and nothing that leaks unsaid. */

import { chmodSync, cpSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { edit, git, serverRefs, shared, using } from '../../helpers/clones.ts';
import { serverHook } from '../../helpers/git-servers.ts';
import { place } from '../../helpers/person-repo.ts';
import { at } from '../../helpers/real-git.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' };

describe('workspace.push', () => {
  it('publishes the trails under the name of the clone, and nothing else', async () => {
    const { server, ada } = shared(FILES);
    const tip = await edit(ada, 'a.txt', 'two', '2');
    const before = ada.git('for-each-ref', '--format=%(refname)');
    const { data, message } = await using(ada, one => one.push({ git }));
    expect(data.clone).toMatch(/^ada-[0-9]{8}$/);
    expect(data).toMatchObject({ remote: 'origin', counts: { edits: 1, outside: 0, unpushed_commits: 0 } });
    const ref = `refs/vedit-peers/${data.clone}/trail/main`;
    expect(data.trails).toEqual([{ trail: 'refs/vedit/main', ref, from: null, to: tip, result: 'pushed' }]);
    expect(message).toContain('--mirror');
    expect(serverRefs(server)).toEqual(['refs/heads/main', ref]);
    expect(server.git('rev-parse', ref)).toBe(tip);
    expect(ada.git('config', 'vedit.clone')).toBe(data.clone);
    expect(ada.git('for-each-ref', '--format=%(refname)')).toBe(
      `${before}\n${ref}`.split('\n').sort().join('\n'),
    );
    const again = await using(ada, one => one.push({ git }));
    expect(again.data.trails).toMatchObject([{ result: 'up to date' }]);
    expect(again.message).toBe('origin has all of it already.');
    const next = await edit(ada, 'a.txt', 'three', '3');
    expect((await using(ada, one => one.push({ git }))).data.trails).toMatchObject([{ from: tip, to: next }]);
  });

  it('says what it would show, and is refused until that may be seen', async () => {
    const { server, ada } = shared(FILES);
    ada.write('a.txt', 'one\ntwo\nthree\nkey = s3cret\n');
    ada.git('commit', '-qam', 'with a key');
    await edit(ada, 'a.txt', 'two', '2');
    ada.write('a.txt', 'one\n2\nthree\nfour\n');
    ada.git('commit', '-qa', '--amend', '-m', 'without the key');
    ada.write('b.txt', 'b\nmy own note\n');
    await edit(ada, 'b.txt', 'b\n', 'B\n');
    const dry = await using(ada, one => one.push({ git, dryRun: true }));
    expect(dry.data.counts).toEqual({ edits: 2, outside: 1, unclaimed: 0, unpushed_commits: 2 });
    expect(dry.data.unpushed_commits.map(({ subject }) => subject).sort()).toEqual([
      'with a key',
      'without the key',
    ]);
    expect(dry.data.outside.map(({ paths }) => paths)).toContainEqual(['b.txt']);
    expect(() => ada.git('config', 'vedit.clone')).toThrow();
    for (const given of [{}, { withOutside: true }, { withUnpushedCommits: true }]) {
      const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining('Nothing was pushed') };
      await expect(using(ada, one => one.push({ git, ...given }))).rejects.toMatchObject(refusal);
    }
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
    await using(ada, one => one.push({ git, withOutside: true, withUnpushedCommits: true }));
    expect(serverRefs(server)).toHaveLength(2);
    // Once it is there, it is not asked about again.
    await edit(ada, 'b.txt', 'B', 'bb');
    expect((await using(ada, one => one.push({ git }))).data.counts).toEqual({
      edits: 1,
      outside: 0,
      unclaimed: 0,
      unpushed_commits: 0,
    });
  });

  it('pushes only the trails that were listed, where the caller says which', async () => {
    const { server, ada } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const { data } = await using(ada, one => one.push({ git, dryRun: true }));
    const expected = data.trails.map(({ to }) => to);
    await edit(ada, 'a.txt', 'three', '3');
    await expect(using(ada, one => one.push({ git, expect: expected }))).rejects.toMatchObject({
      code: 'STALE',
    });
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
  });

  it('gives a copied folder a name of its own, and says so', async () => {
    const { server, ada } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const first = (await using(ada, one => one.push({ git }))).data.clone!;
    await ada.close();
    cpSync(ada.dir, `${ada.dir}-copy`, { recursive: true });
    const copy = place(at(`${ada.dir}-copy`));
    await edit(ada, 'a.txt', 'three', '3');
    await using(ada, one => one.push({ git }));
    await edit(copy, 'a.txt', 'three', 'drei');
    const { data, message } = await using(copy, one => one.push({ git }));
    expect(data).toMatchObject({ renamed_from: first, trails: [{ from: null, result: 'pushed' }] });
    expect(data.clone).not.toBe(first);
    expect(message).toContain('copy');
    expect(serverRefs(server).filter(ref => ref.includes('vedit'))).toHaveLength(2);
    expect((await using(ada, one => one.push({ git }))).data).toMatchObject({ clone: first });
    expect((await using(copy, one => one.push({ git }))).data).toMatchObject({ clone: data.clone });
  });

  it('puts back what a push --mirror of somebody took away', async () => {
    const { server, ada, bob } = shared(FILES);
    const tip = await edit(ada, 'a.txt', 'two', '2');
    const { ref } = (await using(ada, one => one.push({ git }))).data.trails[0]!;
    bob.git('push', '-q', '--mirror', 'origin');
    expect(serverRefs(server)).not.toContain(ref);
    await using(ada, one => one.push({ git }));
    expect(server.git('rev-parse', ref!)).toBe(tip);
  });

  it('goes below refs/heads/vedit/ where the server takes heads only', async () => {
    const { server, ada } = shared(FILES, { 'receive.hideRefs': 'refs/vedit-peers' });
    await edit(ada, 'a.txt', 'two', '2');
    const refusal = {
      code: 'REMOTE_REFUSED',
      retryable: false,
      message: expect.stringContaining('vedit.push heads'),
    };
    await expect(using(ada, one => one.push({ git }))).rejects.toMatchObject(refusal);
    ada.git('config', 'vedit.push', 'heads');
    const { data } = await using(ada, one => one.push({ git }));
    expect(serverRefs(server)).toContain(`refs/heads/vedit/${data.clone}/main`);
  });

  it('tells the words of a rule that refuses, and leaves all here as it is', async () => {
    const { server, ada } = shared(FILES);
    serverHook(server, 'pre-receive', 'echo "committers are people here" >&2; exit 1');
    await edit(ada, 'a.txt', 'two', '2');
    const failed = await using(ada, one => one.push({ git })).catch(error => error);
    expect(failed).toMatchObject({
      code: 'REMOTE_REFUSED',
      data: { words: expect.stringContaining('people here') },
    });
    expect(ada.git('for-each-ref', 'refs/vedit-peers')).toBe('');
  });

  it('is refused at once by a pre-push hook, whose words are told', async () => {
    const { server, ada } = shared(FILES);
    await edit(ada, 'a.txt', 'two', '2');
    const hook = (script: string): void => {
      ada.write('.git/hooks/pre-push', `#!/bin/sh\necho asked >> asked\n${script}\n`);
      chmodSync(ada.path('.git/hooks/pre-push'), 0o755);
    };
    hook('echo "not on sundays"; echo "ask Eve" >&2; exit 1');
    const failed = await using(ada, one => one.push({ git })).catch(error => error);
    expect(failed).toMatchObject({ code: 'GIT_REFUSED', retryable: false });
    expect(failed.data.output.split('\n').sort()).toEqual(['ask Eve', 'not on sundays']);
    expect(failed.message).toContain('The hook pre-push of this repository said no');
    expect(ada.read('asked')).toBe('asked\n');
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
    // A rule of the server is one of the server, also where it is a folder of this machine.
    hook('exit 0');
    serverHook(server, 'pre-receive', 'exit 1');
    await expect(using(ada, one => one.push({ git }))).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    serverHook(server, 'pre-receive', 'exit 0');
    expect((await using(ada, one => one.push({ git, withOutside: true }))).data.trails).toMatchObject([
      { result: 'pushed' },
    ]);
  });

  it('takes trails off the remote that landed long ago', async () => {
    const { server, ada } = shared(FILES);
    const workspace = await ada.open({ now: () => new Date(Date.now() - 40 * 24 * 3_600_000) });
    await workspace.session().edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    await workspace.push({ git });
    await workspace.close();
    const push = (dryRun: boolean) => using(ada, one => one.push({ git, prune: true, dryRun }));
    expect((await push(false)).data.pruned).toEqual([]);
    await using(ada, one => one.land({ message: 'landed' }));
    expect((await push(true)).data.pruned).toHaveLength(1);
    expect(serverRefs(server)).toHaveLength(2);
    expect((await push(false)).data.pruned).toHaveLength(1);
    expect(serverRefs(server)).toEqual(['refs/heads/main']);
  });
});

describe('the remote', () => {
  it.each([
    ['none', (_: ReturnType<typeof shared>['ada']) => _.git('remote', 'remove', 'origin'), 'There is none'],
    [
      'one that is not there',
      (one: ReturnType<typeof shared>['ada']) => one.git('config', 'vedit.remote', 'up'),
      'origin',
    ],
  ])('that cannot be told is refused: %s', async (_, change, words) => {
    const { ada } = shared(FILES);
    change(ada);
    await edit(ada, 'a.txt', 'two', '2');
    const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining(words) };
    await expect(using(ada, one => one.push({ git }))).rejects.toMatchObject(refusal);
  });

  it('is spoken to by git alone', async () => {
    const { ada } = shared(FILES);
    const refusal = { code: 'INVALID_INPUT', message: expect.stringContaining('systemGit') };
    await expect(using(ada, one => one.push())).rejects.toMatchObject(refusal);
  });
});
