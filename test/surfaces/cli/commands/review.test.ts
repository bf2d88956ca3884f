import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReviewData } from '../../../../src/index.ts';
import { type Place, personRepo } from '../../../helpers/person-repo.ts';
import { hasPython, onTerminal } from '../../../helpers/pty.ts';
import { vedit, veditJson } from '../../../helpers/vedit.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');

async function reviewed(): Promise<Place> {
  const repo = personRepo({ 'a.txt': LINES });
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  const session = await repo.session('s1');
  const edit = (old_str: string, new_str: string, reason?: string): Promise<unknown> =>
    session.edit('str_replace', { path: 'a.txt', old_str, new_str, reason });
  await edit('line 5\n', 'five\n', 'numbers as words');
  await edit('line 15\n', 'fifteen\n');
  await edit('line 25\n', 'line 25\nnew one\nnew two\n');
  await repo.close();
  return repo;
}

async function listed(repo: Place): Promise<string[][]> {
  const { data } = await veditJson<ReviewData>(repo, ['review']);
  return data.hunks.map(({ after }) => after.lines);
}

/** Everywhere but where python3 is missing: in CI a missing one fails. */
const onPty = hasPython || process.env.CI ? it : it.skip;

describe('vedit review without a terminal', () => {
  it('lists what is left, as text and as JSON', async () => {
    const repo = await reviewed();
    const { out, code } = await vedit(repo, ['review']);
    expect(code).toBe(0);
    expect(out).toContain('1/3 a.txt line 5\n');
    expect(out).toMatch(/ {2}[0-9a-f]{7} claude \(session s1\) .*: numbers as words\n/);
    expect(out).toContain(' line 4\n-line 5\n+five\n line 6\n');
    expect(out).toContain('3/3 a.txt lines 26-27\n');
    expect(await listed(repo)).toEqual([['five'], ['fifteen'], ['new one', 'new two']]);
    expect((await vedit(repo, ['review', '--list', '--session', 'nobody'])).code).toBe(1);
    repo.write('b', 'of no edit\n');
    expect((await vedit(repo, ['review', '--list', 'b'])).err).toContain('Nothing is left to review');
  });

  it('names an agent without a name by its session, once', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('config', 'user.email', 'ada@example.com');
    expect((await vedit(repo, ['replace', 'a.txt', 'line 5', 'five'])).code).toBe(0);
    expect((await vedit(repo, ['review'])).out).toMatch(
      / {2}[0-9a-f]{7} agent \(session [0-9a-f]{12}\) [-\d]{10} [:\d]{8} [-+]\d{4}: str_/,
    );
  });

  it('accepts and rejects what is named, and takes it back', async () => {
    const repo = await reviewed();
    const accepted = await vedit(repo, ['accept', 'a.txt:15']);
    expect(accepted.err).toBe('Accepted 1 hunk; 2 left to review.\n');
    const rejected = await vedit(repo, ['reject', 'a.txt:27', '-m', 'one is enough']);
    expect(rejected.code).toBe(0);
    expect(rejected.out).toContain('-new two');
    expect(rejected.err).toMatch(/^\[[0-9a-f]{7}\] reject a.txt \(\+0 -1\)\n$/);
    expect(await listed(repo)).toEqual([['five'], ['new one']]);
    expect((await vedit(repo, ['review', '--take-back'])).err).toBe('Took back: reject a.txt (+0 -1).\n');
    expect(await listed(repo)).toEqual([['five'], ['new one', 'new two']]);
    expect((await vedit(repo, ['accept', '--all'])).code).toBe(0);
    expect(await listed(repo)).toEqual([]);
  });

  it('says what is wrong with what it was given', async () => {
    const repo = await reviewed();
    const usage = async (...args: string[]): Promise<string> => {
      const { code, err } = await vedit(repo, args);
      expect(code).toBe(2);
      return err;
    };
    expect(await usage('review', '--list', '--take-back')).toContain('are different things');
    expect(await usage('reject')).toContain("missing required argument 'path[:A-B]'");
    expect(await usage('accept', 'a:4-1')).toContain('the lines must be such as a:40-44');
    expect(await usage('accept')).toContain(
      'name what to accept: a file, or lines of it as a.ts:40-44, --session, --up-to or --all',
    );
  });
});

