import { describe, expect, it } from 'vitest';
import type { PendingChange } from '../../../src/index.ts';
import { codeOf, personRepo } from '../../helpers/person-repo.ts';

const FILES = { 'a.ts': 'one\n', 'b.ts': 'b\n' };
const EDIT = ['str_replace', { path: 'a.ts', old_str: 'one', new_str: 'two' }] as const;

describe('approve', () => {
  it('is asked once with the diff, and may deny or add a note', async () => {
    const repo = personRepo(FILES);
    const asked: PendingChange[] = [];
    const approve = (change: PendingChange) => {
      asked.push(change);
      return asked.length === 1 ? { deny: 'Not like that.' } : { note: 'seen by Ada' };
    };
    const session = await repo.session('s1', { approve });
    expect(await codeOf(session.edit(...EDIT))).toBe('DENIED');
    const { data } = await session.edit(...EDIT);
    expect(asked.map(({ diff }) => diff.includes('+two'))).toEqual([true, true]);
    expect(repo.git('show', '-s', '--format=%s', data.commit!)).toBe('seen by Ada (a.ts)');
  });

  it('holds nobody else up, however long it takes', async () => {
    const repo = personRepo(FILES);
    const other = await repo.session('other');
    const approve = async (): Promise<null> => {
      await other.edit('create', { path: 'c.ts', file_text: 'c\n' });
      return null;
    };
    const session = await repo.session('s1', { approve });
    await session.edit(...EDIT);
    expect([repo.read('a.ts'), repo.read('c.ts')]).toEqual(['two\n', 'c\n']);
  });

  it('is asked about again after STALE, and nothing of the meantime is lost', async () => {
    const repo = personRepo(FILES);
    let times = 0;
    const approve = (): null => {
      if (times++ === 0) repo.write('a.ts', 'zero\none\n');
      return null;
    };
    const session = await repo.session('s1', { approve });
    const error = await session.edit(...EDIT).catch(one => one);
    expect([error.code, error.retryable, error.data.path]).toEqual(['STALE', true, 'a.ts']);
    expect(repo.read('a.ts')).toBe('zero\none\n');
    await session.edit(...EDIT);
    expect([repo.read('a.ts'), times]).toEqual(['zero\ntwo\n', 2]);
  });

  it('is not asked about dry runs, repeated calls and records', async () => {
    const repo = personRepo(FILES);
    let times = 0;
    const session = await repo.session('s1', { approve: () => void times++ });
    await session.edit(EDIT[0], { ...EDIT[1], dry_run: true });
    await session.edit(EDIT[0], { ...EDIT[1], edit_id: 'e1' });
    expect((await session.edit(EDIT[0], { ...EDIT[1], edit_id: 'e1' })).data.repeated).toBe(true);
    repo.write('b.ts', 'changed\n');
    await session.record(['b.ts']);
    expect(times).toBe(1);
  });

  it('that is cancelled while it waits changes nothing', async () => {
    const repo = personRepo(FILES);
    const stop = new AbortController();
    let go = (): void => {};
    const waits = new Promise<null>(resolve => {
      go = () => resolve(null);
    });
    const session = await repo.session('s1', { approve: () => waits });
    const call = session.edit(...EDIT, { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(call).rejects.toThrow('enough');
    go();
    await repo.close();
    expect(repo.read('a.ts')).toBe('one\n');
  });
});
