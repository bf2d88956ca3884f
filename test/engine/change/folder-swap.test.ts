/** One change in which a folder makes room for a file, or a file for a folder. */

import { mkdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { codeOf, personRepo } from '../../helpers/person-repo.ts';

const patch = (...lines: string[]): object => ({
  patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});

describe('a file in place of a folder', () => {
  it('is added where the patch deletes all that the folder holds', async () => {
    const repo = personRepo({ 'foo/baz': 'x\n', 'foo/sub/qux': 'y\n' });
    const session = await repo.session();
    const lines = ['*** Delete File: foo/baz', '*** Delete File: foo/sub/qux', '*** Add File: foo', '+z'];
    await session.edit('apply_patch', patch(...lines));
    expect(repo.read('foo')).toBe('z\n');
    await session.undo();
    expect([repo.read('foo/baz'), repo.read('foo/sub/qux')]).toEqual(['x\n', 'y\n']);
    await session.redo();
    expect(repo.read('foo')).toBe('z\n');
    expect((await session.verify()).data).toMatchObject({ faults: [] });
    expect((await session.log({ patch: true })).data.entries).toHaveLength(3);
  });

  it.each<[string, string[]]>([
    ['that is empty', ['foo']],
    ['of empty folders', ['foo/a/b', 'foo/c']],
  ])('is created in place of one %s', async (_, folders) => {
    const repo = personRepo({ 'a.txt': 'x\n' });
    for (const folder of folders) mkdirSync(repo.path(folder), { recursive: true });
    const session = await repo.session();
    const { data } = await session.edit('create', { path: 'foo', file_text: 'z\n' });
    expect([repo.read('foo'), data.warnings]).toEqual(['z\n', undefined]);
  });

  it('is added where the folder holds empty folders beside what is deleted', async () => {
    const repo = personRepo({ 'foo/baz': 'x\n' });
    mkdirSync(repo.path('foo/sub'));
    const session = await repo.session();
    await session.edit('apply_patch', patch('*** Delete File: foo/baz', '*** Add File: foo', '+z'));
    expect(repo.read('foo')).toBe('z\n');
  });

  it('is refused where something would be left in it', async () => {
    const repo = personRepo({ 'foo/baz': 'x\n', 'foo/qux': 'y\n' });
    const session = await repo.session();
    const refused = session.edit('apply_patch', patch('*** Delete File: foo/baz', '*** Add File: foo', '+z'));
    expect(await codeOf(refused)).toBe('IS_DIRECTORY');
    repo.write('foo/untracked', 'mine\n');
    const all = ['*** Delete File: foo/baz', '*** Delete File: foo/qux', '*** Add File: foo', '+z'];
    expect(await codeOf(session.edit('apply_patch', patch(...all)))).toBe('IS_DIRECTORY');
    expect(repo.read('foo/baz')).toBe('x\n');
  });

  it('is refused with a version, which no folder has', async () => {
    const repo = personRepo({ 'foo/baz': 'x\n' });
    const session = await repo.session();
    const file = { edit: 'create', path: 'foo', file_text: 'z\n', version: 'deadbeef' };
    const refused = session.change([{ edit: 'delete', path: 'foo/baz' }, file]);
    await expect(refused).rejects.toMatchObject({ code: 'IS_DIRECTORY', data: { edit: 2, edits: 2 } });
    expect(repo.read('foo/baz')).toBe('x\n');
  });

  it('is not an update of the folder', async () => {
    const session = await personRepo({ 'foo/baz': 'x\n' }).session();
    const refused = session.edit('apply_patch', patch('*** Update File: foo', '-x', '+y'));
    expect(await codeOf(refused)).toBe('IS_DIRECTORY');
  });
});

describe('a file that a person deleted', () => {
  it('is said to be that, with what brings it back', async () => {
    const repo = personRepo({ 'a.txt': 'x\n', 'ab.txt': 'y\n' });
    const session = await repo.session();
    await session.edit('str_replace', { path: 'ab.txt', old_str: 'y', new_str: 'z' });
    rmSync(repo.path('a.txt'));
    const refused = session.edit('str_replace', { path: 'a.txt', old_str: 'x', new_str: 'y' });
    await expect(refused).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringMatching(/a\.txt\. It was deleted, not through vedit; .* use restore\.$/),
    });
  });
});

describe('a folder in place of a file', () => {
  it('is made where the patch deletes the file', async () => {
    const repo = personRepo({ foo: 'x\n' });
    const session = await repo.session();
    await session.edit('apply_patch', patch('*** Delete File: foo', '*** Add File: foo/baz', '+z'));
    expect(repo.read('foo/baz')).toBe('z\n');
  });
});
