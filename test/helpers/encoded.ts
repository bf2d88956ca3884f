/** Encodings to try, and the system's own converter to compare with. */

import { execFileSync } from 'node:child_process';

export interface EncodedCase {
  /** As an .editorconfig or the option names it; without a mark. */
  name: string;
  /** As git's attribute names it. */
  git: string;
  /** As iconv names it; `mark`: bytes before what that writes. */
  iconv: string;
  mark?: readonly number[];
  /** True where the bytes can be told without a mark. */
  unmarked: boolean;
  /** Two texts that it has characters for. */
  words: readonly [string, string];
}

const [LE, BE] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
] as const;

const WIDE = { words: ['naïve 語 😀', 'œuvre 字 😎'], unmarked: false } as const;

export const ENCODED: readonly EncodedCase[] = [
  { name: 'latin1', git: 'ISO-8859-1', iconv: 'ISO-8859-1', words: ['café', 'naïve'], unmarked: true },
  { name: 'windows-1252', git: 'CP1252', iconv: 'CP1252', words: ['“café” €', 'œuvre'], unmarked: true },
  { name: 'koi8-r', git: 'KOI8-R', iconv: 'KOI8-R', words: ['привет', 'слово'], unmarked: true },
  { name: 'cp932', git: 'CP932', iconv: 'CP932', words: ['日本語表 \\~', '能力①'], unmarked: true },
  { name: 'euc-jp', git: 'EUC-JP', iconv: 'EUC-JP', words: ['日本語〜', '能力‖'], unmarked: true },
  { name: 'gbk', git: 'GBK', iconv: 'GBK', words: ['汉字編碼', '文件—'], unmarked: true },
  { name: 'big5', git: 'BIG5', iconv: 'BIG5', words: ['十個中文功', '許蓋'], unmarked: true },
  { name: 'shift_jis', git: 'SHIFT-JIS', iconv: 'SHIFT_JIS', words: ['日本語表', 'ソ能力'], unmarked: true },
  { name: 'utf-16le', git: 'UTF-16LE', iconv: 'UTF-16LE', ...WIDE, unmarked: true },
  { name: 'utf-16be', git: 'UTF-16BE', iconv: 'UTF-16BE', ...WIDE, unmarked: true },
  { name: 'utf-16 little', git: 'UTF-16', iconv: 'UTF-16LE', mark: LE, ...WIDE },
  { name: 'utf-16le-bom', git: 'UTF-16LE-BOM', iconv: 'UTF-16LE', mark: LE, ...WIDE },
  { name: 'utf-16 big', git: 'UTF-16', iconv: 'UTF-16BE', mark: BE, ...WIDE },
];

/** Those whose bytes git records as they are: one of each that the mark tells, and all that are declared otherwise. */
export const RAW: readonly EncodedCase[] = ENCODED.filter(
  ({ name, git }) => git !== 'UTF-16LE-BOM' && name !== 'shift_jis',
);

/** The bytes that the system's converter makes of a text. */
export function iconv(text: string, { iconv: to, mark = [] }: Pick<EncodedCase, 'iconv' | 'mark'>): Buffer {
  const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', to], { input: text, maxBuffer: 1e9 });
  return Buffer.concat([Buffer.from(mark), bytes]);
}

/** The text that the system's converter makes of bytes. */
export function iconvBack(bytes: Uint8Array, from: string): string {
  return execFileSync('iconv', ['-f', from, '-t', 'UTF-8'], { input: bytes, maxBuffer: 1e9 }).toString();
}
