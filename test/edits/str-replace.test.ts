import { describe, expect, it } from 'vitest';
import { edited, planned, refusal } from './planning.ts';

describe('str_replace', () => {
  it('replaces the only occurrence and touches nothing else', () => {
    expect(planned('str_replace', 'a\r\nb\nc\r\n', { old_str: 'b', new_str: 'B' })).toEqual([
      { kind: 'modify', path: 'f.txt', spans: [{ start: 3, end: 4, text: 'B' }] },
    ]);
  });

  it('deletes without new_str, or with null', () => {
    expect(edited('str_replace', 'abc', { old_str: 'b' })).toBe('ac');
    expect(edited('str_replace', 'abc', { old_str: 'b', new_str: null, replace_all: null })).toBe('ac');
  });

  it('replaces all, from left to right', () => {
    expect(edited('str_replace', 'aaaaa', { old_str: 'aa', new_str: 'b', replace_all: true })).toBe('bba');
    expect(
      edited('str_replace', 'x\r\ny\nx\n', { old_str: 'x\n', new_str: 'x\nz\n', replace_all: true }),
    ).toBe('x\r\nz\r\ny\nx\nz\n');
  });

  it('does not offer to replace all places where they overlap: all could not be', () => {
    const message = (text: string) => refusal('str_replace', text, { old_str: 'aa', new_str: 'b' }).message;
    expect(message('aa aa')).toContain('replace_all');
    expect(message('aaa')).toMatch(/occurs 2 times/);
    expect(message('aaa')).not.toContain('replace_all');
  });

  it('keeps a byte order mark', () => {
    expect(edited('str_replace', '\uFEFFa\n', { old_str: 'a', new_str: 'b' })).toBe('\uFEFFb\n');
    expect(refusal('str_replace', '\uFEFFa\n', { old_str: '\uFEFFa', new_str: 'b' }).code).toBe('NO_MATCH');
  });

  it('says why nothing would change', () => {
    expect(refusal('str_replace', 'a\n', { old_str: 'a', new_str: 'a' }).message).toContain('are the same');
    for (const end of ['\n', '\r\n']) {
      const ends = refusal('str_replace', `a${end}`, { old_str: 'a\r\n', new_str: 'a\n' });
      expect([ends.code, ends.message]).toEqual(['NO_CHANGE', expect.stringContaining('line ends only')]);
    }
  });

  it('sends a caller with an empty old_str to insert or create', () => {
    const error = refusal('str_replace', 'a\n', { old_str: '', new_str: 'b' });
    expect([error.code, error.data.fields]).toEqual(['INVALID_INPUT', ['old_str']]);
    expect(error.message).toMatch(/insert.*create/);
  });

  it('takes an empty old_str in an empty file, where it can only be one place', () => {
    expect(edited('str_replace', '', { old_str: '', new_str: 'b\n' })).toBe('b\n');
    expect(edited('str_replace', '\uFEFF', { old_str: '', new_str: 'b' })).toBe('\uFEFFb');
    expect(refusal('str_replace', '', { old_str: '', new_str: '' }).code).toBe('NO_CHANGE');
    expect(refusal('str_replace', '\n', { old_str: '', new_str: 'b' }).code).toBe('INVALID_INPUT');
  });

  it('needs the file', () => {
    const error = refusal('str_replace', null, { old_str: 'a', new_str: 'b' });
    expect([error.code, error.data]).toEqual(['FILE_NOT_FOUND', { path: 'f.txt', folder: '.' }]);
  });

  it('offers replace_all, and says whether the change was made before', () => {
    expect(refusal('str_replace', 'a a', { old_str: 'a', new_str: 'b' }).message).toContain(
      'replace_all: true',
    );
    expect(
      refusal('str_replace', 'new text\n', { old_str: 'old', new_str: 'new text' }).data.already_there,
    ).toEqual({ line: 1, count: 1 });
  });

  it('replaces all of very many places in one long line', () => {
    const text = '{"a":1},'.repeat(200_000);
    const [change] = planned('str_replace', text, { old_str: '"a"', new_str: '"b"', replace_all: true });
    expect(change?.kind === 'modify' && change.spans.length).toBe(200_000);
  });
});
