import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { content, personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

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
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^\[dry run, nothing written\] undo src\/new\.txt \(\+0 -1\)\ntook back \w{7} create src\/new\.txt /,
      ),
    });
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

describe('revert', () => {
  it('takes one edit out and keeps the later ones', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'one', 'ONE']);
    await vedit(box, ['replace', 'a.txt', 'three', 'THREE']);
    const first = box.git('rev-parse', '--short', 'vedit/main~1');
    expect(await vedit(box, ['revert', first, '-m', 'not so loud'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('-ONE\n+one\n'),
      err: expect.stringMatching(/^\[vedit\/main \w{7}\] revert a\.txt \(\+1 -1\)\ntook back .*\n$/),
    });
    expect(content(box, 'a.txt')).toBe('one\ntwo\nTHREE\n');
    expect(box.git('log', '-1', '--format=%b', 'vedit/main')).toMatch(/^not so loud\n\nVedit-Op: revert\n/);
    expect(await veditJson(box, ['revert', first])).toMatchObject({ exit: 1, code: 'NO_CHANGE' });
  });

  it('says what it would do, and where later text is in the way', async () => {
    const box = await edited();
    expect((await vedit(box, ['revert', '~1', '-n'])).out).toContain('-TWO\n+two\n');
    await vedit(box, ['replace', 'a.txt', 'TWO', 'zwei']);
    const answer = await veditJson(box, ['revert', '~2']);
    expect(answer).toMatchObject({ exit: 3, code: 'CONFLICT', data: { conflicts: [{ path: 'a.txt' }] } });
    expect(content(box, 'a.txt')).toBe('ONE\nzwei\nthree\n');
  });
});

