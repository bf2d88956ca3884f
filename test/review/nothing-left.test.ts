/** A path that names nothing to review: the refusal says why, and what there is. */

import { describe, expect, it } from 'vitest';
import type { EditError } from '../../src/index.ts';
import { ownRepo, personRepo } from '../helpers/person-repo.ts';
import { vedit, veditJson } from '../helpers/vedit.ts';

const LINES = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join('');
const ADA = { name: 'Ada', email: 'ada@example.com' };

async function scene(repository: typeof personRepo) {
  const repo = repository({ 'a.txt': LINES, 'src/auth.js': 'one\ntwo\n', 'src/other.js': 'other\n' });
  const workspace = await repo.open({ user: ADA });
  const session = workspace.session({ id: 's1', agent: 'claude' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 5\n', new_str: 'five\n' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'line 9\n', new_str: 'nine\n' });
  await session.edit('str_replace', { path: 'src/auth.js', old_str: 'two\n', new_str: '2\n' });
  const refs = (): string => repo.git('for-each-ref');
  return { repo, workspace, session, refs };
}

const TO_REVIEW = [
  { path: 'a.txt', lines: { start_line: 5, end_line: 5 } },
  { path: 'a.txt', lines: { start_line: 9, end_line: 9 } },
  { path: 'src/auth.js', lines: { start_line: 2, end_line: 2 } },
];

async function refusal(call: Promise<unknown>): Promise<EditError> {
  return call.then(
    () => expect.fail('nothing was refused'),
    error => error,
  );
}

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('a review of a trail %s', (_, repository) => {
  it('says that there is no such path, what was meant, and where there are hunks', async () => {
    const { workspace, refs } = await scene(repository);
    const before = refs();
    for (const call of [
      (path: string) => workspace.review({ path }),
      (path: string) => workspace.accept({ path }),
      (path: string) => workspace.accept({ path, lines: { start_line: 1, end_line: 2 } }),
      (path: string) => workspace.reject({ path }),
    ]) {
      const near = await refusal(call('src/auht.js'));
      expect(near).toMatchObject({
        code: 'FILE_NOT_FOUND',
        message:
          'No edit of this history is of src/auht.js, and there is no such file. Did you mean src/auth.js? Left to review: a.txt, src/auth.js. Nothing was done.',
        data: { path: 'src/auht.js', suggestion: 'src/auth.js', to_review: TO_REVIEW },
      });
      expect(await refusal(call('scr/nope'))).toMatchObject({
        code: 'FILE_NOT_FOUND',
        message: expect.stringContaining('Left to review: a.txt, src/auth.js.'),
        data: { suggestion: null, to_review: TO_REVIEW },
      });
    }
    expect(refs()).toBe(before);
  });

  it('says of a file without hunks, and of other lines, where there are some', async () => {
    const { workspace, session, refs } = await scene(repository);
    const before = refs();
    expect((await workspace.review({ path: 'src/other.js' })).data.hunks).toEqual([]);
    for (const call of [workspace.accept.bind(workspace), workspace.reject.bind(workspace)]) {
      expect(await refusal(call({ path: 'src/other.js' }))).toMatchObject({
        code: 'NO_CHANGE',
        message:
          'Nothing in src/other.js is to review: no agent edited it, or all of it was accepted, rejected or taken back. Left to review: a.txt, src/auth.js. Nothing was done.',
        data: { path: 'src/other.js', to_review: TO_REVIEW },
      });
      expect(await refusal(call({ path: 'a.txt', lines: { start_line: 20, end_line: 21 } }))).toMatchObject({
        code: 'NO_CHANGE',
        message:
          'Nothing in a.txt at lines 20-21 is to review: no agent edited it, or all of it was accepted, rejected or taken back. Left to review in it: line 5, line 9. Nothing was done.',
        data: { path: 'a.txt', to_review: TO_REVIEW.slice(0, 2) },
      });
    }
    expect(refs()).toBe(before);
    await workspace.accept({ all: true });
    expect(await refusal(workspace.reject({ path: 'a.txt' }))).toMatchObject({
      message: expect.stringContaining('Nothing is left to review. Nothing was done.'),
      data: { to_review: [] },
    });
    expect(await refusal(workspace.accept({ all: true }))).toMatchObject({ code: 'NO_CHANGE' });
    await session.edit('delete', { path: 'a.txt' });
    await workspace.accept({ path: 'a.txt' });
    // It is gone, but edits are of it.
    expect(await refusal(workspace.accept({ path: 'a.txt' }))).toMatchObject({ code: 'NO_CHANGE' });
    expect((await workspace.review({ path: 'a.txt' })).data.hunks).toEqual([]);
  });

  it('says of a folder which of its files can be rejected', async () => {
    const { workspace } = await scene(repository);
    const lines = { start_line: 1, end_line: 2 };
    for (const call of [
      () => workspace.reject({ path: 'src' }),
      () => workspace.accept({ path: 'src', lines }),
    ])
      expect(await refusal(call())).toMatchObject({
        code: 'IS_DIRECTORY',
        message:
          'src is a folder, and this is done file by file. Left to review in it: src/auth.js. Nothing was done.',
        data: { path: 'src', to_review: TO_REVIEW.slice(2) },
      });
  });
});

it('the command line says the same, and exits with 1', async () => {
  const { repo } = await scene(personRepo);
  await repo.close();
  for (const how of [['accept'], ['reject'], ['review', '--list']]) {
    const { code, out, err } = await vedit(repo, [...how, 'src/auht.js']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('Did you mean src/auth.js? Left to review: a.txt, src/auth.js.');
    expect(await veditJson(repo, [...how, 'src/auht.js'])).toMatchObject({
      ok: false,
      code: 'FILE_NOT_FOUND',
      data: { suggestion: 'src/auth.js', to_review: TO_REVIEW },
    });
  }
});
