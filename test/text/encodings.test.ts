import { describe, expect, it } from 'vitest';
import { encodingNamed, encodingsOf, textIn } from '../../src/text/encodings.ts';
import { iconv, iconvBack } from '../helpers/encoded.ts';

/** Every character, one a line, but for those that a line or an UTF-8 text cannot hold. */
const CHARACTERS = Array.from({ length: 0x2fa20 }, (_, code) => code + 1)
  .filter(code => code !== 10 && !(code >= 0xd800 && code < 0xe000))
  .map(code => String.fromCodePoint(code));

const names = (pattern: string, numbers: readonly number[]): Array<[string, string]> =>
  numbers.map(n => [pattern + n, pattern.startsWith('windows') ? `CP${n}` : pattern + n]);

const TABLES: ReadonlyArray<[label: string, iconv: string]> = [
  ['latin1', 'ISO-8859-1'],
  ...names('ISO-8859-', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16]),
  ...names('windows-', [1250, 1251, 1252, 1253, 1254, 1256, 1257, 874]),
  ...names('CP', [437, 850, 866, 949]),
  ['KOI8-R', 'KOI8-R'],
  ['KOI8-U', 'KOI8-U'],
  ['SHIFT-JIS', 'SHIFT_JIS'],
  ['cp932', 'CP932'],
  ['EUC-JP', 'EUC-JP'],
  ['GBK', 'GBK'],
  ['Big5', 'BIG5'],
  ['UTF-16LE', 'UTF-16LE'],
  ['utf16be', 'UTF-16BE'],
];

describe('encodings', () => {
  it.each(TABLES)(
    '%s: has the bytes of the system’s converter for every character that it has',
    async (label, name) => {
      const { encoding } = (await encodingNamed(label, true))!;
      const has = CHARACTERS.filter(one => textIn(encoding.encode(one), encoding) === one);
      expect(has.length).toBeGreaterThan(200);
      const text = `${has.join('\n')}\n`;
      expect(Buffer.compare(encoding.encode(text), iconv(text, { iconv: name }))).toBe(0);
      expect(iconvBack(encoding.encode(text), name)).toBe(text);
      expect(textIn(encoding.encode(text), encoding)).toBe(text);
    },
  );

  it('are named in any spelling, and are told from those that are not known', async () => {
    const name = async (label: string, asGit = false): Promise<string | undefined> =>
      (await encodingNamed(label, asGit))?.encoding.name;
    expect(
      await Promise.all(
        ['Latin1', 'ISO8859-1', 'cp1252', 'Windows_1252', 'SJIS', 'UTF8'].map(one => name(one)),
      ),
    ).toEqual(['iso-8859-1', 'iso-8859-1', 'windows-1252', 'windows-1252', 'shift_jis', 'utf-8']);
    for (const label of [
      '',
      'latin2000',
      'utf-7',
      'utf-32',
      'utf-16xx',
      'iso-8859-12',
      'base64',
      'hex',
      'windows-1255',
    ])
      expect(await encodingNamed(label)).toBeNull();
  });

  it('has a backslash in Shift_JIS but where git records a yen sign', async () => {
    const bytes = Uint8Array.of(0x5c, 0x7e);
    const texts = [await encodingNamed('shift_jis'), await encodingNamed('shift_jis', true)];
    expect(texts.map(one => textIn(bytes, one!.encoding))).toEqual(['\\~', '¥‾']);
  });

  it('lists those in which all of the bytes mean something', async () => {
    expect(await encodingsOf(Buffer.from('caf\xe9 \x97', 'latin1'))).toEqual([
      'windows-1252',
      'iso-8859-1',
      'koi8-r',
    ]);
    expect(await encodingsOf(Uint8Array.of(0x61, 0, 0x62, 0))).toEqual(['utf-16le', 'utf-16be']);
    expect(await encodingsOf(Uint8Array.of(0, 0, 0, 1, 0))).toEqual([]);
  });
});
