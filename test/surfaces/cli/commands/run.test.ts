import { describe, expect, it } from 'vitest';
import { content, personRepo, vedit } from '../../../helpers/vedit.ts';

describe('run', () => {
  it('records what a command changes as one edit, and exits as the command does', async () => {
    const box = personRepo();
    box.write('b.txt', 'before\n');
    const script = 'sleep 0.05; echo x > new.txt; rm a.txt; sleep 0.05; exit 3';
    const { code, err } = await vedit(box, ['run', '--agent', 'fixer', 'sh', '-c', script]);
    expect([code, err]).toEqual([3, 'vedit: recorded shell 2 files (+1 -3)\n']);
    expect(box.git('log', '-1', '--format=%an %b', 'vedit/main')).toMatch(/^fixer sh\n/);
    expect(box.git('show', '--format=', '--name-status', 'vedit/main')).toBe('D\ta.txt\nA\tnew.txt');
    expect(content(box, 'b.txt')).toBe('before\n');
  });

  it('says where there is nothing to record, and what cannot be started', async () => {
    const box = personRepo();
    expect(await vedit(box, ['run', 'true'])).toEqual({
      code: 0,
      out: '',
      err: 'vedit: nothing to record\n',
    });
    const { code, err } = await vedit(box, ['run', 'no-such-program']);
    expect([code, err]).toEqual([1, expect.stringContaining('no-such-program cannot be started (ENOENT)')]);
  });

  it.each(['--assume-unchanged', '--skip-worktree'])(
    'records a file that git was told to pass over by %s, and what it held before as that',
    async flag => {
      const box = personRepo();
      box.git('update-index', flag, 'a.txt');
      box.write('a.txt', 'mine\ntwo\nthree\n');
      box.write('src/b.txt', 'typed\n');
      const script = 'sleep 0.05; echo run >> a.txt; echo run > src/new.txt; sleep 0.05';
      const { err } = await vedit(box, ['run', '--agent', 'fixer', 'sh', '-c', script]);
      expect(err).toBe('vedit: recorded shell 2 files (+2 -0)\n');
      const { out } = await vedit(box, ['blame', 'a.txt', '--json']);
      const lines: Array<{ agent: string | null }> = JSON.parse(out).data.lines;
      expect(lines.map(({ agent }) => agent)).toEqual([null, null, null, 'fixer']);
      expect(box.git('ls-files', '-v', 'a.txt')).toBe(flag === '--skip-worktree' ? 'S a.txt' : 'h a.txt');
    },
  );

  it('says nothing of files that a sparse checkout leaves out', async () => {
    const box = personRepo();
    box.git('sparse-checkout', 'set', '--no-cone', '/a.txt');
    expect((await vedit(box, ['run', 'true'])).err).toBe('vedit: nothing to record\n');
  });

  it.each<[what: string, script: string, named: string]>([
    ['a repository inside that goes', 'rm -rf inner', 'inner/'],
    ['a repository inside that changes', 'echo x > inner/x', 'inner/'],
    ['a repository inside that comes', 'git init -q other', 'other/'],
    ['a submodule', 'echo x > lib/x', 'lib/'],
    ['a name that is no text', `touch "$(printf 'caf\\351')"`, 'caf\ufffd'],
  ])('names what it cannot look into: %s', async (_, script, named) => {
    const box = personRepo();
    for (const name of ['inner', '../lib']) {
      box.git('init', '-q', name);
      box.git('-C', name, 'commit', '-q', '--allow-empty', '-m', 'first');
    }
    box.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', box.path('../lib'), 'lib');
    box.git('commit', '-qm', 'lib');
    const { err } = await vedit(box, ['run', 'sh', '-c', script]);
    expect(err).toMatch(
      /^vedit: nothing to record\nvedit: not looked into, since it cannot be recorded: .*\n$/,
    );
    expect(err).toContain(named);
  });

  it('says how many files it did not look at, and takes none of them for the command’s', async () => {
    const box = personRepo();
    for (let n = 0; n < 5_003; n++) box.write(`new/${n}.txt`, '');
    const { err } = await vedit(box, [
      'run',
      '--agent',
      'fixer',
      'sh',
      '-c',
      'sleep 0.05; echo x > new/own.txt',
    ]);
    expect(err).toMatch(
      /^vedit: recorded shell new\/own.txt \(\+1 -0\)\nvedit: 3 more files .* not looked at/,
    );
    expect(box.git('show', '--format=', '--name-only', 'vedit/main')).toBe('new/own.txt');
  });
});