const PROMPT = ',r,c,z,?]? ';

describe('vedit review on a terminal', () => {
  onPty('asks hunk by hunk with single keys, and goes on tomorrow', async () => {
    const repo = await reviewed();
    const first = onTerminal(
      repo,
      ['review'],
      [
        ['(1/3) Accept this hunk [y,n,q,a,d,k,K,j,J,g,/,e,r,c,z,?]? ', '?'],
        [PROMPT, 'y'],
        ['(2/3)', 'K'],
        ['(3/3)', 'k'],
        ['(2/3)', 'r'],
        ['no reason)? ', 'not that\n'],
        ['(3/3)', 'q'],
      ],
    );
    expect(first.code).toBe(0);
    expect(first.out).toContain('r - reject this hunk: you are asked why, and the agent is told');
    expect(first.out).toContain('Accepted 1 hunk; 2 left to review.');
    expect(first.out).toContain('1 left to review.');
    expect(repo.read('a.txt')).toContain('line 15\n');
    expect(repo.git('log', '-1', '--format=%an: %b', 'vedit/main')).toMatch(/^Ada: not that/);
    const second = onTerminal(
      repo,
      ['review'],
      [
        ['(1/1)', 's'],
        ['(1/2)', 'y'],
        ['(2/2)', 'r'],
        ['no reason)? ', '\n'],
      ],
    );
    expect(second.out).toContain('Nothing is left to review.');
    expect(repo.read('a.txt')).toContain('line 25\nnew one\nline 26\n');
  });

  onPty('asks about the first file while it looks for the others', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    const session = await repo.session('s1');
    const made = (name: string): string => `--- /dev/null\n+++ b/${name}.txt\n@@ -0,0 +1 @@\n+${name}\n`;
    const names = Array.from({ length: 501 }, (_, at) => String(1000 + at));
    await session.edit('unified_diff', { patch: names.map(made).join('') });
    await repo.close();
    const { out } = onTerminal(
      repo,
      ['review'],
      [
        ['(1/500+) Accept this hunk', 'K'],
        ['(501/501) Accept this hunk', 'y'],
        ['(1/501)', 'q'],
      ],
    );
    expect(out).toContain('1/500+ 1000.txt new file\n');
    expect(out).toContain('Accepted 1 hunk; 500 left to review.');
  });

  onPty('takes a comment, which stands on the hunk that is asked about again', async () => {
    const repo = await reviewed();
    const { out, code } = onTerminal(
      repo,
      ['review'],
      [
        ['(1/3)', 'c'],
        ['Comment (told to the agent)? ', 'why not a constant?\n'],
        [': why not a constant?', 'q'],
      ],
    );
    expect(code).toBe(0);
    expect(out).toContain('The agent is told with its next answer.');
    expect(out).toMatch(/Ada (just now|\d+ seconds? ago): why not a constant\?/);
    expect(out).toContain('3 left to review.');
  });

  onPty(
    'reads lines where git is told to, takes back, and shows a conflict with a way out of it',
    async () => {
      const repo = await reviewed();
      repo.git('config', 'interactive.singleKey', 'false');
      repo.write('a.txt', repo.read('a.txt').replace('five\n', 'mine\n'));
      const { out } = onTerminal(
        repo,
        ['review'],
        [
          [PROMPT, 'r\n'],
          ['no reason)? ', 'no\n'],
          ['together [y,N]? ', '\n'],
          ['(1/3)', 'n\n'],
          ['(2/3)', 'y\n'],
          ['(3/3)', 'z\n'],
          ['(2/3)', '/new one\n'],
          ['(3/3)', 'q\n'],
        ],
      );
      expect(out).toContain('CONFLICT');
      expect(out).toContain('not recorded yet');
      expect(out).toContain('Took back: accept a.txt.');
      expect(out).toContain('3 left to review.');
      expect(repo.read('a.txt')).toContain('mine\n');
    },
  );
});

