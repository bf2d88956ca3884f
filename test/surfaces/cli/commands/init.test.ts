import { describe, expect, it } from 'vitest';
import { at } from '../../../helpers/real-git.ts';
import { personRepo, plainFolder, vedit, veditJson } from '../../../helpers/vedit.ts';

describe('init', () => {
  it('makes a repository whose branch is the trail', async () => {
    const box = plainFolder();
    const { code, out } = await vedit(box, ['init', 'notes']);
    expect({ code, out }).toEqual({
      code: 0,
      out: `Made an empty repository in ${box.path('notes', '.git')}\n`,
    });
    const { err } = await vedit(box, ['-C', 'notes', 'create', 'a.txt', '--text', 'x\n']);
    expect(err).toMatch(/^\[main \w{7}\] create a\.txt/);
    const notes = at(box.path('notes'));
    expect(notes.git('status', '--porcelain') + notes.git('fsck', '--strict')).toBe('');
    expect(notes.git('log', '--format=%s')).toBe('create a.txt (+1 -0)');
  });

  it('can be bare, and call the branch something else', async () => {
    const box = plainFolder();
    await vedit(box, ['init', '--bare', '-b', 'memory']);
    expect(box.git('symbolic-ref', 'HEAD') + box.git('rev-parse', '--is-bare-repository')).toBe(
      'refs/heads/memorytrue',
    );
    await vedit(box, ['create', 'a.md', '--text', 'x\n']);
    expect((await vedit(box, ['view', 'a.md'])).out).toBe('     1\tx\n');
    expect((await vedit(box, ['-C', 'refs', 'view', 'a.md'])).out).toBe('     1\tx\n');
  });

  it('leaves a repository that is there as it is', async () => {
    const box = personRepo();
    const before = box.git('config', '--list');
    const answer = await veditJson(box, ['init']);
    expect(answer).toMatchObject({
      exit: 0,
      ok: true,
      data: { created: false },
      message: expect.stringContaining('already'),
    });
    expect(box.git('config', '--list')).toBe(before);
  });

  it('refuses a name that no branch can have', async () => {
    expect(await veditJson(plainFolder(), ['init', '-b', 'a..b'])).toMatchObject({
      exit: 1,
      code: 'INVALID_INPUT',
    });
  });
});
