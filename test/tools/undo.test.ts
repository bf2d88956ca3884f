import { describe, expect, it } from 'vitest';
import { calls, EDIT, keepsTheContract } from './calls.ts';

describe('undo', () => {
  it('keeps the contract of tools', () => keepsTheContract('undo', false));

  it('takes the own edits back, and says when there is nothing', async () => {
    const { done, refused, read } = await calls();
    await done('str_replace', EDIT);
    expect(await done('undo', {})).toMatchObject({ op: 'undo', paths: [{ path: 'a.txt' }] });
    expect(read('a.txt')).toBe('1\n2\n3\n4\n5\n');
    expect(await refused('undo', { count: 2 })).toBe('NO_CHANGE');
    expect(await refused('undo', { count: 0 })).toBe('INVALID_INPUT');
  });

  it('of two edits that cancel each other out takes back no third one', async () => {
    const { done, call, read } = await calls();
    await done('str_replace', { ...EDIT, old_str: '4', new_str: 'four' });
    await done('str_replace', EDIT);
    await done('str_replace', { ...EDIT, old_str: 'two', new_str: '2' });
    const answer = await call('undo', { count: 2 });
    expect(answer).toMatchObject({ code: 'NO_CHANGE', message: expect.stringContaining('fewer, or more') });
    expect(read('a.txt')).toBe('1\n2\n3\nfour\n5\n');
    await done('undo', { count: 3 });
    expect(read('a.txt')).toBe('1\n2\n3\n4\n5\n');
  });

  it('sent twice with one edit_id undoes once', async () => {
    const { done, read } = await calls();
    await done('str_replace', EDIT);
    await done('str_replace', { ...EDIT, old_str: '4', new_str: 'four' });
    await done('undo', { edit_id: 'u1' });
    expect(await done('undo', { edit_id: 'u1' })).toMatchObject({ repeated: true });
    expect(read('a.txt')).toBe('1\ntwo\n3\n4\n5\n');
  });

  it('of a path that no edit was of names the path on the trail that was meant', async () => {
    const { done, call } = await calls();
    await done('create', { path: 'src/app.js', file_text: 'x\n' });
    await done('delete', { path: 'src/app.js' });
    for (const tool of ['undo', 'redo']) {
      const wrong = await call(tool, { path: 'src/aap.js' });
      expect(wrong).toMatchObject({
        code: 'FILE_NOT_FOUND',
        message:
          'No edit of this history is of src/aap.js, and there is no such file. Did you mean src/app.js?',
        data: { path: 'src/aap.js', suggestion: 'src/app.js' },
      });
      const nowhere = await call(tool, { path: 'zz/qq.py' });
      expect(nowhere).toMatchObject({
        code: 'FILE_NOT_FOUND',
        message: expect.stringContaining('log lists the edits with their paths'),
      });
      // A file that is there, and that nobody edited, has nothing to take back.
      expect(await call(tool, { path: 'b.txt' })).toMatchObject({ code: 'NO_CHANGE' });
    }
  });

  it('of a folder takes back edits of what is in it', async () => {
    const { done, refused, read } = await calls();
    await done('create', { path: 'src/lib/x.js', file_text: 'x\n' });
    await done('str_replace', EDIT);
    expect(await done('undo', { path: 'src' })).toMatchObject({ paths: [{ path: 'src/lib/x.js' }] });
    expect(read('a.txt')).toBe('1\ntwo\n3\n4\n5\n');
    expect(await refused('undo', { path: 'src/' })).toBe('NO_CHANGE');
    expect(await done('redo', { path: 'src' })).toMatchObject({ paths: [{ path: 'src/lib/x.js' }] });
  });
});
