import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, type RunOptions, vedit, veditJson } from '../../../helpers/vedit.ts';

/** The user, and nothing that is meant for another repository. */
const ADA: RunOptions = {
  env: {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
    GIT_DIR: '/nonexistent',
    GIT_INDEX_FILE: '/nonexistent/index',
  },
};

async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, [
    'replace',
    'a.txt',
    'one',
    'ONE',
    '--session',
    's1',
    '--agent',
    'fixer',
    '-m',
    'Louder.',
  ]);
  await vedit(box, ['create', 'src/new.txt', '--text', 'x', '--session', 's2']);
  return box;
}

describe('verify', () => {
  it('says what it checked; a fault is data, and exits with 5', async () => {
    const box = await edited();
    const head = box.git('rev-parse', 'vedit/main');
    expect(await vedit(box, ['verify', '--expect', head.slice(0, 10)])).toEqual({
      code: 0,
      out: `2 commits and 2 files checked, no fault. Note ${head}: expect it the next time, and a history that was cut off is found.\n`,
      err: '',
    });
    box.git('update-ref', 'refs/vedit/main', 'vedit/main~1');
    const { code, out } = await vedit(box, [
      'verify',
      '--expect',
      head,
      '--expect',
      box.git('rev-parse', 'vedit/main'),
    ]);
    expect({ code, lines: out.split('\n').length }).toEqual({ code: 5, lines: 3 });
    expect(out).toContain(`expected: ${head} is not in the history`);
    const json = await veditJson(box, ['verify', '--expect', head]);
    expect(json).toMatchObject({ ok: true, exit: 5, data: { sound: false, faults: [{ kind: 'expected' }] } });
    expect(await vedit(box, ['verify', '--expect', 'x'])).toMatchObject({ code: 1, out: '' });
  });

  it('checks what is newer than a noted commit', async () => {
    const box = await edited();
    const noted = box.git('rev-parse', 'vedit/main~1');
    const { code, out } = await vedit(box, ['verify', '--since', noted.slice(0, 10)]);
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining(`1 commit since ${noted.slice(0, 12)} and 1 file checked, no fault.`),
    });
    expect(await vedit(box, ['verify', '--since', 'x'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('land', () => {
  it('shows what would land, then lands it with the user’s hooks', async () => {
    const box = await edited();
    box.write('.git/hooks/pre-commit', '#!/bin/sh\ntouch ran\n');
    chmodSync(box.path('.git/hooks/pre-commit'), 0o755);
    const dry = await vedit(box, ['land', '-n'], ADA);
    expect(dry.out).toMatch(/^2 edits by fixer: .*Assisted-by: fixer\n.*Vedit-Lands: .*\+ONE/s);
    expect(dry.err).toBe('[dry run, nothing committed] 2 edits by fixer: a.txt, src/new.txt\n');
    const done = await vedit(box, ['land', '-m', 'Louder, and new'], ADA);
    expect(done).toMatchObject({
      code: 0,
      err: `[main ${box.git('rev-parse', '--short=7', 'main')}] Louder, and new\n`,
    });
    expect(done.out).toMatch(/ a\.txt +\| 2 \+-\n src\/new\.txt \| 1 \+\n 2 files changed/);
    expect(box.git('log', '-1', '--format=%an <%ae>')).toBe('Ada <ada@example.com>');
    expect(content(box, 'ran')).toBe('');
    expect(box.git('status', '--porcelain', '-uno')).toBe('');
    const where = box.git('rev-parse', '--short=12', 'main');
    expect((await vedit(box, ['log', '--oneline'])).out.match(/\(landed in \w+\)$/gm)).toEqual([
      `(landed in ${where})`,
      `(landed in ${where})`,
    ]);
    expect((await vedit(box, ['log', '-n', '1'])).out).toMatch(
      new RegExp(`^commit \\w{40} \\(landed in ${where}\\)\n`),
    );
    expect((await vedit(box, ['status'])).out).toMatch(/^Newest: .*, landed in \w{12}\)$/m);
    expect(await vedit(box, ['land'], ADA)).toMatchObject({
      code: 1,
      err: expect.stringContaining('NO_CHANGE'),
    });
  });

  it('takes a session, single edits, one by one, and no git', async () => {
    const box = await edited();
    const first = await vedit(box, ['land', '--session', 's2', '--no-git'], ADA);
    expect(first.err).toMatch(
      /^\[main \w{7}\] create src\/new\.txt \(\+1 -0\)\nHooks did not run: there is no git here\.\n1 edit has not landed\.\n$/,
    );
    const json = await veditJson<{ commits: object[] }>(
      box,
      ['land', '~1', '--each', '--co-author', 'Bea <bea@example.com>'],
      ADA,
    );
    expect(json).toMatchObject({ ok: true, exit: 0, data: { op: 'land', onto: 'main', commits: [{}] } });
    expect(box.git('log', '-1', '--format=%s|%(trailers:key=Co-authored-by,valueonly)')).toMatch(
      /^Louder\.\|Bea/,
    );
  });

  it('tells what a hook said, and what does not join', async () => {
    const box = await edited();
    box.write('.git/hooks/commit-msg', '#!/bin/sh\nprintf "\\033[31mno ticket number\\n"; exit 1\n');
    chmodSync(box.path('.git/hooks/commit-msg'), 0o755);
    const refused = await vedit(box, ['land'], { ...ADA, tty: ['err'] });
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/no ticket number.*GIT_REFUSED/s) });
    expect(refused.err).not.toContain('\u001b[31mno ticket');
    await vedit(box, ['replace', 'a.txt', 'ONE', '1', '--session', 's3']);
    expect(await vedit(box, ['land', '--session', 's3'], ADA)).toMatchObject({
      code: 3,
      err: expect.stringContaining('CONFLICT'),
    });
  });
});

describe('gc', () => {
  it('says what it would do, and does it', async () => {
    const box = await edited();
    await vedit(box, ['land'], ADA);
    for (let n = 0; n < 60; n++) box.pipe(`${n}\n`, 'hash-object', '-w', '--stdin');
    for (let n = 0; n < 25; n++) {
      box.write('c.txt', `${n}\n`);
      box.git('add', 'c.txt');
      box.git('commit', '-qm', String(n));
    }
    const dry = await vedit(box, ['gc', '-n', '--prune-trails', '0m'], ADA);
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('kept: refs/vedit/main, its work tree is there');
    expect(dry.out).toContain('would be packed by git');
    box.git('worktree', 'add', '-q', '--detach', '../side');
    await vedit(box, ['-C', '../side', 'replace', 'a.txt', 'two', 'TWO']);
    box.git('worktree', 'remove', '--force', '../side');
    const json = await veditJson(box, ['gc', '--prune-trails', '0m', '--unlanded'], ADA);
    expect(json.data).toMatchObject({
      packed_by: 'git',
      pruned: [{ ref: 'refs/vedit/worktree/side' }],
      after: { packs: 1 },
    });
    expect(box.git('for-each-ref', '--format=%(refname)', 'refs/vedit')).toBe('refs/vedit/main');
    expect((await vedit(box, ['gc', '--no-git'], ADA)).out).toContain('nothing packed');
    expect(await vedit(box, ['gc', '--prune-trails', 'soon'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--prune-trails must be a time'),
    });
  });
});
