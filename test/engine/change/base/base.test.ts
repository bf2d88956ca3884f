import { describe, expect, it } from 'vitest';
import type { EditError } from '../../../../src/index.ts';
import { codeOf, personRepo } from '../../../helpers/person-repo.ts';

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => Promise.reject(new Error('was not refused')),
    error => error,
  );
}

describe('base checks', () => {
  const files = { 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'b\n' };

  it('line numbers need a view, a version or a base', async () => {
    const session = await personRepo(files).session();
    const lines = { path: 'a.txt', start_line: 2, end_line: 2, new_content: 'two' };
    const error = await refusal(session.edit('replace_lines', lines));
    expect(error.code).toBe('NOT_VIEWED');
    await session.edit('replace_lines', { ...lines, version: error.data.version as string });
    await session.view({ path: 'a.txt' });
    await session.edit('replace_lines', { ...lines, new_content: 'TWO' });
    await session.edit('replace_lines', { ...lines, new_content: 'zwei', base: '@' });
  });

  it('own edits that move no line keep the view good; those that move lines do not', async () => {
    const session = await personRepo({ 'a.txt': `1\n2\n3\n4\n5\n${'-\n'.repeat(20)}` }).session();
    await session.view({ path: 'a.txt' });
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    await session.edit('replace_lines', { path: 'a.txt', start_line: 3, end_line: 3, new_content: 'three' });
    await session.edit('insert', { path: 'a.txt', insert_line: 1, insert_text: 'new' });
    const error = await refusal(
      session.edit('replace_lines', { path: 'a.txt', start_line: 14, end_line: 14, new_content: 'x' }),
    );
    expect(error.code).toBe('STALE');
    expect(error.message).toMatch(/your own edit, which moved lines/);
    await session.edit('replace_lines', {
      path: 'a.txt',
      start_line: 15,
      end_line: 15,
      new_content: 'four',
      version: error.data.version as string,
    });
  });

  it('a stale answer says what changed, by whom, and what to cite; it is enough for the retry', async () => {
    const repo = personRepo(files);
    const one = await repo.session('one');
    const two = await repo.session('two');
    const version = (await one.view({ path: 'a.txt' })).data.version;
    await two.edit('str_replace', { path: 'a.txt', old_str: '1\n', new_str: '1\n1.5\n' });
    repo.write('a.txt', `${repo.read('a.txt')}by hand\n`);
    const error = await refusal(
      one.edit('insert', { path: 'a.txt', insert_line: 3, insert_text: 'x', version }),
    );
    expect(error).toMatchObject({ code: 'STALE', retryable: true });
    expect(error.data.diff).toContain('+1.5\n');
    expect(error.data.diff).toContain('+by hand\n');
    expect(error.message).toContain('+1.5\n');
    expect(error.data.changed_by).toMatchObject([
      { by: 'outside', commit: null },
      { by: 'another session', session: 'two' },
    ]);
    await one.edit('insert', {
      path: 'a.txt',
      insert_line: 4,
      insert_text: 'x',
      version: error.data.version as string,
    });
    expect(repo.read('a.txt')).toBe('1\n1.5\n2\n3\nx\n4\n5\nby hand\n');
  });

  it('is decided by content: a file that came back to what it was is not stale', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    await session.edit('str_replace', { path: 'a.txt', old_str: '2', new_str: 'two' });
    await session.edit('str_replace', { path: 'a.txt', old_str: 'two', new_str: '2' });
    await session.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: '0', base: '~2' });
    expect(
      await codeOf(session.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: '-1', base: '~2' })),
    ).toBe('STALE');
    await session.edit('str_replace', { path: 'b.txt', old_str: 'b', new_str: 'B', base: '~3' });
  });

  it.each([
    ['base', 'main'],
    ['base', 'HEAD'],
    ['base', '@'],
  ])('%s %s names a commit', async (field, spec) => {
    const session = await personRepo(files).session();
    expect(
      await codeOf(
        session.edit('insert', { path: 'a.txt', insert_line: 0, insert_text: 'x', [field]: spec }),
      ),
    ).toBeNull();
  });

  it('abbreviated ids work, and names of nothing are refused', async () => {
    const repo = personRepo(files);
    const session = await repo.session();
    const commit = repo.git('rev-parse', 'HEAD');
    const blob = repo.git('rev-parse', 'HEAD:a.txt');
    const input = { path: 'a.txt', insert_line: 0, insert_text: 'x', dry_run: true };
    expect(await codeOf(session.edit('insert', { ...input, base: commit.slice(0, 5) }))).toBeNull();
    expect(await codeOf(session.edit('insert', { ...input, version: blob.slice(0, 6) }))).toBeNull();
    for (const bad of [
      { base: 'nope' },
      { base: '~9' },
      { base: '' },
      { version: 'zzzz' },
      { version: '' },
    ]) {
      expect([bad, await codeOf(session.edit('insert', { ...input, ...bad }))]).toEqual([
        bad,
        'INVALID_INPUT',
      ]);
    }
  });
});