describe('a hunk on a terminal', () => {
  onPty('names for each piece of a hunk only its own edits', async () => {
    const repo = await reviewed();
    const session = await repo.session('s2');
    await session.edit('str_replace', {
      path: 'a.txt',
      old_str: 'line 6\n',
      new_str: 'six\n',
      reason: 'also',
    });
    await repo.close();
    const { out } = onTerminal(
      repo,
      ['review', '--session', 's2'],
      [
        ['(1/1)', 's'],
        ['(1/2)', 'n'],
        ['(2/2)', 'n'],
      ],
    );
    const [, five = '', six = ''] = out.split(/[12]\/2 a\.txt line /);
    expect([five.includes('numbers as words'), five.includes('also')]).toEqual([true, false]);
    expect([six.includes('numbers as words'), six.includes('also')]).toEqual([false, true]);
  });

  onPty('lets the person edit a hunk, which is theirs and accepted then', async () => {
    const repo = await reviewed();
    repo.write(
      '../editor',
      '#!/bin/sh\nsed -i "s/^+five/+FIVE/;s/^+fifteen/+15/;s/^ line 16/ sixteen/" "$1"\n',
    );
    chmodSync(repo.path('../editor'), 0o755);
    const { out } = onTerminal(
      repo,
      ['review'],
      [
        ['(1/3)', 'e'],
        ['(2/3)', 'e'],
        ['Edit again (saying "no" discards!) [y/n]? ', 'n'],
        ['(2/3)', 'n'],
        ['(3/3)', 'q'],
      ],
      { GIT_EDITOR: repo.path('../editor') },
    );
    expect(out).toMatch(/\[[0-9a-f]{7}\] edit_lines a\.txt \(\+1 -1\)\nAccepted 1 hunk; 2 left to review\./);
    expect(repo.read('a.txt')).toContain('FIVE\n');
    expect(repo.git('log', '-1', '--format=%an', 'vedit/main')).toBe('Ada');
    expect(await listed(repo)).toEqual([['fifteen'], ['new one', 'new two']]);
  });

  onPty('shows a hunk that is longer than the screen through the pager', async () => {
    const repo = await reviewed();
    const session = await repo.session('s3');
    await session.edit('create', { path: 'long.txt', file_text: LINES.repeat(10) });
    await repo.close();
    const { out } = onTerminal(repo, ['review', 'long.txt'], [['(1/1)', 'y']], {
      GIT_PAGER: 'grep -c "^+line"',
    });
    expect(out).toContain('300\n(1/1)');
    expect(out).not.toContain('+line 1\n');
  });
});

describe('vedit review in colour', () => {
  onPty('marks words, names agents in colours, and shows a diff as interactive.diffFilter does', async () => {
    const repo = await reviewed();
    await vedit(repo, ['replace', 'a.txt', 'line 1\nline 2', 'line one\nline 2', '--agent', 'claude']);
    const colored = { NO_COLOR: '' };
    const { out } = onTerminal(
      repo,
      ['review', '--no-pager'],
      [
        ['(1/4)', 'J'],
        ['(2/4)', 'q'],
      ],
      colored,
    );
    expect(out).toContain('\u001b[31m-line \u001b[m\u001b[7;31m1');
    expect(out).toMatch(/\u001b\[3\dmclaude\u001b\[m \(session s1\)/);
    repo.write('../home/.gitconfig', '[interactive]\n\tdiffFilter = sed s/line.2/FILTERED/\n');
    const filtered = onTerminal(repo, ['review'], [['(1/4)', 'q']], colored).out;
    expect(filtered).toMatch(/--- a\/a\.txt.*\n.*\n.*@@ -1,4 \+1,4 @@/);
    expect(filtered).toContain('FILTERED');
    repo.write('../home/.gitconfig', '[interactive]\n\tdiffFilter = false\n');
    const failed = onTerminal(repo, ['review'], [['(1/4)', 'q']], colored).out;
    expect(failed).toContain('interactive.diffFilter failed: false');
    expect(failed).toContain('line 2');
    repo.git('config', 'interactive.diffFilter', 'touch started');
    onTerminal(repo, ['review'], [['(1/4)', 'q']], colored);
    expect(repo.git('status', '--short')).not.toContain('started');
  });
});