describe('restore', () => {
  it('makes one file what it was, relative to where it runs', async () => {
    const box = await edited();
    await vedit(box, ['rm', 'src/b.txt']);
    expect((await vedit(box, ['-C', 'src', 'restore', 'b.txt', '--at', 'main', '-n'])).out).toContain(
      '+x = 1\n',
    );
    expect(existsSync(box.path('src/b.txt'))).toBe(false);
    expect((await vedit(box, ['-C', 'src', 'restore', 'b.txt', '--at', 'main'])).code).toBe(0);
    expect(content(box, 'src/b.txt')).toBe('x = 1\ny = 1\n');
    expect((await vedit(box, ['restore', 'a.txt', '--at', '~4'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
  });

  it('brings back what git reset and git clean took, after a list of it', async () => {
    const box = personRepo();
    await vedit(box, ['replace', 'a.txt', 'two', 'TWO']);
    for (const path of ['src/new.txt', 'new.txt']) await vedit(box, ['create', path, '--text', 'new']);
    box.git('reset', '-q', '--hard');
    box.git('clean', '-fdq');
    expect((await vedit(box, ['status'])).out).toContain(
      '\n3 files of the history are gone, or as HEAD has them: vedit restore --missing brings them back (-n shows them)\n',
    );
    const list = await vedit(box, ['restore', '--missing', '-n']);
    expect([list.code, list.err]).toEqual([
      0,
      '  modify a.txt (+1 -1)\n  create new.txt (+1 -0)\n  create src/new.txt (+1 -0)\n[dry run, nothing written] restore 3 files (+3 -1)\n',
    ]);
    expect(existsSync(box.path('new.txt'))).toBe(false);
    expect((await vedit(box, ['-C', 'src', 'restore', '.'])).err).toContain('restore src/new.txt (+1 -0)');
    expect(existsSync(box.path('new.txt'))).toBe(false);
    expect((await vedit(box, ['restore', '--missing', 'src', 'a.txt'])).code).toBe(0);
    expect((await vedit(box, ['-C', 'src', 'restore', '--missing'])).code).toBe(0);
    expect([content(box, 'a.txt'), content(box, 'new.txt')]).toEqual(['one\nTWO\nthree\n', 'new']);
    expect(await vedit(box, ['restore', '--missing'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^vedit: NO_CHANGE: Nothing of what \w{12} holds in \. is lost: /),
    });
  });

  it('refuses a file that was not there', async () => {
    const answer = await veditJson(await edited(), ['restore', 'gone.txt', '--at', 'main']);
    expect(answer).toMatchObject({ exit: 1, code: 'FILE_NOT_FOUND' });
  });
});

describe('after a commit of the person', () => {
  it('~N is the same edit to readers and ways back', async () => {
    const box = await edited();
    box.git('commit', '-q', '--allow-empty', '-m', 'empty');
    const shown = await veditJson<{ commit: string }>(box, ['show', '~1']);
    await vedit(box, ['revert', '~1']);
    expect(box.git('log', '-1', '--format=%(trailers:key=Vedit-Undoes,valueonly)', 'vedit/main').trim()).toBe(
      shown.data.commit,
    );
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
  });
});

describe('--base and --version-of', () => {
  it.each([
    ['undo', []],
    ['redo', []],
    ['revert', ['vedit/main~4']],
    ['rollback', ['main']],
    ['restore', ['a.txt', '--at', 'main']],
  ])('of %s refuse what was decided on another state, with what came since', async (command, args) => {
    const box = await edited();
    await vedit(box, ['undo', '--session', 's2']);
    const base = box.git('rev-parse', '--short', 'vedit/main');
    const version = box.git('rev-parse', 'vedit/main:a.txt');
    await vedit(box, ['replace', 'a.txt', 'three', 'drei', '--session', 's2', '--agent', 'codex']);
    const before = content(box, 'a.txt');
    const refused = await vedit(box, [command, ...args, '--base', base]);
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('(codex, session s2)') });
    expect(refused.err).not.toMatch(/\bversion\b "|hint:/);
    if (command !== 'redo')
      expect(await vedit(box, [command, ...args, '--version-of', version])).toMatchObject({
        code: 3,
        err: expect.stringMatching(/STALE: a\.txt changed since version .*by codex/),
      });
    expect(content(box, 'a.txt')).toBe(before);
    if (command !== 'redo') expect((await vedit(box, [command, ...args, '--base', '@', '-n'])).code).toBe(0);
  });
});

describe('rollback --with-others', () => {
  it('takes back what other sessions edited, which ~N with --session alone does not', async () => {
    const box = await edited();
    const refused = await vedit(box, ['rollback', '~2', '--session', 's1']);
    expect(refused).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        / str_replace a\.txt \(\+1 -1\) \(session s2\)[\s\S]*To take back all of this, give --with-others\.\n$/,
      ),
    });
    await vedit(box, ['rollback', '~2', '--session', 's1', '--with-others']);
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
  });

  it('a person who names no session means everybody’s', async () => {
    const box = await edited();
    expect((await vedit(box, ['rollback', '~2'])).code).toBe(0);
    expect(content(box, 'a.txt')).toBe('ONE\ntwo\nthree\n');
  });
});

describe('--edit-id', () => {
  it.each([
    ['undo', []],
    ['rollback', ['main']],
    ['revert', ['~1']],
    ['restore', ['a.txt', '--at', 'main']],
  ])('makes %s safe to repeat', async (command, args) => {
    const box = await edited();
    const once = await veditJson<{ commit: string }>(box, [command, ...args, '--edit-id', 'call-7']);
    const again = await veditJson<{ commit: string }>(box, [command, ...args, '--edit-id', 'call-7']);
    expect(again).toMatchObject({ ok: true, data: { commit: once.data.commit, repeated: true } });
    expect(box.git('rev-list', '--count', 'main..vedit/main')).toBe('4');
  });

  it('also of redo, and the repetition is told', async () => {
    const box = await edited();
    await vedit(box, ['undo', '2']);
    await vedit(box, ['redo', '--edit-id', 'r1']);
    expect((await vedit(box, ['redo', '--edit-id', 'r1'])).err).toContain('nothing was done again');
    expect(content(box, 'a.txt')).toBe('ONE\nTWO\nthree\n');
  });
});
