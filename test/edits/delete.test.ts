import { describe, expect, it } from 'vitest';
import { edited, planned, refusal } from './planning.ts';

describe('delete', () => {
  it('takes any file away, without reading it as text', () => {
    expect(planned('delete', Uint8Array.of(0, 255), {})).toEqual([{ kind: 'delete', path: 'f.txt' }]);
    expect(edited('delete', 'a', {})).toBeNull();
  });

  it('needs the file', () => {
    expect(refusal('delete', null, {}).code).toBe('FILE_NOT_FOUND');
  });
});
