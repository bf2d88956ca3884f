/** OpenAI's operations: the type says what is done, and no other field does. */

import { expect, it } from 'vitest';
import { runPatchOperation } from '../../../src/tools/dialects/patch-operation.ts';
import { personRepo } from '../../helpers/person-repo.ts';

const path = 'a.txt';

it.each([
  [{ type: 'update_file', path, operation: 'delete_file' }, 'no field `operation`'],
  [{ type: 'update_file', path, diff: '@@\n-a\n+b\n', mode: 'delete' }, 'no field `mode`'],
  [{ type: 'update_file', path, action: 'delete' }, 'no field `action`'],
  [{ type: 'delete_file', path, patch: '*** Begin Patch' }, 'no field `patch`'],
  [{ type: 'update_file', diff: '@@\n-a\n+b\n' }, '`path` is required'],
  [{ type: 'create_file', path: 'b.txt' }, 'diff is missing'],
  [{ type: 'erase_file', path }, 'no operation "erase_file"'],
])('refuses %j', async (operation, words) => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const result = await runPatchOperation(await repo.session(), operation);
  expect(result).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
  expect(result.message).toContain(words);
  expect(repo.git('status', '--short')).toBe('');
});

it.each([null, undefined, 'update_file', 7, [{ type: 'delete_file', path }]])(
  'refuses %j, which is not an object',
  async operation => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const result = await runPatchOperation(await repo.session(), operation);
    expect(result).toMatchObject({ ok: false, code: 'INVALID_INPUT' });
    expect(result.message).toContain('The operation must be an object with type, path and diff.');
    expect(repo.read(path)).toBe('a\n');
  },
);

it.each([{ moveTo: 'b.txt' }, { move_to: 'b.txt' }])('moves a file by %j', async target => {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const operation = { type: 'update_file', path, diff: '@@\n-a\n+b\n', ...target };
  expect(await runPatchOperation(await repo.session(), operation)).toMatchObject({ ok: true });
  expect(repo.read('b.txt')).toBe('b\n');
});

it('makes a file of exactly the lines of its diff, without a line end after the last', async () => {
  const repo = personRepo({});
  const operation = { type: 'create_file', path, diff: '+a\n+b\n' };
  expect(await runPatchOperation(await repo.session(), operation)).toMatchObject({ ok: true });
  expect(repo.read(path)).toBe('a\nb');
});
