import { describe, expect, it } from 'vitest';
import { edited, planned, refusal } from './planning.ts';

describe('create', () => {
  it.each(['', 'a', 'a\r\nb\n', '\uFEFFa\n', 'a\rb'])('writes %j exactly as given', file_text => {
    expect(edited('create', null, { file_text })).toBe(file_text);
  });

  it('plans the creation', () => {
    expect(planned('create', null, { content: 'a' })).toEqual([{ kind: 'create', path: 'f.txt', text: 'a' }]);
  });

  it('refuses an existing file unless overwrite is true', () => {
    const error = refusal('create', 'old', { file_text: 'new' });
    expect([error.code, error.message]).toEqual(['FILE_EXISTS', expect.stringContaining('overwrite: true')]);
    expect(refusal('create', 'old', { file_text: 'old' }).message).toContain('exactly this content');
    expect(edited('create', 'old', { file_text: 'new', overwrite: true })).toBe('new');
  });

  it('replaces a binary file, and one with a byte order mark, by bytes', () => {
    const binary = Uint8Array.of(0, 255, 0);
    expect(edited('create', binary, { file_text: 'text', overwrite: true })).toBe('text');
    expect(refusal('create', binary, { file_text: 'text' }).code).toBe('FILE_EXISTS');
    expect(edited('create', '\uFEFFa', { file_text: 'b', overwrite: true })).toBe('\uFEFFb');
    expect(edited('create', '\uFEFFa', { file_text: 'a', overwrite: true, exact: true })).toBe('a');
    expect(refusal('create', '\uFEFFa', { file_text: '\uFEFFa', overwrite: true }).code).toBe('NO_CHANGE');
  });
});
