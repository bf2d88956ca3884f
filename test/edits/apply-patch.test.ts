import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../helpers/patch-files.ts';
import { refusal, update, wrapped } from './patch/v4a/patches.ts';

describe('apply_patch of several files', () => {
  const before = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

  it('adds, updates, moves and deletes', () => {
    const patch = wrapped(
      '*** Add File: new/d.txt',
      '+d',
      '+',
      '*** Add File: empty.txt',
      '*** Update File: a.txt',
      '@@',
      '-a',
      '+A',
      '',
      '*** Update File: ./b.txt',
      '*** Move to: moved/b.txt',
      '*** Delete File: c.txt',
      '',
    );
    const outcome = applied('apply_patch', patch, { ...before, 'a.txt': 'a\n\n' });
    expect(outcome.files).toEqual({
      'new/d.txt': 'd\n\n',
      'empty.txt': '',
      'a.txt': 'A\n\n',
      'moved/b.txt': 'b\n',
    });
    expect(outcome.changes.map(({ kind }) => kind)).toEqual(['create', 'create', 'modify', 'move', 'delete']);
  });

  it('goes on with what its earlier parts left', () => {
    const patch = wrapped(
      '*** Update File: a.txt',
      '-a',
      '+A',
      '*** Update File: a.txt',
      '*** Move to: d.txt',
      '-A',
      '+AA',
      '*** Delete File: b.txt',
      '*** Add File: b.txt',
      '+anew',
      '*** Update File: b.txt',
      ' anew',
      '+more',
    );
    expect(refusedEdit('apply_patch', patch, before).code).toBe('PATCH_FAILED');
    const ordered = { patch: patch.patch.replace('*** Move to: d.txt\n', '') };
    expect(applied('apply_patch', ordered, before).files).toEqual({
      'a.txt': 'AA\n',
      'b.txt': 'anew\nmore\n',
      'c.txt': 'c\n',
    });
  });

  it.each([
    ['adding over a file', '*** Add File: b.txt\n+b', 'FILE_EXISTS'],
    ['moving onto a file', '*** Update File: a.txt\n*** Move to: b.txt\n-a\n+A', 'FILE_EXISTS'],
    ['updating what is not there', '*** Update File: x.txt\n-a\n+A', 'FILE_NOT_FOUND'],
    ['deleting what is not there', '*** Delete File: x.txt', 'FILE_NOT_FOUND'],
    ['adding twice', '*** Add File: x.txt\n+b\n*** Add File: x.txt\n+b', 'FILE_EXISTS'],
  ])('refuses %s', (_, lines, code) => {
    expect(refusedEdit('apply_patch', wrapped(lines), before).code).toBe(code);
  });

  it('takes a move to the same path for an update', () => {
    const patch = wrapped('*** Update File: a.txt', '*** Move to: ./a.txt', '-a', '+A');
    expect(applied('apply_patch', patch, before).files).toEqual({ ...before, 'a.txt': 'A\n' });
    const alone = wrapped('*** Update File: a.txt', '*** Move to: a.txt');
    expect(refusedEdit('apply_patch', alone, before).code).toBe('NO_CHANGE');
  });

  it('moves files that are no text, and keeps line ends and byte order marks on the way', () => {
    const bytes = new Uint8Array([0, 1, 2]);
    const move = wrapped('*** Update File: x.bin', '*** Move to: y.bin');
    expect(applied('apply_patch', move, { 'x.bin': bytes }).files).toEqual({ 'y.bin': '\u0000\u0001\u0002' });
    const edit = wrapped('*** Update File: a.txt', '*** Move to: d.txt', '-b', '+B');
    expect(applied('apply_patch', edit, { 'a.txt': '\uFEFFa\r\nb\r\n' }).files).toEqual({
      'd.txt': '\uFEFFa\r\nB\r\n',
    });
  });
});

describe('the one-file form', () => {
  const one = (fields: object): object => ({ path: 'f.txt', ...fields });

  it.each([
    ['update', 'a\n', { diff: '-a\n+b' }, { 'f.txt': 'b\n' }],
    ['update_file', 'a\n', { type: 'update_file', diff: '@@\n-a\n+b\n' }, { 'f.txt': 'b\n' }],
    ['a fence', 'a\n', { diff: '```\n-a\n+b\n```' }, { 'f.txt': 'b\n' }],
    ['a move', 'a\n', { diff: ' a', moveTo: 'g.txt' }, { 'g.txt': 'a\n' }],
    ['a move alone', 'a\n', { move_to: 'g.txt' }, { 'g.txt': 'a\n' }],
    ['delete', 'a\n', { operation: 'delete_file' }, {}],
    ['create', null, { operation: 'create', diff: '+a\n+b\n' }, { 'f.txt': 'a\nb' }],
    ['create with a final newline', null, { operation: 'create_file', diff: '+a\n+' }, { 'f.txt': 'a\n' }],
    ['create an empty file', null, { operation: 'create', diff: '' }, { 'f.txt': '' }],
  ])('does %s', (_, before, fields, expected) => {
    expect(applied('apply_patch', one(fields), { 'f.txt': before }).files).toEqual(expected);
  });

  it.each([
    ['no diff', {}, 'INVALID_INPUT'],
    ['an empty diff', { diff: '' }, 'PATCH_SYNTAX'],
    ['patch and path', { patch: '*** Begin Patch\n*** End Patch' }, 'INVALID_INPUT'],
    ['a move of a new file', { operation: 'create', diff: '+a', move_to: 'g.txt' }, 'INVALID_INPUT'],
    [
      'an envelope',
      { diff: '*** Begin Patch\n*** Update File: f.txt\n-a\n+b\n*** End Patch' },
      'PATCH_SYNTAX',
    ],
    ['another file in the middle', { diff: '-a\n+b\n*** Update File: g.txt\n-a\n+b' }, 'PATCH_SYNTAX'],
    ['lines without + in a new file', { operation: 'create', diff: '+a\nb' }, 'PATCH_SYNTAX'],
    ['a diff of a file that goes', { operation: 'delete', diff: '-a' }, 'PATCH_SYNTAX'],
    ['a file that is there', { operation: 'create', diff: '+a' }, 'FILE_EXISTS'],
  ])('refuses %s', (_, fields, code) => {
    expect(refusedEdit('apply_patch', one(fields), { 'f.txt': 'a\n' }).code).toBe(code);
  });

  it('asks for a patch or a path', () => {
    expect(refusedEdit('apply_patch', {}, {}).message).toMatch(/patch is missing/);
  });
});

describe('numbers behind @@', () => {
  it('are taken for a bare @@, and the answer says so', () => {
    const { files, notes } = applied('apply_patch', update('@@ -1,2 +1,2 @@ def f():', '-a', '+A'), {
      'f.txt': 'a\nb\n',
    });
    expect(files).toEqual({ 'f.txt': 'A\nb\n' });
    expect(notes).toEqual([
      expect.stringMatching(/^hunk 1 of f.txt: the line numbers behind "@@" were not used/),
    ]);
  });

  it('choose no place', () => {
    expect(refusal('a\nb\na\n', update('@@ -3,1 +3,1 @@', '-a', '+A')).code).toBe('AMBIGUOUS');
  });
});
