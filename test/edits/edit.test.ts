import { describe, expect, it } from 'vitest';
import type { FileChange } from '../../src/edits/edit.ts';
import { applyChanges } from '../../src/edits/edit.ts';
import { type Content, file } from './planning.ts';

const files = (contents: Record<string, Content>) =>
  new Map(Object.entries(contents).map(([path, content]) => [path, file(path, content)]));

describe('applyChanges', () => {
  it('gives the texts for the next edit, and leaves the map it got alone', () => {
    const before = files({ a: '\uFEFFx\r\n', b: 'gone' });
    const changes: FileChange[] = [
      { kind: 'modify', path: 'a', spans: [{ start: 0, end: 1, text: 'y' }] },
      { kind: 'delete', path: 'b' },
      { kind: 'create', path: 'c', text: '\uFEFFnew' },
      { kind: 'modify', path: 'c', spans: [{ start: 3, end: 3, text: '!' }] },
    ];
    const after = applyChanges(before, changes);
    expect([...after].map(([path, one]) => [path, one?.text, one?.bom, one?.version])).toEqual([
      ['a', 'y\r\n', true, ''],
      ['b', undefined, undefined, undefined],
      ['c', 'new!', true, ''],
    ]);
    expect([before.get('a')!.text, before.get('b')!.text, before.has('c')]).toEqual(['x\r\n', 'gone', false]);
  });

  it('moves bytes and version as they are, or with an edit', () => {
    const binary = Uint8Array.of(0, 255);
    const moved = applyChanges(files({ a: binary }), [{ kind: 'move', path: 'a', to: 'b', spans: [] }]);
    expect([moved.get('a'), moved.get('b')?.bytes, moved.get('b')?.version, moved.get('b')?.path]).toEqual([
      null,
      binary,
      'v',
      'b',
    ]);
    const spans = [{ start: 0, end: 1, text: 'y' }];
    const edited = applyChanges(files({ a: '\uFEFFx' }), [{ kind: 'move', path: 'a', to: 'b', spans }]);
    expect([edited.get('b')?.text, edited.get('b')?.bom, edited.get('b')?.version]).toEqual(['y', true, '']);
  });

  it('knows no file that is not in the map', () => {
    expect(() => applyChanges(files({ a: null }), [{ kind: 'delete', path: 'a' }])).toThrow(RangeError);
  });
});
