/** Where a remote trail and what was fetched of it part. */

import { describe, expect, it } from 'vitest';
import type { VerifiedTrail } from '../../src/index.ts';
import { edit, git, type Shared, shared, TRANSPORTS, using } from '../helpers/clones.ts';
import { httpServer } from '../helpers/git-servers.ts';
import { vedit, veditJson } from '../helpers/vedit.ts';

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\n' };

/** Ada has pushed three edits, and bob fetched them. */
async function published(): Promise<Shared & { ref: string; commits: string[] }> {
  const all = shared(FILES);
  const commits: string[] = [];
  for (const [from, to] of [
    ['one', '1'],
    ['two', '2'],
    ['three', '3'],
  ] as const)
    commits.push(await edit(all.ada, 'a.txt', from, to));
  const { data } = await using(all.ada, one => one.push({ git }));
  await using(all.bob, one => one.fetch({ git }));
  return { ...all, commits, ref: data.trails[0]!.ref! };
}

describe.each(TRANSPORTS)('workspace.verifyRemote over %s', (_, git) => {
  const verified = async (at: Shared['bob']): Promise<VerifiedTrail> => {
    const { data, message } = await using(at, one => one.verifyRemote({ git }));
    expect(data.trails).toHaveLength(1);
    expect(data.sound).toBe(data.trails[0]!.why === '');
    expect(message).toContain(data.trails[0]!.why);
    return data.trails[0]!;
  };

  it('a trail that is the same, that goes on, that is not there, and nothing', async () => {
    const { server, ada, bob, ref, commits } = await published();
    const same = { state: 'same', only_here: 0, only_there: 0, parted_at: commits[2] };
    expect(await verified(bob)).toMatchObject(same);
    expect(await verified(ada)).toMatchObject(same);
    const next = await edit(ada, 'a.txt', 'four', '4');
    await using(ada, one => one.push({ git }));
    const before = bob.git('for-each-ref') + bob.git('count-objects', '-v');
    expect(await verified(bob)).toMatchObject({
      state: 'newer',
      there: next,
      parted_at: commits[2],
      only_there: 1,
    });
    expect(bob.git('for-each-ref') + bob.git('count-objects', '-v')).toBe(before);
    server.git('update-ref', '-d', ref);
    expect(await verified(bob)).toMatchObject({ state: 'missing', here: commits[2], there: null });
    expect(await verified(ada)).toMatchObject({ state: 'missing', here: next });
    const none = shared(FILES);
    const { message, data } = await using(none.bob, one => one.verifyRemote({ git }));
    expect(data).toEqual({ remote: 'origin', sound: true, trails: [] });
    expect(message).toContain('Nothing was fetched');
  });

  it('one that was rewound, and one that was rewritten', async () => {
    const { server, ada, bob, ref, commits } = await published();
    server.git('update-ref', ref, commits[0]!);
    expect(await verified(bob)).toMatchObject({
      state: 'rewound',
      there: commits[0],
      parted_at: commits[0],
      only_here: 2,
      only_there: 0,
    });
    const forged = ada.git('commit-tree', `${commits[2]}^{tree}`, '-p', commits[1]!, '-m', 'another');
    ada.git('push', '-q', '--force', 'origin', `${forged}:${ref}`);
    const other = await verified(bob);
    expect(other).toMatchObject({ state: 'rewritten', there: forged, parted_at: commits[1], only_here: 1 });
    expect(other.why).toBe(
      `they part after ${commits[1]!.slice(0, 12)}: 1 commit only here, 1 commit only there (${forged.slice(0, 12)})`,
    );
    const unrelated = server.git('commit-tree', server.git('write-tree'), '-m', 'from nowhere');
    server.git('update-ref', ref, unrelated);
    expect(await verified(bob)).toMatchObject({ state: 'rewritten', parted_at: null });
    expect(bob.git('rev-parse', ref)).toBe(commits[2]);
  });

  it('reviews, and a trail that hosts share', async () => {
    const { server, ada, bob } = await published();
    await using(ada, one => one.accept({ all: true }));
    await using(ada, one => one.push({ git, withReviews: true }));
    await using(ada, one => one.sync({ git }));
    await using(bob, one => one.fetch({ git }));
    await using(bob, one => one.sync({ git }));
    const states = async (): Promise<string[]> =>
      (await using(bob, one => one.verifyRemote({ git }))).data.trails.map(
        ({ name, state }) => `${name.replace(/ada-\d{8}/, 'ADA')}: ${state}`,
      );
    const sound = [
      'ADA/main: same',
      'ADA/main, review by ada-example-com: same',
      'origin vedit-shared/main: same',
    ];
    expect(await states()).toEqual(sound);
    for (const ref of server.git('for-each-ref', '--format=%(refname)').split('\n'))
      if (/review|shared/.test(ref)) server.git('update-ref', ref, server.git('rev-parse', 'main'));
    expect(await states()).toEqual([
      'ADA/main: same',
      'ADA/main, review by ada-example-com: rewound',
      'origin vedit-shared/main: rewound',
    ]);
  });

  it('garbage in its place', async () => {
    const { server, bob, ref } = await published();
    server.git('update-ref', ref, server.pipe('x', 'hash-object', '-w', '--stdin').toString().trim());
    expect(await verified(bob)).toMatchObject({ state: 'unsound', parted_at: null });
    const tree = server.pipe('', 'mktree').toString().trim();
    const outer = server.pipe(
      Buffer.concat([Buffer.from('40000 .git\0'), Buffer.from(tree, 'hex')]),
      'hash-object',
      '-t',
      'tree',
      '-w',
      '--stdin',
      '--literally',
    );
    server.git('update-ref', ref, server.git('commit-tree', outer.toString().trim(), '-m', 'hostile'));
    expect(await verified(bob)).toMatchObject({ state: 'unsound' });
  });
});

it('a server that does not answer says nothing of any trail', async () => {
  const { bob } = await published();
  const { url } = await httpServer(bob, {
    before: (_, response) => {
      response.writeHead(500).end();
      return true;
    },
  });
  bob.git('remote', 'set-url', 'origin', url);
  await expect(using(bob, one => one.verifyRemote({ git }))).rejects.toMatchObject({ code: 'REMOTE_FAILED' });
});

describe('vedit verify --remote', () => {
  it('exits with 5 where they part, and says where', async () => {
    const { server, bob, ref, commits } = await published();
    expect(await vedit(bob, ['verify', '--remote'])).toMatchObject({
      code: 0,
      out: '1 history at origin: each goes on from what was here.\n',
    });
    server.git('update-ref', ref, commits[0]!);
    const rewound = await vedit(bob, ['verify', '--remote', 'origin']);
    expect(rewound).toMatchObject({ code: 5, out: expect.stringContaining('rewound: ada-') });
    expect(rewound.out).toContain('the remote lacks 2 commits that were there');
    expect(await veditJson(bob, ['verify', '--remote'])).toMatchObject({
      ok: true,
      exit: 5,
      data: { sound: false },
    });
    expect((await vedit(bob, ['verify', '--remote', '--since', commits[0]!])).code).toBe(2);
    expect((await vedit(bob, ['verify', '--remote', 'upstream'])).code).not.toBe(0);
  });
});
