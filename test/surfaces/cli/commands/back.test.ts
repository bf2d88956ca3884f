import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../git/real-git.ts';
import { content, personRepo, vedit, veditJson } from '../run.ts';

async function edited(): Promise<Sandbox> {
  const box = personRepo();
  await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--session', 's1']);
  await vedit(box, ['replace', 'a.txt', 'two', 'TWO', '--session', 's2']);
  await vedit(box, ['create', 'src/new.txt', '--text', 'x', '--session', 's1']);
  return box;
}

describe('undo and redo', () => {
  it('go through the whole history', async () => {
    const box = await edited();
    expect(await vedit(box, ['undo', '2'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('undo 2 files'),
    });
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
    expect(existsSync(box.path('src/new.txt'))).toBe(false);
    await vedit(box, ['redo']);
    expect(content(box, 'a.txt')).toBe('ONE\nTWO\nthree\n');
  });

  it('with a session, through its edits alone', async () => {
    const box = await edited();
    await vedit(box, ['undo', '--session', 's2']);
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
    expect(existsSync(box.path('src/new.txt'))).toBe(true);
    expect((await vedit(box, ['undo', '--session', 's2'])).code).toBe(1);
  });

  it('say what they would do', async () => {
    const box = await edited();
    const { code, out, err } = await vedit(box, ['undo', '-n']);
    expect({ code, err }).toEqual({ code: 0, err: '[dry run, nothing written] undo src/new.txt (+0 -1)\n' });
    expect(out).toContain('deleted file');
    expect(existsSync(box.path('src/new.txt'))).toBe(true);
  });

  it('refuse more than there is, with the number', async () => {
    const answer = await veditJson(await edited(), ['undo', '9']);
    expect(answer).toMatchObject({ exit: 1, code: 'NO_CHANGE', data: { available: 3 } });
  });
});

describe('rollback', () => {
  it('makes edited files what they were, and leaves the others', async () => {
    const box = await edited();
    box.write('src/b.txt', 'mine\n');
    const { code, err } = await vedit(box, ['rollback', 'main', '-m', 'start over']);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('rollback 2 files') });
    expect(box.git('status', '--porcelain')).toBe('M src/b.txt'.padStart(12));
    await vedit(box, ['undo']);
    expect(content(box, 'a.txt')).toBe('ONE\nTWO\nthree\n');
  });

  it('takes paths, relative to where it runs', async () => {
    const box = await edited();
    await vedit(box, ['-C', 'src', 'rollback', 'main', '.']);
    expect(existsSync(box.path('src/new.txt'))).toBe(false);
    expect(content(box, 'a.txt')).toBe('ONE\nTWO\nthree\n');
    await vedit(box, ['-C', 'src', 'rollback', 'main', '..', '-n']);
    await vedit(box, ['rollback', 'main', '.']);
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
  });
});
