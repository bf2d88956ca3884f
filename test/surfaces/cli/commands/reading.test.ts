import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../../../src/queries/log/history.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** Three edits of two files by two agents; the last one is undone. */
async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, [
    'replace',
    'a.txt',
    'two',
    'TWO',
    '-m',
    'louder\n\nmuch louder',
    '--agent',
    'fixer',
    '--session',
    's1',
  ]);
  await vedit(box, [
    'replace',
    'src/b.txt',
    'x',
    'z',
    '--agent',
    'reviewer',
    '--model',
    'm1',
    '--session',
    's2',
  ]);
  await vedit(box, ['create', 'new.txt', '--text', 'n\n', '--agent', 'fixer', '--session', 's1']);
  await vedit(box, ['undo']);
  return box;
}

const out = async (box: Sandbox, ...args: string[]): Promise<string> => (await vedit(box, args)).out;
const subjects = async (box: Sandbox, ...args: string[]): Promise<string[]> =>
  (await out(box, 'log', '--json', ...args))
    .trimEnd()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line).subject);

describe('view', () => {
  it('prints numbered lines alone on standard output, and what to cite on standard error', async () => {
    const box = personRepo();
    const { out, err } = await vedit(box, ['view', 'a.txt']);
    expect(out).toBe('     1\tone\n     2\ttwo\n     3\tthree\n');
    const blob = box.git('rev-parse', 'HEAD:a.txt');
    expect(err).toBe(
      `[a.txt: lines 1-3 of 3, version ${blob}, commit ${box.git('rev-parse', 'HEAD').slice(0, 12)}]\n`,
    );
  });

  it.each([
    [['a.txt:2'], '     2\ttwo\n'],
    [['a.txt:2-3'], '     2\ttwo\n     3\tthree\n'],
    [['a.txt:2-'], '     2\ttwo\n     3\tthree\n'],
    [['a.txt', '--lines', '1,2'], '     1\tone\n     2\ttwo\n'],
    [['a.txt', '--lines', '3,-1'], '     3\tthree\n'],
  ])('%j shows these lines', async (args, shown) => {
    expect(await out(personRepo(), 'view', ...args)).toBe(shown);
  });

  it('cuts where --max-characters says', async () => {
    const box = personRepo();
    box.write('long.txt', 'line\n'.repeat(9));
    const shown = [1, 2, 3, 4].map(n => `     ${n}\tline\n`).join('');
    expect(await out(box, 'view', 'long.txt', '--max-characters', '50')).toBe(shown);
  });

  it('takes a name that looks like one with lines for a name when there is such a file', async () => {
    const box = personRepo();
    box.write('a.txt:2', 'other\n');
    expect(await out(box, 'view', 'a.txt:2')).toBe('     1\tother\n');
  });

  it('shows an empty file as nothing', async () => {
    const box = personRepo();
    box.write('empty', '');
    expect(await vedit(box, ['view', 'empty'])).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringContaining('empty file'),
    });
  });

  it('shows lines that look like notices as lines', async () => {
    const box = personRepo();
    box.write('n', '[a notice]\n\n[b]');
    expect(await out(box, 'view', 'n')).toBe('     1\t[a notice]\n     2\t\n     3\t[b]\n');
  });

  it('lists the folder that it runs in, with names that cannot forge lines', async () => {
    const box = personRepo();
    box.write('src/[id].txt', '');
    box.write('src/two\nlines', '');
    expect(await out(box, 'view')).toContain('a.txt\nsrc/\nsrc/[id].txt\n');
    expect(await out(box, '-C', 'src', 'view')).toBe('src/[id].txt\nsrc/b.txt\n"src/two\\nlines"\n');
    expect(await out(box, 'view', 'src/')).toBe(await out(box, '-C', 'src', 'view', '.'));
    expect((await vedit(box, ['view', 'src'])).err).toBe('[src: 2 levels, without files that git ignores]\n');
  });

  it('shows a file as it was', async () => {
    const box = await edited();
    expect(await out(box, 'view', 'a.txt:2', '--at', 'main')).toBe('     2\ttwo\n');
    expect(await out(box, 'view', '--at', '~1', 'new.txt')).toBe('     1\tn\n');
  });

  it('answers in JSON', async () => {
    const box = personRepo();
    const { ok, data } = await veditJson(box, ['view', 'a.txt:1']);
    expect({ ok, data }).toMatchObject({
      ok: true,
      data: { path: 'a.txt', from: 1, to: 1, lines: 3, text: 'one\n' },
    });
  });
});

