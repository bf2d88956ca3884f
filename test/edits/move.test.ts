import { describe, expect, it } from 'vitest';
import { planned, refusal } from './planning.ts';

describe('move', () => {
  it('moves any file, without reading it as text', () => {
    expect(planned('move', Uint8Array.of(0, 255), { new_path: 'b' })).toEqual([
      { kind: 'move', path: 'f.txt', to: 'b', spans: [] },
    ]);
  });

  it('replaces a file only when told to', () => {
    const error = refusal('move', 'a', { new_path: 'b' }, { b: 'x' });
    expect([error.code, error.data, error.message]).toEqual([
      'FILE_EXISTS',
      { path: 'b', can_overwrite: true },
      expect.stringContaining('overwrite: true'),
    ]);
    expect(planned('move', 'a', { new_path: 'b', overwrite: true }, { b: 'x' })).toHaveLength(1);
  });

  it('needs the file, and another place', () => {
    expect(refusal('move', null, { new_path: 'b' }).code).toBe('FILE_NOT_FOUND');
    expect(refusal('move', 'a', { new_path: 'f.txt' }).code).toBe('NO_CHANGE');
  });
});
