import { existsSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DoneData } from '../../../../src/engine/answer.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

async function version(box: Sandbox, path: string): Promise<string> {
  return (await veditJson<{ version: string }>(box, ['view', path])).data.version;
}

describe('a done edit', () => {
  it('prints its diff on standard output, and what was done on standard error', async () => {
    const { code, out, err } = await vedit(personRepo(), ['replace', 'a.txt', 'two', 'TWO']);
    expect(code).toBe(0);
    expect(out).toBe(
      'diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n',
    );
    expect(err).toMatch(/^\[vedit\/main [0-9a-f]{7}\] str_replace a\.txt \(\+1 -1\)\n$/);
  });

  it('is one commit on the trail, and branch, index and HEAD stay', async () => {
    const box = personRepo();
    const head = box.git('rev-parse', 'HEAD');
    const args = [
      'replace',
      'a.txt',
      'two',
      'TWO',
      '-m',
      'why',
      '--agent',
      'fixer',
      '--model',
      'm1',
      '--session',
      's1',
    ];
    await vedit(box, [...args, '--edit-id', 'e1', '--base', head]);
    expect(box.git('rev-parse', 'HEAD', 'main')).toBe(`${head}\n${head}`);
    expect(box.git('status', '--porcelain')).toBe(' M a.txt');
    const format = '%an|%s|%b';
    expect(box.git('log', `--format=${format}`, 'main..vedit/main')).toMatch(
      /^fixer\|why \(a\.txt\)\|Vedit-Op: str_replace.*Vedit-Session: s1\nVedit-Agent: fixer\nVedit-Model: m1\nVedit-Edit-Id: e1/s,
    );
  });

  it('answers in JSON as the tool does', async () => {
    const answer = await veditJson<DoneData>(personRepo(), ['replace', 'a.txt', 'two', 'TWO']);
    expect(answer).toMatchObject({ ok: true, exit: 0, message: expect.stringContaining('replace done') });
    expect(answer.data.paths).toMatchObject([{ path: 'a.txt', added: 1, removed: 1 }]);
  });

  it('tells of changes made outside that were recorded first', async () => {
    const box = personRepo();
    box.write('a.txt', 'one\ntwo\nthree\nmine\n');
    const { err } = await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    expect(err).toMatch(
      /^changes that did not come through vedit were recorded first: a\.txt \(\w{7}\)\n\[vedit\/main/,
    );
    expect(content(box, 'a.txt')).toBe('one\nTWO\nthree\nmine\n');
  });
});

describe('a dry run', () => {
  it.each([
    ['replace', 'a.txt', 'two', 'TWO'],
    ['insert', 'a.txt', '1', 'x', '--base', '@'],
    ['lines', 'a.txt', '1', 'x', '--base', '@'],
    ['create', 'new/x.txt', '--text', 'x'],
    ['rm', 'a.txt'],
    ['mv', 'a.txt', 'c.txt'],
  ])('of %s writes nothing', async (...args) => {
    const box = personRepo();
    const { code, out, err } = await vedit(box, [...args, '-n']);
    expect(code).toBe(0);
    expect(out).toMatch(/^diff --git /);
    expect(err).toMatch(/^\[dry run, nothing written\] /);
    expect(box.git('status', '--porcelain') + box.git('for-each-ref', 'refs/vedit')).toBe('');
    expect(existsSync(box.path('.git', 'vedit'))).toBe(false);
  });
});

describe('an edit id', () => {
  it('that was done is answered, not done again', async () => {
    const box = personRepo();
    const args = ['replace', 'a.txt', 'two', 'two two', '--edit-id', 'e1'];
    const first = await vedit(box, args);
    const second = await vedit(box, args);
    expect(second.code).toBe(0);
    expect(second.out).toBe(first.out);
    expect(second.err).toContain('nothing was done again');
    expect(content(box, 'a.txt')).toBe('one\ntwo two\nthree\n');
  });
});

describe('replace', () => {
  it('takes texts from options, files and standard input', async () => {
    const box = personRepo();
    box.write('old', 'one\n');
    expect(
      (await vedit(box, ['replace', 'a.txt', '--old-file', 'old', '-'], { input: 'ONE\n1\n' })).code,
    ).toBe(0);
    expect((await vedit(box, ['replace', 'a.txt', '-', '--new', '2\n'], { input: 'two\n' })).code).toBe(0);
    expect(
      (await vedit(box, ['replace', 'a.txt', '--old=three', '--new-file=-'], { input: '$& \\1' })).code,
    ).toBe(0);
    expect(content(box, 'a.txt')).toBe('ONE\n1\n2\n$& \\1\n');
  });

  it('takes an option’s value as it is, and what follows -- too', async () => {
    const box = personRepo();
    expect((await vedit(box, ['replace', 'a.txt', '--old', 'two', '--new', '-'])).code).toBe(0);
    expect((await vedit(box, ['replace', 'a.txt', '--', 'one', '--json'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('--json\n-\nthree\n');
  });

  it('replaces all only when asked to, and deletes with an empty text', async () => {
    const box = personRepo();
    const refused = await vedit(box, ['replace', 'src/b.txt', ' = 1', '']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/AMBIGUOUS.*lines 1 and 2.*set --all/s),
    });
    expect((await vedit(box, ['replace', 'src/b.txt', ' = 1', '', '--all'])).code).toBe(0);
    expect(content(box, 'src/b.txt')).toBe('x\ny\n');
  });

  it('refuses a text that is no UTF-8', async () => {
    const answer = await vedit(personRepo(), ['replace', 'a.txt', 'two', '-'], {
      input: Uint8Array.of(0xff),
    });
    expect(answer).toMatchObject({ code: 1, err: expect.stringContaining('NOT_UTF8') });
  });

  it('refuses a text file that is not there', async () => {
    const answer = await veditJson(personRepo(), ['replace', 'a.txt', 'two', '--new-file', 'gone']);
    expect(answer).toMatchObject({ exit: 1, code: 'FILE_NOT_FOUND', data: { path: 'gone' } });
  });
});

describe('line numbers', () => {
  it('are refused when they claim no version', async () => {
    const box = personRepo();
    const { code, err } = await vedit(box, ['insert', 'a.txt', '1', 'x']);
    expect(code).toBe(1);
    expect(err).toMatch(/NOT_VIEWED.*send the --version-of/s);
  });

  it('are right for the version that view named', async () => {
    const box = personRepo();
    const seen = await version(box, 'a.txt');
    expect((await vedit(box, ['insert', 'a.txt', '1', 'x', '--version-of', seen.slice(0, 8)])).code).toBe(0);
    expect((await vedit(box, ['insert', 'a.txt', '1', 'y', '--version-of', seen])).code).toBe(3);
    expect(content(box, 'a.txt')).toBe('one\nx\ntwo\nthree\n');
  });

  it('move with the changes since, when that is asked for', async () => {
    const box = personRepo();
    const seen = await version(box, 'a.txt');
    await vedit(box, ['insert', 'a.txt', '0', 'top', '--base', '@']);
    const args = ['lines', 'a.txt', '2', 'TWO', '--version-of', seen];
    expect((await vedit(box, args)).code).toBe(3);
    expect((await vedit(box, [...args, '--on-stale', 'rebase'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('top\none\nTWO\nthree\n');
  });

  it('insert after, before, and from standard input', async () => {
    const box = personRepo();
    await vedit(box, ['insert', 'a.txt', '0', '-', '--base', '@'], { input: 'top\n' });
    await vedit(box, ['insert', 'a.txt', '4', '--text', 'end', '--base', '@']);
    await vedit(box, ['insert', 'a.txt', '3', 'middle', '--before', '--base', '@']);
    expect(content(box, 'a.txt')).toBe('top\none\nmiddle\ntwo\nthree\nend\n');
  });

  it.each([
    ['2', 'one\nX\nthree\n'],
    ['1-2', 'X\nthree\n'],
    ['2:3', 'one\nX\n'],
  ])('%s are replaced', async (range, after) => {
    const box = personRepo();
    expect((await vedit(box, ['lines', 'a.txt', range, 'X', '--base', '@'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe(after);
  });

  it('are deleted only when that is said', async () => {
    const box = personRepo();
    expect((await vedit(box, ['lines', 'a.txt', '1-2', '--base', '@'])).code).toBe(2);
    expect((await vedit(box, ['lines', 'a.txt', '1-2', '--delete', '--base', '@'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('three\n');
  });
});

describe('create, rm and mv', () => {
  it('create writes the bytes as given', async () => {
    const box = personRepo();
    await vedit(box, ['create', 'new/x.txt', '-'], { input: '\ufeffa\r\nb' });
    expect(content(box, 'new/x.txt')).toBe('\ufeffa\r\nb');
    await vedit(box, ['create', 'empty.txt', '--text', '']);
    expect(statSync(box.path('empty.txt')).size).toBe(0);
  });

  it('create does not overwrite unless told to', async () => {
    const box = personRepo();
    const refused = await vedit(box, ['create', 'a.txt', '--text', 'x']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/FILE_EXISTS.*send --overwrite/s),
    });
    expect((await vedit(box, ['create', 'a.txt', '--text', 'x', '--overwrite'])).code).toBe(0);
  });

  it('rm takes a file away, and undo brings it back', async () => {
    const box = personRepo();
    expect(await vedit(box, ['rm', 'a.txt'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('delete a.txt (+0 -3)'),
    });
    expect(existsSync(box.path('a.txt'))).toBe(false);
    await vedit(box, ['undo']);
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
  });

  it('rm takes a folder away where that is said, and mv moves one', async () => {
    const box = personRepo();
    box.write('d/x.txt', 'x\n');
    expect(await vedit(box, ['rm', 'd'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/IS_DIRECTORY: d is a folder with 1 file .*send -r/s),
    });
    expect(await vedit(box, ['-C', 'src', 'mv', '../d/', 'd'])).toMatchObject({ code: 0 });
    expect(content(box, 'src/d/x.txt')).toBe('x\n');
    expect((await vedit(box, ['rm', '-r', 'src/d', '-n'])).code).toBe(0);
    expect(await vedit(box, ['rm', '-r', 'src/d', 'a.txt'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('This is the folder src/d: 1 file'),
    });
    expect(existsSync(box.path('src/d'))).toBe(false);
    expect((await vedit(box, ['undo'])).code).toBe(0);
    expect(content(box, 'src/d/x.txt')).toBe('x\n');
  });

  it('mv renames, and does not overwrite unless told to', async () => {
    const box = personRepo();
    expect(await vedit(box, ['mv', 'a.txt', 'src/b.txt'])).toMatchObject({ code: 1 });
    const done = await vedit(box, ['-C', 'src', 'mv', '../a.txt', 'c.txt']);
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining('move a.txt -> src/c.txt (+0 -0)') });
    expect((await vedit(box, ['mv', 'src/c.txt', 'src/b.txt', '--overwrite'])).code).toBe(0);
    expect(content(box, 'src/b.txt')).toBe('one\ntwo\nthree\n');
  });
});
