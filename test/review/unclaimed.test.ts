import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type ReviewData, systemGit } from '../../src/index.ts';
import { agentAt } from '../helpers/agent-events.ts';
import { codeOf, type Place, personRepo } from '../helpers/person-repo.ts';
import { hasPython, onTerminal } from '../helpers/pty.ts';
import { vedit } from '../helpers/vedit.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}\n`).join('');

/** An edit of an agent, and what came from outside while codex, which tells nothing of its calls, was at work. */
async function worked(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES, 'b.txt': LINES });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const session = await repo.session('s1');
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 2\n', new_str: 'two\n' });
  await session.edit('str_replace', { path: 'b.txt', old_str: 'line 2\n', new_str: 'two\n' });
  const codex = agentAt(repo, { agent: 'codex' });
  await codex.tells('prompt');
  await codex.writes('a.txt', repo.read('a.txt').replace('line 6', 'six').replace('line 11', 'eleven'));
  await codex.writes('b.txt', repo.read('b.txt').replace('line 9', 'nine'));
  return repo;
}

const review = async (repo: Place): Promise<ReviewData> => (await (await repo.open()).review()).data;

const claim = async (repo: Place, path?: string) => (await repo.open()).accept({ unclaimed: true, path });

const authors = async (repo: Place, path: string): Promise<string[]> =>
  (await (await repo.session()).blame({ path })).data.lines.map(({ author, agent }) => agent ?? author);

/** Before it is recorded and after it. */
const EACH = [
  ['unrecorded', async () => {}],
  [
    'recorded',
    async (repo: Place) => void (await (await repo.session()).record(['a.txt', 'b.txt'], { outside: true })),
  ],
] as const;

