import { describe, expect, it } from 'vitest';
import type { ToldEdit } from '../../../src/engine/change/record-options.ts';
import { textsBefore } from '../../../src/engine/change/recorded-versions.ts';
import { openWorkspace } from '../../../src/workspace/open.ts';
import { content, personRepo } from '../../helpers/vedit.ts';

/** Without a text that is there now the words alone count. */
const texts = (told: ToldEdit, recorded: string | null, present?: string | null): unknown => {
  const given = present === undefined ? ({ ...told, left: 'unknown' } as const) : told;
  return textsBefore(given, { path: 'src/a.ts', recorded, present });
};

const step = (old: string, now: string, all = false): ToldEdit => ({ steps: [{ old, new: now, all }] });

describe('what a tool tells', () => {
  it('is believed where it tells whole texts', () => {
    expect(texts({ original: 'a\n', result: 'b\n' }, 'x')).toEqual({ was: 'a\n', became: 'b\n' });
    expect(texts({ original: null, result: 'b\n' }, null)).toEqual({ was: null, became: 'b\n' });
    expect(texts({ original: 'a b\n', ...step('a', 'c') }, 'x')).toEqual({ was: 'a b\n', became: 'c b\n' });
  });

  it('is done on what is recorded where it tells no text before it', () => {
    expect(texts(step('a', 'c'), 'a b\n', 'c d\n')).toEqual({ was: 'a b\n', became: 'c b\n' });
    expect(texts(step('a', 'c', true), 'a a\n')).toEqual({ was: 'a a\n', became: 'c c\n' });
    expect(texts(step('', 'new\n'), null)).toEqual({ was: null, became: 'new\n' });
    expect(texts({ result: 'b\n' }, 'a\n')).toEqual({ was: 'a\n', became: 'b\n' });
  });

  it('is undone in the file where it does not fit there', () => {
    expect(texts(step('typed', 'c'), 'a\n', 'c\n')).toEqual({ was: 'typed\n', became: 'c\n' });
  });

  it('tells nothing where it fits at several places, or at none', () => {
    expect(texts(step('a', 'c'), 'a a\n', 'c c\n')).toBe(null);
    expect(texts(step('a', 'c'), 'x\n', 'y\n')).toBe(null);
    expect(texts({ original: 'x\n', ...step('a', 'c') }, 'a\n', 'y\n')).toBe(null);
  });

  it.each<[what: string, told: ToldEdit, recorded: string | null, present: string | null]>([
    ['held', step('b', 'B'), 'a\nb\nc\n', 'a\nb\nc\n'],
    ['held, and somebody typed elsewhere', step('b', 'B'), 'a\nb\nc\n', 'a\nb\nc\ntyped\n'],
    ['held, of line ends of Windows', step('b', 'B'), 'a\r\nb\r\nc\r\n', 'typed\r\na\r\nb\r\nc\r\n'],
    ['a whole text, held', { result: 'all\nnew\n' }, 'a\nb\n', 'a\nb\ntyped\n'],
    ['of another file', { result: 'x\ny\nz\n' }, 'a\nb\nc\n', 'a\ntyped\nb\nc\n'],
    ['lines that were put in, and are not there', step('b\n', 'b\nnew\n'), 'a\nb\nc\n', 'a\nb\ntyped\nc\n'],
    ['recorded already', step('b\n', 'b\nnew\n'), 'a\nb\nnew\nc\n', 'a\nb\nnew\nc\ntyped\n'],
    ['a deletion of what is there', { result: null }, 'a\n', 'a\ntyped\n'],
    ['a file that is not there', { original: null, result: 'a\n' }, null, null],
  ])('is nothing where the file does not bear it out: %s', (_, told, recorded, present) => {
    const found = texts(told, recorded, present) as { was: unknown; became: unknown };
    expect(found.became).toBe(found.was);
  });

  it('is what the file bears out of it, and all of it where another formatted it since', () => {
    expect(texts({ original: 'a\nb\nc\n', result: 'A\nb\nC\n' }, 'a\nb\nc\n', 'A\nb\nc\n')).toEqual({
      was: 'a\nb\nc\n',
      became: 'A\nb\nc\n',
    });
    const became = 'a\nf( x )\nb\n';
    expect(texts(step('a\n', 'a\nf( x )\n'), 'a\nb\n', 'a\nf(x);\nb\n')).toEqual({ was: 'a\nb\n', became });
  });

  it('is of the text that the tool found, where another formatted all of it since', () => {
    const original = 'a = "1"\nsed = "2"\n';
    expect(texts({ original, ...step('a = "1"', 'A = "1"') }, 'a = "1"\n', "A = '1'\nsed = '2'\n")).toEqual({
      was: original,
      became: 'A = "1"\nsed = "2"\n',
    });
  });

  it('of long ago is nothing, though the file is another since', () => {
    const told = { original: 'a\nb\n', result: 'a\nB\n' };
    const found = texts(told, 'a\nB\nother\n', 'a\nB\nother\ntyped\n');
    expect(found).toEqual({ was: 'a\nB\nother\n', became: 'a\nB\nother\n' });
    expect(texts(step('b', 'B'), 'a\nB\nother\n', 'a\nB\nother\ntyped\n')).toBe(null);
  });

  it('is read from a patch of several files', () => {
    const patch =
      '*** Begin Patch\n*** Update File: src/a.ts\n@@\n a\n-b\n+c\n*** Add File: b.ts\n+x\n*** End Patch\n';
    expect(texts({ patch }, 'a\nb\n')).toEqual({ was: 'a\nb\n', became: 'a\nc\n' });
    expect(textsBefore({ patch }, { path: 'b.ts', recorded: null, present: 'x\n' })).toEqual({
      was: null,
      became: 'x\n',
    });
    expect(texts({ patch: patch.replace('Update File: src/a.ts', 'Delete File: src/a.ts') }, 'a\n')).toEqual({
      was: 'a\n',
      became: null,
    });
    expect(texts({ patch }, 'other\n')).toBe(null);
  });
});

