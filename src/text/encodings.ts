/**
 * The encodings that a file may have besides UTF-8. Their tables are those of iconv-lite, loaded with the first file
 * that is declared so, and mended where git's own converter (the iconv of GNU libc) has another character for a code.
 */

import { sameBytes } from '../bytes.ts';

/** Turns bytes into text and back. Where either cannot be done, the answer does not lead back to what was given. */
export interface Encoding {
  /** Its name in lower case, as answers tell it. */
  readonly name: string;
  /** The bytes of a byte order mark; absent where there is none. */
  readonly mark?: Uint8Array;
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
}

/** To make a decoder takes longer than to decode most files. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const UTF8: Encoding = {
  name: 'utf-8',
  mark: Uint8Array.of(0xef, 0xbb, 0xbf),
  decode: bytes => decoder.decode(bytes),
  encode: text => encoder.encode(text),
};

export const UTF16LE: Encoding = utf16('utf-16le', Uint8Array.of(0xff, 0xfe));
export const UTF16BE: Encoding = utf16('utf-16be', Uint8Array.of(0xfe, 0xff));

/** Encodings that have a name here, for messages; docs/encodings.md lists all. */
export const ENCODINGS = 'utf-16, iso-8859-1, windows-1252, koi8-r, shift_jis, cp932, euc-jp, gbk, big5';

/** True for bytes that begin with the byte order mark of the encoding. */
export function hasMark(bytes: Uint8Array, { mark }: Encoding): boolean {
  return mark !== undefined && bytes[0] === mark[0] && mark.every((byte, at) => bytes[at] === byte);
}

/** An encoding as it is declared. `mark`: its files begin with a byte order mark, by which they are known. */
export interface Declared {
  encoding: Encoding;
  mark: boolean;
}

/**
 * Finds the encoding with this name, in any case and spelling (`UTF-16LE`, `latin1`, `cp1252`); `null` for one that is
 * not known. `asGit`: with the characters that git records, which has ¥ and ‾ for the backslash and tilde of Shift_JIS.
 */
export async function encodingNamed(label: string, asGit = false): Promise<Declared | null> {
  const key = label.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (key === 'utf8' || key === 'utf8bom') return { encoding: UTF8, mark: false };
  const [wide, end, bom] = /^utf16(be|le(bom)?)?$/.exec(key) ?? [];
  if (wide) return { encoding: end === 'be' ? UTF16BE : UTF16LE, mark: !end || bom !== undefined };
  const table = tableNamed(key);
  if (!table) return null;
  const encoding = await loaded(table.name, (asGit && table.git) || table.table);
  return encoding && { encoding, mark: false };
}

/** Names those of the encodings that files most often have in which all of the bytes mean something. */
export async function encodingsOf(bytes: Uint8Array): Promise<string[]> {
  const found: string[] = [];
  for (const name of bytes.length > MOST_BYTES ? [] : bytes.includes(0) ? WIDE : LIKELY) {
    const declared = await encodingNamed(name);
    const text = declared && textIn(bytes, declared.encoding);
    if (text !== null && !text.includes('\0')) found.push(name);
  }
  return found;
}

const MOST_BYTES = 4 * 1024 * 1024;
const WIDE = ['utf-16le', 'utf-16be'];
const LIKELY = ['windows-1252', 'iso-8859-1', 'koi8-r', 'shift_jis', 'euc-jp', 'gbk', 'big5'];

/** The text that has exactly these bytes, a mark among its characters; `null` for none. */
export function textIn(bytes: Uint8Array, encoding: Encoding): string | null {
  try {
    const text = encoding.decode(bytes);
    if (encoding === UTF8) return text;
    const back = encoding.encode(text);
    return sameBytes(back, bytes) ? text : null;
  } catch {
    return null;
  }
}

function utf16(name: 'utf-16le' | 'utf-16be', mark: Uint8Array): Encoding {
  const low = name === 'utf-16le' ? 0 : 1;
  return {
    name,
    mark,
    decode: bytes => new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes),
    encode(text) {
      const bytes = new Uint8Array(text.length * 2);
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        bytes[2 * at + low] = unit;
        bytes[2 * at + 1 - low] = unit >> 8;
      }
      return bytes;
    },
  };
}

interface Table {
  name: string;
  /** The table's name in iconv-lite, or among those that are mended here. */
  table: string;
  git?: string;
}

