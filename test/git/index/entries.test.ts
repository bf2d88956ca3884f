import { describe, expect, test } from 'vitest';
import { readIndexEntry, updateIndex } from '../../../src/git/index/file.ts';
import { codeOf, committed, edit, entries, indexOf, sha1 } from './changes.ts';

describe('other entries', () => {
  test('keep the flags that a person set, and the changed one keeps its own', async () => {
    const box = committed({ a: '1', b: '2', c: '3', d: '4' });
    box.write('new', 'later');
    box.git('add', '--intent-to-add', 'new');
    box.git('update-index', '--assume-unchanged', 'a');
    box.git('update-index', '--skip-worktree', 'b');
    const before = entries(box);
    const bytes = await edit(box, { d: 'new' });
    expect(readIndexEntry(bytes, 'a')).toMatchObject({ assumeValid: true, skipWorktree: false });
    expect(readIndexEntry(bytes, 'b')).toMatchObject({ assumeValid: false, skipWorktree: true });
    expect(readIndexEntry(bytes, 'new')).toMatchObject({ intentToAdd: true });
    const after = entries(box);
    for (const map of [before, after]) map.delete('d 0');
    expect(after).toEqual(before);
    await edit(box, { a: 'x', b: 'y', new: 'z' });
    expect(box.git('ls-files', '-v').split('\n')).toEqual(['h a', 'S b', 'H c', 'H d', 'H new']);
    expect(readIndexEntry(indexOf(box), 'new')).toMatchObject({ intentToAdd: false });
    expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  test('that are staged, changed or in conflict stay so; a path in conflict is refused', async () => {
    const box = committed({ a: '1', b: '2', c: '3', d: '4' });
    box.git('checkout', '-q', '-b', 'side');
    box.write('c', 'theirs');
    box.git('commit', '-q', '-am', 'theirs');
    box.git('checkout', '-q', 'main');
    box.write('c', 'ours');
    box.git('commit', '-q', '-am', 'ours');
    expect(() => box.git('merge', 'side')).toThrow();
    box.write('a', 'staged');
    box.git('add', 'a');
    box.write('b', 'changed');
    const before = entries(box);
    await edit(box, { d: 'new' });
    const after = entries(box);
    for (const map of [before, after]) map.delete('d 0');
    expect(after).toEqual(before);
    expect(box.git('status', '--porcelain')).toBe('M  a\n M b\nUU c\nM  d');
    expect(readIndexEntry(indexOf(box), 'c')).toMatchObject({ stage: 1 });
    expect(await codeOf(updateIndex(indexOf(box), [{ path: 'c', entry: null }], sha1))).toBe('CONFLICT');
  });

  test.each([2, 4])('with names of odd bytes and lengths stay as they are (version %i)', async version => {
    const long = 'd/'.repeat(2100);
    const names = [
      'caf\xe9.txt',
      'a\\b',
      'tab\there',
      'quo"te',
      '\xff\xfe',
      'new\nline',
      `${long}x`,
      `${long}y`,
      'a'.repeat(4094),
      'a'.repeat(4095),
      'a'.repeat(4096),
    ];
    const box = committed({ 'm/n': '1' }, version);
    const oid = box.git('rev-parse', 'HEAD:m/n');
    const info = names.map(name => Buffer.from(`100644 ${oid} 0\t${name}\0`, 'latin1'));
    box.pipe(Buffer.concat(info), 'update-index', '-z', '--index-info');
    const listed = (): string[] => box.pipe('', 'ls-files', '-z').toString('latin1').split('\0').sort();
    expect(listed().length).toBe(names.length + 2);
    const before = entries(box);
    for (const change of [
      { 'm/n': '2' },
      { 'b/new': '3' },
      { 'd/new': '4' },
      { 'caf\u00e9.txt': '5' },
      { 'm/n': null },
    ]) {
      await edit(box, change as Record<string, string | null>);
    }
    expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
    const gone = Buffer.from('caf\u00e9.txt').toString('latin1');
    expect(listed()).toEqual([...names, 'b/new', 'd/new', gone, ''].sort());
    const after = entries(box);
    for (const [name, entry] of before) if (name !== 'm/n 0') expect(after.get(name)).toBe(entry);
  });
});
