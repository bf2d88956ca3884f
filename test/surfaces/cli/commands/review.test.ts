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
    expect((await vedit(repo, ['review', '--list', '--path', 'b'])).err).toContain(
      'Nothing is left to review',
    );
  });

  it('names an agent without a name by its session, once', async () => {
    const repo = personRepo({ 'a.txt': LINES });
    repo.git('config', 'user.email', 'ada@example.com');
    expect((await vedit(repo, ['replace', 'a.txt', 'line 5', 'five'])).code).toBe(0);
    expect((await vedit(repo, ['review'])).out).toMatch(
      / {2}[0-9a-f]{7} agent \(session [0-9a-f]{12}\) (just now|\d+ seconds? ago): str_/,
    );
  });

  it('accepts and rejects what is named, and takes it back', async () => {
    const repo = await reviewed();
    const accepted = await vedit(repo, ['review', '--accept', '--path', 'a.txt', '--lines', '15']);
    expect(accepted.err).toBe('Accepted 1 hunk; 2 left to review.\n');
    const rejected = await vedit(repo, [
      ...['review', '--reject', '--path', 'a.txt', '--lines', '27', '-m', 'one is enough'],
    ]);
    expect(rejected.code).toBe(0);
    expect(rejected.out).toContain('-new two');
    expect(rejected.err).toMatch(/^\[[0-9a-f]{7}\] reject a.txt \(\+0 -1\)\n$/);
    expect(await listed(repo)).toEqual([['five'], ['new one']]);
    expect((await vedit(repo, ['review', '--take-back'])).err).toBe('Took back: reject a.txt (+0 -1).\n');
    expect(await listed(repo)).toEqual([['five'], ['new one', 'new two']]);
    expect((await vedit(repo, ['review', '--accept', '--all'])).code).toBe(0);
    expect(await listed(repo)).toEqual([]);
  });

  it('says what is wrong with what it was given', async () => {
    const repo = await reviewed();
    const usage = async (...args: string[]): Promise<string> => {
      const { code, err } = await vedit(repo, ['review', ...args]);
      expect(code).toBe(2);
      return err;
    };
    expect(await usage('--accept', '--reject')).toContain('--accept and --reject are different things');
    expect(await usage('--reject')).toContain('name what to reject: --path');
    expect(await usage('--accept', '--lines', '4')).toContain('give its --path too');
    expect(await usage('--accept', '--path', 'a', '--lines', 'x')).toContain('--lines must be such as 40-44');
    const nothing = await vedit(repo, ['review', '--accept']);
    expect([nothing.code, nothing.err]).toEqual([1, expect.stringContaining('Say what to accept')]);
  });
});

describe('vedit review on a terminal', () => {
  const PROMPT = '[a,x,s,/,b,z,q,?]? ';

  onPty('asks hunk by hunk, and goes on tomorrow', async () => {
    const repo = await reviewed();
    const first = onTerminal(
      repo,
      ['review'],
      [
        [PROMPT, '?\n'],
        [PROMPT, 'a\n'],
        [PROMPT, 'b\n'],
        [PROMPT, 's\n'],
        [PROMPT, 'x\n'],
        ['no reason)? ', 'not that\n'],
        [PROMPT, 'q\n'],
      ],
    );
    expect(first.code).toBe(0);
    expect(first.out).toContain('goes on from there');
    expect(first.out).toContain('Accepted 1 hunk; 2 left to review.');
    expect(first.out).toContain('1 left to review.');
    expect(repo.read('a.txt')).toContain('line 15\n');
    expect(repo.git('log', '-1', '--format=%an: %b', 'vedit/main')).toMatch(/^Ada: not that/);
    const second = onTerminal(
      repo,
      ['review'],
      [
        ['(1/1)', '/\n'],
        ['(1/2)', 'a\n'],
        ['(2/2)', 'x\n'],
        ['no reason)? ', '\n'],
      ],
    );
    expect(second.out).toContain('Nothing is left to review.');
    expect(repo.read('a.txt')).toContain('line 25\nnew one\nline 26\n');
  });

  onPty('takes back, and shows a conflict with a way out of it', async () => {
    const repo = await reviewed();
    repo.write('a.txt', repo.read('a.txt').replace('five\n', 'mine\n'));
    const { out } = onTerminal(
      repo,
      ['review'],
      [
        [PROMPT, 'x\n'],
        ['no reason)? ', 'no\n'],
        ['together [y,N]? ', '\n'],
        [PROMPT, 's\n'],
        [PROMPT, 'a\n'],
        [PROMPT, 'z\n'],
        [PROMPT, 'q\n'],
      ],
    );
    expect(out).toContain('CONFLICT');
    expect(out).toContain('not recorded yet');
    expect(out).toContain('Took back: accept a.txt.');
    expect(out).toContain('3 left to review.');
    expect(repo.read('a.txt')).toContain('mine\n');
  });
});