describe('a record with what the tool told', () => {
  it('is exactly the edit, whoever wrote before and after it, and is made once', async () => {
    const box = personRepo();
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'fixer', id: 's1' });
    const record = (told: ToldEdit) => session.record(['a.txt'], { op: 'Edit', callId: 'c1', told });
    box.write('a.txt', 'typed before\nTWO\nthree\ntyped after\n');
    const told = { original: 'typed before\ntwo\nthree\n', ...step('two', 'TWO') };
    const { data } = await record(told);
    expect(box.git('show', '--format=%an %s', data.commit!)).toMatch(
      /^fixer Edit a.txt \(\+1 -1\)[\s\S]*@@\n typed before\n-two\n\+TWO\n three$/,
    );
    expect(box.git('show', '--format=%an', `${data.commit}^`)).toMatch(/-one\n\+typed before\n/);
    await session.record(['a.txt'], { outside: true });
    expect(box.git('show', '--format=%an', 'vedit/main')).toMatch(/\+typed after$/);
    const repeated = await record(told);
    expect(repeated.data).toMatchObject({ repeated: true, commit: data.commit });
    expect(box.git('rev-list', '--count', 'vedit/main')).toBe('4');
    expect(content(box, 'a.txt')).toBe('typed before\nTWO\nthree\ntyped after\n');
  });

  it('of which nobody can tell what is the tool’s is nobody’s', async () => {
    const box = personRepo();
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'fixer', id: 's1' });
    box.write('a.txt', 'all new\n');
    await session.record(['a.txt'], { op: 'Edit', callId: 'c1', told: step('gone', 'TWO') });
    const during = box.git('log', '-1', '--format=%an|%(trailers:key=Vedit-During,valueonly)', 'vedit/main');
    expect(during.trim()).toBe('outside|fixer c1 Edit');
  });

  it('keeps the line ends and the byte order mark that the file has', async () => {
    const box = personRepo();
    box.git('config', 'core.autocrlf', 'false');
    box.write('w.txt', '\ufeffone\r\nTWO\r\n');
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'fixer', id: 's1' });
    await session.record(['w.txt'], { told: { original: 'one\ntwo\n', ...step('two', 'TWO') } });
    expect(box.git('rev-parse', 'vedit/main:w.txt')).toBe(box.git('hash-object', 'w.txt'));
    expect(box.git('show', '--format=', '--numstat', 'vedit/main')).toBe('1\t1\tw.txt');
  });

  it('leaves git’s index right where the branch is the trail, whatever the file holds by now', async () => {
    const box = personRepo();
    box.git('config', 'vedit.trail', 'HEAD');
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'fixer', id: 's1' });
    box.write('a.txt', 'one\nTWO\nthree\nlater\n');
    await session.record(['a.txt'], { told: { original: 'one\ntwo\nthree\n', ...step('two', 'TWO') } });
    expect(box.git('status', '--porcelain')).toBe(' M a.txt');
    expect(box.git('diff', '--numstat')).toBe('1\t0\ta.txt');
  });

  it('is about one file', async () => {
    const box = personRepo();
    await using workspace = await openWorkspace({ root: box.dir });
    const session = workspace.session({ agent: 'fixer', id: 's1' });
    await expect(session.record(['a.txt', 'src/b.txt'], { told: {} })).rejects.toThrow(/one file/);
  });
});