describe('log', () => {
  it('tells of each edit who, when and why, newest first', async () => {
    const text = await out(await edited(), 'log');
    const blocks = text.split('\n\ncommit ');
    expect(blocks).toHaveLength(4);
    expect(blocks[1]).toMatch(
      /^[0-9a-f]{40} \(taken back by [0-9a-f]{12}\)\nAgent: {3}fixer\nSession: s1\nDate: {4}\S+ \S+ [+-]\d{4}\n\n {4}create new\.txt \(\+1 -0\)$/,
    );
    expect(blocks[2]).toContain('Agent:   reviewer (m1)\n');
    expect(blocks[3]).toMatch(/ {4}louder \(a\.txt\)\n\n {4}much louder\n$/);
  });

  it('fits each on a line', async () => {
    const lines = (await out(await edited(), 'log', '--oneline')).trimEnd().split('\n');
    const words = lines.map(line => line.replace(/^[0-9a-f]{7} \S+ \S+ \S+ /, '').replace(/[0-9a-f]{12}/, 'ID'));
    expect(words).toEqual([
      'agent: undo new.txt (+0 -1)',
      'fixer: create new.txt (+1 -0) (taken back by ID)',
      'reviewer: str_replace src/b.txt (+1 -1)',
      'fixer: louder (a.txt)',
    ]);
  });

  it('is one JSON object a line', async () => {
    const box = await edited();
    const entries = (await out(box, 'log', '--json'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as LogEntry);
    expect(entries).toHaveLength(4);
    expect(entries[2]).toMatchObject({
      op: 'str_replace',
      agent: 'reviewer',
      model: 'm1',
      session: 's2',
      paths: ['src/b.txt'],
    });
    expect(entries[2]!.commit).toBe(box.git('rev-parse', 'vedit/main~2'));
  });

  it.each<[string[], string[]]>([
    [['a.txt'], ['louder (a.txt)']],
    [['src'], ['str_replace src/b.txt (+1 -1)']],
    [['-C', 'src', '.'], ['str_replace src/b.txt (+1 -1)']],
    [['--agent', 'reviewer'], ['str_replace src/b.txt (+1 -1)']],
    [['--session', 's1', '--op', 'create'], ['create new.txt (+1 -0)']],
    [['-n', '1'], ['undo new.txt (+0 -1)']],
    [['--since', '2100-01-01'], []],
  ])('%j chooses', async (args, chosen) => {
    expect(await subjects(await edited(), ...args)).toEqual(chosen);
  });

  it('shows what changed, or how much', async () => {
    const box = await edited();
    expect(await out(box, 'log', 'a.txt', '-p')).toContain('\n\ndiff --git a/a.txt b/a.txt\n');
    expect(await out(box, 'log', 'a.txt', '--stat')).toContain(
      '\n\n a.txt | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n',
    );
    expect(await out(box, 'log', '--oneline', '--stat', '-n', '1')).toMatch(
      /^\w{7} .*: undo.*\n new\.txt \| 1 -\n/,
    );
  });

  it('draws how much changed as git does', async () => {
    const box = await edited();
    await vedit(box, ['redo']);
    await vedit(box, ['create', 'long.txt', '--text', 'line\n'.repeat(300)]);
    await vedit(box, ['mv', 'src/b.txt', 'src/c.txt']);
    const git = box.git('log', '--format=%h %s', '--stat', '--abbrev=7', 'main..vedit/main');
    const own = (await out(box, 'log', '--oneline', '--stat')).replace(
      /^(\w{7}) \S+ \S+ \S+ \w+: (.*\))( \(taken back by \w+\)|: louder)?$/gm,
      '$1 $2',
    );
    expect(own).toBe(`${git.replace(/\n\n/g, '\n')}\n`);
  });

  it('marks words', async () => {
    const box = await edited();
    expect(await out(box, 'log', 'src', '-p', '--word')).toContain('-[-x-] = 1\n+{+z+} = 1\n');
    const always = ['log', 'src', '-p', '--color', 'always'];
    expect(await out(box, ...always)).toContain('\u001b[7;31mx\u001b[m');
    expect(await out(box, ...always, '--no-word')).not.toContain('\u001b[7;');
  });

  it('holds in JSON the numbers and diffs that were asked for', async () => {
    const box = await edited();
    const [line] = (await out(box, 'log', '--json', '--stat', '-p', '-n', '1')).split('\n');
    expect(JSON.parse(line!)).toMatchObject({
      stats: [{ path: 'new.txt', kind: 'delete', added: 0, removed: 1 }],
      diff: expect.stringContaining('deleted file'),
    });
  });

  it('of no edits is empty', async () => {
    const err = 'The history is empty: nothing was edited yet.\n';
    expect(await vedit(personRepo(), ['log'])).toEqual({ code: 0, out: '', err });
  });
});

