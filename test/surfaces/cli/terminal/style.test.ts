import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, render, styled } from '../../../../src/surfaces/cli/terminal/style.ts';

describe('escapeControls', () => {
  it.each([
    ['\u001b[31mred\u001b[m', '^[[31mred^[[m'],
    ['a\rb\0\b\u007f', 'a^Mb^@^H^?'],
    ['\u009b31m', '<U+009B>31m'],
    ['\u202egnp.exe', '<U+202E>gnp.exe'],
    ['a\tb\nc é 日本 👍', 'a\tb\nc é 日本 👍'],
  ])('shows %j as %j', (text, shown) => {
    expect(escapeControls(text)).toBe(shown);
  });

  it('leaves nothing that a terminal obeys', () => {
    const character = fc.integer({ min: 0, max: 0x2fff }).map(code => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit: character }), text => {
        expect(escapeControls(text)).not.toMatch(/[^\P{Cc}\t\n]|\p{Bidi_Control}/u);
      }),
    );
  });
});

describe('render', () => {
  const pieces = [styled('red', 'a\u001b[0m\nb\n'), 'c\r'];

  it('escapes texts and keeps styles within their lines', () => {
    expect(render(pieces, { color: true, escape: true })).toBe(
      '\u001b[31ma^[[0m\u001b[m\n\u001b[31mb\u001b[m\nc^M',
    );
  });

  it('gives the bytes as they are to a pipe', () => {
    expect(render(pieces, { color: false, escape: false })).toBe('a\u001b[0m\nb\nc\r');
  });
});