/** Finds the table of an encoding by its name in lower case, without marks. */
function tableNamed(key: string): Table | null {
  const [, iso] = /^(?:iso8859)([1-9]|1[013456])$/.exec(key) ?? (key === 'latin1' ? ['', '1'] : []);
  if (iso) return { name: `iso-8859-${iso}`, table: `iso8859${iso}` };
  const [, page] = /^(?:windows|cp)(125[0-467]|874)$/.exec(key) ?? [];
  if (page) return { name: `windows-${page}`, table: `windows${page}` };
  if (/^cp(437|850|866|949)$/.test(key)) return { name: key, table: key };
  return TABLES.find(({ keys }) => keys.includes(key)) ?? null;
}

const TABLES: ReadonlyArray<Table & { keys: readonly string[] }> = [
  { keys: ['koi8r'], name: 'koi8-r', table: 'koi8r' },
  { keys: ['koi8u'], name: 'koi8-u', table: 'koi8u' },
  { keys: ['shiftjis', 'sjis'], name: 'shift_jis', table: 'veditcp932', git: 'veditsjis' },
  { keys: ['cp932', 'windows31j', 'ms932'], name: 'cp932', table: 'veditcp932' },
  { keys: ['eucjp'], name: 'euc-jp', table: 'vediteucjp' },
  { keys: ['gbk', 'cp936'], name: 'gbk', table: 'cp936' },
  { keys: ['big5', 'cp950'], name: 'big5', table: 'veditbig5' },
];

type Chunk = [code: string, characters: string];

/** The trail bytes of a lead byte that stand for nothing. */
function none(lead: string, parts: ReadonlyArray<[from: string, count: number]>): Chunk[] {
  return parts.map(([from, count]) => [lead + from, '\ufffd'.repeat(count)]);
}

const SJIS_ROW: ReadonlyArray<[string, number]> = [
  ['40', 63],
  ['80', 125],
];

/** Tables made of those of iconv-lite: what is put over them, and codes that are read and never written. */
const MENDED: Readonly<
  Record<string, { from: string; over: Chunk[]; skip?: Array<number | { from: number; to: number }> }>
> = {
  veditcp932: { from: 'shiftjis', over: [['80', '\ufffd']], skip: [{ from: 0xed40, to: 0xf940 }] },
  veditsjis: {
    from: 'shiftjis',
    over: [
      ['5c', '¥'],
      ['7e', '‾'],
      ['80', '\ufffd'],
      ['8160', '〜‖'],
      ['817c', '−'],
      ['8191', '¢£'],
      ['81ca', '¬'],
      ...'87 ed ee f0 f1 f2 f3 f4 f5 f6 f7 f8 f9 fa fb fc'.split(' ').flatMap(lead => none(lead, SJIS_ROW)),
    ],
  },
  vediteucjp: {
    from: 'eucjp',
    over: [
      ['a1c1', '〜‖'],
      ['a1dd', '−'],
      ['a1f1', '¢£'],
      ['a2cc', '¬'],
      ...['ad', 'f9', 'fa', 'fb', 'fc'].flatMap(lead => none(lead, [['a1', 94]])),
    ],
  },
  veditbig5: { from: 'cp950', over: [], skip: [0xa2cc, 0xa2ce] },
};

const LOADED = new Map<string, Encoding>();

/** Loads a table once; `null` in browsers, whose bundles leave the tables out: they would need parts of Node. */
async function loaded(name: string, table: string): Promise<Encoding | null> {
  const known = LOADED.get(name + table);
  if (known) return known;
  const { default: iconv } = await import('iconv-lite');
  if (!iconv?.getCodec) return null;
  iconv.getCodec('utf8');
  const mended = MENDED[table];
  if (mended) {
    const tables = iconv.encodings as unknown as Record<string, { table(): Chunk[] } | object>;
    const { table: base } = tables[mended.from] as { table(): Chunk[] };
    tables[table] ??= {
      type: '_dbcs',
      table: () => [...base(), ...mended.over],
      encodeSkipVals: mended.skip,
    };
  }
  const codec = table as 'utf8';
  const encoding: Encoding = {
    name,
    decode: bytes => iconv.decode(bytes, codec, { stripBOM: false }),
    // A code that stands for nothing is read as U+FFFD, which none of these encodings has.
    encode: text => iconv.encode(text.replaceAll('\ufffd', ''), codec),
  };
  LOADED.set(name + table, encoding);
  return encoding;
}
