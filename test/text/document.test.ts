import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../src/errors.ts';
import { encodeText, textFile, unwrittenFile, withEncoding } from '../../src/text/document.ts';
import { encodingNamed } from '../../src/text/encodings.ts';
import { messyText } from '../helpers/arbitrary.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusal(run: () => unknown): EditError {
  try {
    run();
  } catch (error) {
    if (error instanceof EditError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

describe('textFile', () => {
  it('decodes UTF-8, keeps the byte order mark and never shows it', () => {
    const file = textFile('a.txt', utf8('\uFEFFé\r\n'), 'v1');
    expect([file.path, file.version, file.bom, file.text]).toEqual(['a.txt', 'v1', true, 'é\r\n']);
    expect(file.bytes).toEqual(utf8('\uFEFFé\r\n'));
    expect(textFile('a.txt', utf8('é'), 'v1').bom).toBe(false);
  });

  it('shows a second byte order mark, which is content', () => {
    expect(textFile('a.txt', utf8('\uFEFF\uFEFFa'), '').text).toBe('\uFEFFa');
  });

  it('decodes when first asked and once', () => {
    const bytes = utf8('abc');
    const file = textFile('a.txt', bytes, '');
    bytes[0] = 0x78;
    expect(file.text).toBe('xbc');
    bytes[0] = 0x79;
    expect(file.text).toBe('xbc');
  });

  it('takes NUL in the first 8,000 bytes for binary, as git does', () => {
    const bytes = new Uint8Array(9000).fill(0x61);
    bytes[8000] = 0;
    expect(textFile('a', bytes, '').text).toHaveLength(9000);
    bytes[7999] = 0;
    const error = refusal(() => textFile('a', bytes, '').text);
    expect([error.code, error.data]).toEqual(['BINARY_FILE', { path: 'a', offset: 7999 }]);
  });

  it('reads UTF-16 by its byte order mark, and refuses what is none', () => {
    const file = textFile('a', Uint8Array.of(0xfe, 0xff, 0, 0x61, 0x8a, 0x9e), '');
    expect([file.text, file.bom, file.encoding.name]).toEqual(['a\u8a9e', true, 'utf-16be']);
    for (const [bytes, code] of [
      [[0xff, 0xfe, 0x61], 'ENCODING'],
      [[0xff, 0xfe, 0x3d, 0xd8], 'ENCODING'],
      [[0xff, 0xfe, 0, 0], 'BINARY_FILE'],
      [[0x61, 0, 0x62, 0], 'BINARY_FILE'],
    ] as const)
      expect(refusal(() => textFile('a', Uint8Array.from(bytes), '').text).code).toBe(code);
  });

  it('keeps the encoding that bytes were marked with, but for a byte order mark', async () => {
    const { encoding } = (await encodingNamed('latin1'))!;
    expect(textFile('a', withEncoding(Uint8Array.of(0xe9), encoding), '').text).toBe('é');
    expect(textFile('a', withEncoding(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), encoding), '').text).toBe('a');
    expect([...encodeText('é', false, encoding)]).toEqual([0xe9]);
  });

  it('names the first character that an encoding lacks, and its place', async () => {
    const { encoding } = (await encodingNamed('windows-1252'))!;
    const error = refusal(() => encodeText('a\n€ → b\n', false, encoding, 'a.txt'));
    expect([error.code, error.data]).toEqual([
      'ENCODING',
      { path: 'a.txt', encoding: 'windows-1252', offset: 4, line: 2, character: '→' },
    ]);
    expect(error.message).toContain('which has no "→" (U+2192, line 2 of the new text)');
    // As UTF-16 it would be read again.
    expect(refusal(() => encodeText('ÿþa', false, encoding, 'a.txt')).code).toBe('ENCODING');
  });

  it.each([
    ['Latin-1', [0x63, 0x0a, 0x61, 0xe9, 0x0a], 3, 2],
    ['a cut sequence at the end', [0x61, 0xe2, 0x82], 1, 1],
    ['an overlong form', [0xc0, 0x80], 0, 1],
    ['an overlong form of three bytes', [0x61, 0xe0, 0x9f, 0xbf], 1, 1],
    ['a surrogate', [0xed, 0xa0, 0x80], 0, 1],
    ['past U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0, 1],
    ['a lone continuation byte', [0xc3, 0xa9, 0x80], 2, 1],
    ['after a byte order mark', [0xef, 0xbb, 0xbf, 0x61, 0xff], 4, 1],
  ])('names the byte that is not UTF-8: %s', (_, bytes, offset, line) => {
    const error = refusal(() => textFile('a', Uint8Array.from(bytes), '').text);
    expect(error.code).toBe('NOT_UTF8');
    expect(error.data).toMatchObject({ path: 'a', offset, line });
  });

  it('accepts exactly what the strict decoder accepts, and finds the first wrong byte', () => {
    const byte = fc.constantFrom(
      0x41,
      0x80,
      0xbf,
      0xc2,
      0xe0,
      0xa0,
      0xed,
      0x9f,
      0xf0,
      0x90,
      0xf4,
      0x8f,
      0xff,
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 8 }), list => {
        const bytes = Uint8Array.from(list);
        const valid = (end: number): boolean => {
          try {
            new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end), { stream: true });
            return true;
          } catch {
            return false;
          }
        };
        try {
          expect(encodeText(textFile('a', bytes, '').text, false)).toEqual(bytes);
        } catch (error) {
          if (!(error instanceof EditError)) throw error;
          expect(valid(error.data.offset as number)).toBe(true);
        }
      }),
    );
  });
});

describe('encodeText', () => {
  it('is the way back', () => {
    fc.assert(
      fc.property(messyText, fc.boolean(), (text, bom) => {
        const file = textFile('a', encodeText(text, bom), '');
        expect([file.text, file.bom]).toEqual([text, bom]);
      }),
    );
  });

  it.each(['a\ud800b', '\udc00', 'x\ud83d'])(
    'refuses half a surrogate pair instead of writing U+FFFD',
    text => {
      const error = refusal(() => encodeText(text, false));
      expect(error.code).toBe('INVALID_INPUT');
      expect(error.message).toMatch(/U\+D[89C]|U\+D83D/);
    },
  );
});

describe('unwrittenFile', () => {
  it('has the bytes of its text and mark, and no version', () => {
    const file = unwrittenFile('a', 'é\n', true);
    expect([file.version, file.bom, file.bytes]).toEqual(['', true, utf8('\uFEFFé\n')]);
  });

  it('counts a mark at the start of the text as the mark', () => {
    const file = unwrittenFile('a', '\uFEFFx', false);
    expect([file.bom, file.text, file.bytes]).toEqual([true, 'x', utf8('\uFEFFx')]);
  });
});