describe.each(EACH)('text that nobody claims, %s', (_, record) => {
  it('is one line at the end of the review, and is not accepted', async () => {
    const repo = await worked();
    await record(repo);
    const { hunks, unclaimed } = await review(repo);
    expect(hunks.map(({ path, after }) => [path, after.lines])).toEqual([
      ['a.txt', ['two']],
      ['b.txt', ['two']],
    ]);
    expect(unclaimed?.words).toBe('3 places in 2 files, while codex ran');
    expect(unclaimed?.hunks.map(({ path, after }) => [path, after.lines])).toEqual([
      ['a.txt', ['six']],
      ['a.txt', ['eleven']],
      ['b.txt', ['nine']],
    ]);
    expect(unclaimed?.hunks[0]?.edits.map(({ author, person }) => [author, person])).toEqual([
      ['outside', false],
    ]);
    const { out } = await vedit(repo, ['review', '--list']);
    expect(out).toMatch(/\n3 places in 2 files, while codex ran \(m in vedit review: it is yours\)\n$/);
  });

  it('is claimed all at once, or in a file, and then it is the person’s', async () => {
    const repo = await worked();
    await record(repo);
    const first = await claim(repo, 'b.txt');
    expect(first.message).toBe('Claimed 1 change from outside.');
    expect((await review(repo)).unclaimed?.words).toBe('2 places in 1 file, while codex ran');
    const blamed = await authors(repo, 'b.txt');
    expect([blamed[1], blamed[8], blamed[9]]).toEqual(['claude', 'Ada', 'Ada']);
    await claim(repo);
    expect(await review(repo)).toMatchObject({ hunks: [{}, {}], unclaimed: null });
    expect((await authors(repo, 'a.txt'))[5]).toBe('Ada');
    await expect(claim(repo)).rejects.toThrow(
      'Nothing came from outside that nobody claims. Nothing was done.',
    );
    expect((await vedit(repo, ['review', '--take-back'])).code).toBe(0);
    expect((await review(repo)).unclaimed?.words).toBe('2 places in 1 file, while codex ran');
    expect((await authors(repo, 'a.txt'))[5]).toBe('outside');
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('is claimed by accepting all', async () => {
    const repo = await worked();
    await record(repo);
    expect((await vedit(repo, ['accept', '--all'])).err).toBe(
      'Accepted 2 hunks; nothing is left to review.\n',
    );
    expect(await review(repo)).toMatchObject({ hunks: [], unclaimed: null });
    expect((await authors(repo, 'a.txt'))[10]).toBe('Ada');
  });
});

const onPty = hasPython || process.env.CI ? it : it.skip;

describe('a review on a terminal', () => {
  onPty('asks last about what nobody claims, and m claims all of it', async () => {
    const repo = await worked();
    await repo.close();
    const hunk = ',r,c,z,?]? ';
    const nobodys = ',r,c,m,z,?]? ';
    const { code, out } = onTerminal(
      repo,
      ['review'],
      [
        ['(1/5)', 'n'],
        [hunk, 'a'],
        ['(3/5)', '?'],
        [nobodys, 'm'],
      ],
    );
    expect(code).toBe(0);
    expect(out).toContain('3 places in 2 files, while codex ran; nobody claims it:');
    expect(out).toContain('m - all that nobody claims is yours: it counts as accepted, and blame names you');
    expect(out).toContain('Claimed 2 changes from outside.');
    expect(await review(repo)).toMatchObject({ hunks: [{ path: 'a.txt' }], unclaimed: null });
  });

  onPty('takes a place alone, leaves the rest, and takes the claim of all back', async () => {
    const repo = await worked();
    await repo.close();
    const { out } = onTerminal(
      repo,
      ['review', 'a.txt'],
      [
        ['(1/3)', 'n'],
        ['(2/3)', 'm'],
      ],
    );
    expect(out).toContain('Claimed 1 change from outside.');
    expect((await review(repo)).unclaimed?.words).toBe('1 place in 1 file, while codex ran');
    await repo.close();
    onTerminal(
      repo,
      ['review'],
      [
        ['(1/3)', 'z'],
        ['(1/3)', 'q'],
      ],
    );
    expect((await review(repo)).unclaimed?.words).toBe('3 places in 2 files, while codex ran');
    await repo.close();
    onTerminal(
      repo,
      ['review', 'b.txt'],
      [
        ['(1/2)', 'n'],
        ['(2/2)', 'y'],
      ],
    );
    expect((await review(repo)).unclaimed?.words).toBe('2 places in 1 file, while codex ran');
  });
});

describe('a claim', () => {
  it('is no agent’s to make', async () => {
    const repo = await worked();
    expect(
      await codeOf(
        (await repo.open()).accept({
          unclaimed: true,
          asAgent: true,
          reviewer: { name: 'codex', email: 'codex@vedit.invalid' },
        }),
      ),
    ).toBe(null);
    expect((await review(repo)).unclaimed?.words).toBe('3 places in 2 files, while codex ran');
    expect((await authors(repo, 'a.txt'))[5]).toBe('outside');
  });

  it('of one person counts for the others, and of two both are named', async () => {
    const repo = await worked();
    await claim(repo);
    const ben = { name: 'Ben', email: 'ben@example.com' };
    const workspace = await repo.open();
    expect((await workspace.review({ reviewer: ben })).data.unclaimed).toBe(null);
    const adas = repo.git('for-each-ref', '--format=%(objectname)', 'refs/vedit-review');
    repo.git('update-ref', 'refs/vedit-peers/ben-12345678/review/ben/main', adas);
    expect((await authors(repo, 'a.txt'))[5]).toBe('Ada, Ada (says ben-12345678)');
  });

  it('is made by landing with outside, but not by an agent that lands', async () => {
    for (const [env, who] of [
      [{}, 'Ada'],
      [{ CLAUDECODE: '1' }, 'outside'],
    ] as const) {
      const repo = await worked();
      await (await repo.session()).record(['a.txt', 'b.txt'], { outside: true });
      await repo.close();
      const { code, err } = await vedit(repo, ['land', '--with-outside', '-m', 'mine'], { env });
      expect([code, err]).toEqual([0, expect.any(String)]);
      expect(repo.git('status', '--porcelain')).toBe('');
      expect((await authors(repo, 'b.txt'))[8]).toBe(who);
      expect(await review(repo)).toMatchObject({ hunks: [], unclaimed: null });
    }
  });

  it.each([
    ['stop', 'Ada'],
    ['prompt', 'outside'],
  ] as const)('is made by the person’s own commit while no agent is at work: %s', async (kind, who) => {
    const repo = await worked();
    await (await repo.session()).record(['b.txt'], { outside: true });
    await agentAt(repo, { agent: 'codex' }).tells(kind, '9');
    // The moment of a commit is known by the second alone.
    await new Promise(done => setTimeout(done, 1_100));
    const now = `${Math.floor(Date.now() / 1_000)} +0000`;
    const by = { GIT_COMMITTER_DATE: now, GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
    const env = {
      PATH: process.env.PATH,
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.com',
      ...by,
    };
    execFileSync('git', ['commit', '-qam', 'all of it'], { cwd: repo.dir, env });
    const session = await repo.session();
    await session.edit('create', { path: 'c.txt', file_text: 'c\n' });
    expect((await authors(repo, 'b.txt'))[8]).toBe(who);
    expect((await (await repo.open()).verify()).data.faults).toEqual([]);
  });

  it('is a group of its own, with what nobody claims, in what a push lists', async () => {
    const repo = await worked();
    await (await repo.session()).record(['b.txt'], { outside: true });
    repo.git('init', '-q', '--bare', '../server.git');
    repo.git('remote', 'add', 'origin', '../server.git');
    repo.git('push', '-q', 'origin', 'main');
    const git = await systemGit({ PATH: process.env.PATH });
    const listed = async () =>
      (await (await repo.open()).push({ git, dryRun: true, withReviews: true })).data;
    expect((await listed()).counts).toMatchObject({ edits: 2, outside: 0, unclaimed: 1 });
    await claim(repo, 'b.txt');
    const { unclaimed } = await listed();
    expect(unclaimed.map(({ author, subject }) => `${author}: ${subject}`).sort()).toEqual(
      ['Ada: accept b.txt', 'outside: outside b.txt', 'outside: outside a.txt'].sort(),
    );
    const refused = (await repo.open()).push({ git });
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', data: { fields: ['withOutside'] } });
  });

  it('needs no claim of what a person typed between the calls of a client that tells of them', async () => {
    const repo = await worked();
    const claude = agentAt(repo, { session: 'c' });
    await agentAt(repo, { agent: 'codex' }).tells('stop', '2');
    await claude.tells('prompt');
    for (const kind of ['before', 'after'] as const) await claude.tells(kind, 'toolu_1');
    await claim(repo);
    await claude.writes('b.txt', `${repo.read('b.txt')}typed\n`);
    expect(await review(repo)).toMatchObject({ hunks: [{}, {}], unclaimed: null });
    expect((await (await repo.session()).record(['b.txt'], { outside: true })).data.op).toBe('outside');
    expect((await authors(repo, 'b.txt')).at(-1)).toBe('Ada');
  });
});
