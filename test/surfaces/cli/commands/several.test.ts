import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { content, personRepo, vedit } from '../../../helpers/vedit.ts';

describe('several files', () => {
  it('are deleted, and come back, as one commit or not at all', async () => {
    const box = personRepo();
    expect(await vedit(box, ['rm', 'a.txt', 'nope.txt'])).toMatchObject({ code: 1 });
    expect(existsSync(box.path('a.txt'))).toBe(true);
    expect(await vedit(box, ['rm', 'a.txt', 'src/b.txt'])).toMatchObject({ code: 0 });
    expect(existsSync(box.path('a.txt')) || existsSync(box.path('src/b.txt'))).toBe(false);
    const both = ['restore', 'a.txt', 'src/b.txt', '--at', 'main'];
    expect(await vedit(box, [...both, 'nope.txt'])).toMatchObject({ code: 1 });
    expect(await vedit(box, [...both, '-n'])).toMatchObject({ code: 0 });
    expect(existsSync(box.path('a.txt'))).toBe(false);
    expect(await vedit(box, [...both, '-m', 'missed', '--edit-id', 'e1'])).toMatchObject({
      code: 0,
      err: expect.stringContaining('restore 2 files'),
    });
    expect(content(box, 'a.txt')).toBe('one\ntwo\nthree\n');
    expect(box.git('rev-list', '--count', 'main..vedit/main')).toBe('2');
    expect(box.git('log', '-1', '--format=%b', 'vedit/main')).toMatch(/^missed\n.*^Vedit-Edit-Id: e1$/ms);
  });

  it('have no one version', async () => {
    const box = personRepo();
    for (const args of [['rm'], ['restore', '--at', 'main']]) {
      const { code, err } = await vedit(box, [...args, 'a.txt', 'src/b.txt', '--version-of', '1234567']);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('name one file') });
    }
  });
});

describe('an undo', () => {
  it('says which edit of whom it took back, and a redo which it put back', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE', '--agent', 'fixer', '-m', 'it shouts']);
    const id = box.git('rev-parse', '--short=7', 'vedit/main');
    const what = `${id} it shouts (a.txt), by fixer`;
    expect((await vedit(box, ['undo', '-n'])).err).toContain(`took back ${what}`);
    expect((await vedit(box, ['undo'])).err).toMatch(/, by fixer \d{4}-\d\d-\d\d [\d:]{8} \+0000\n$/);
    expect((await vedit(box, ['redo'])).err).toContain(`put back ${what}`);
  });

  it('takes one edit that is named, or the last of a file', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE']);
    const first = box.git('rev-parse', '--short=7', 'vedit/main');
    await vedit(box, ['replace', 'src/b.txt', 'x = 1', 'x = 2']);
    await vedit(box, ['replace', 'a.txt', 'three', 'THREE']);
    expect(await vedit(box, ['undo', first])).toMatchObject({ code: 0 });
    expect(content(box, 'a.txt')).toBe('one\ntwo\nTHREE\n');
    expect(await vedit(box, ['undo', 'src/b.txt'])).toMatchObject({ code: 0 });
    expect(content(box, 'src/b.txt')).toBe('x = 1\ny = 1\n');
    expect(await vedit(box, ['undo', '~1', '--path', 'a.txt'])).toMatchObject({ code: 2 });
  });

  it('takes a name that looks like an id for the file of that name, unless an edit has that id', async () => {
    const box = personRepo();
    await vedit(box, ['create', 'face', '--text', 'one\n']);
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE']);
    expect(await vedit(box, ['undo', 'face'])).toMatchObject({ code: 0 });
    expect(existsSync(box.path('face'))).toBe(false);
    const id = box.git('rev-parse', '--short=7', 'vedit/main~1');
    await vedit(box, ['create', id, '--text', 'one\n']);
    const { code, err } = await vedit(box, ['undo', id]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`vedit revert ${id}`) });
    expect(await vedit(box, ['undo', `./${id}`])).toMatchObject({ code: 0 });
    expect(existsSync(box.path(id))).toBe(false);
    expect(await vedit(box, ['undo', id])).toMatchObject({ code: 0 });
    expect(content(box, 'a.txt')).toContain('one');
  });
});