describe('show', () => {
  it('shows the newest edit, or the one that is named, as log does, with its diff', async () => {
    const box = await edited();
    expect(await out(box, 'show')).toMatch(
      /^commit \w{40}\n.* {4}undo new\.txt.*\n\ndiff --git a\/new\.txt/s,
    );
    const id = box.git('rev-parse', '--short', 'vedit/main~3');
    expect(await out(box, 'show', id)).toBe(await out(box, 'log', 'a.txt', '-p'));
  });

  it('answers in JSON', async () => {
    const { data } = await veditJson(await edited(), ['show', '~2']);
    expect(data).toMatchObject({
      op: 'str_replace',
      agent: 'reviewer',
      diff: expect.stringContaining('+z = 1'),
    });
  });

  it('sums it up', async () => {
    expect(await out(await edited(), 'show', '~2', '--stat')).toMatch(
      /\n\n src\/b\.txt \| 2 \+-\n 1 file changed, 1 insertion\(\+\), 1 deletion\(-\)\n$/,
    );
  });

  it('refuses what is no commit', async () => {
    expect(await vedit(personRepo(), ['show', 'deadbeef'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('diff', () => {
  it('is everything that was edited, or what is between two commits', async () => {
    const box = await edited();
    expect(await out(box, 'diff')).toMatch(/a\/a\.txt.*a\/src\/b\.txt/s);
    expect(await out(box, 'diff', '~2', '~1')).toMatch(/^diff --git a\/new\.txt/);
    expect(await out(box, 'diff', 'main', '@', '--path', 'src')).toMatch(/^diff --git a\/src\/b\.txt/);
    expect(await out(box, '-C', 'src', 'diff', '--path', 'b.txt', '--stat')).toMatch(
      /^ src\/b\.txt \| 2 \+-\n/,
    );
  });

  it('is of one file or folder, that is named last or alone', async () => {
    const box = await edited();
    const whole = await out(box, 'diff', 'main', '@', '--path', 'src');
    expect(whole).toContain('src/b.txt');
    for (const args of [['main', '@', 'src'], ['main..@', 'src'], ['src']])
      expect(await out(box, 'diff', ...args)).toBe(whole);
    expect(await vedit(box, ['diff', 'src', '--path', 'a.txt'])).toMatchObject({ code: 2 });
  });

  it('is what others changed and is not recorded yet', async () => {
    const box = await edited();
    box.write('a.txt', 'one\nTWO\nmine\n');
    expect(await out(box, 'diff', '--outside')).toContain('-three\n+mine\n');
    expect(await out(box, 'diff', '--outside', '--stat')).toMatch(/^ a\.txt \| 2 \+-\n/);
    expect(await out(box, '-C', 'src', 'diff', '--outside', '--path', '.')).toBe('');
    const { data } = await veditJson(box, ['diff', '--outside']);
    expect(data).toMatchObject({ to: null, checked_paths: 3, paths: [{ path: 'a.txt' }] });
  });

  it('of nothing prints nothing, and says so beside it', async () => {
    const diff = await vedit(await edited(), ['diff', '@', '@']);
    expect(diff).toEqual({ code: 0, out: '', err: 'No difference.\n' });
  });
});
