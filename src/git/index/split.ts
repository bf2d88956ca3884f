/**
 * A split index as one (gitformat-index(5), "Split index"): the entries of a shared file, of which the index itself says which
 * are gone and which are replaced, and those that it has besides.
 *
 *   link        20 bytes of the shared file's hash; two bitmaps over its entries: deleted, replaced
 *   bitmap      EWAH: number of bits, number of words, words of 8 bytes, position of the last marker word. A marker has one bit
 *               that is repeated, 32 bits of how many words, and 31 of how many words of plain bits follow it
 */

import { compareBytes, toHex, uint32 } from '../../bytes.ts';
import { firstNotBefore } from '../../sorted.ts';
import { headAt } from './entry.ts';
import { type Splice, spliced } from './file.ts';
import { broken, type Extension, FLAGS_AT, parseIndex, type Sha1 } from './format.ts';

const ID = 20;

/** The name of the file beside the index that has the shared entries. */
export function sharedName({ data }: Extension): string {
  return `sharedindex.${toHex(data.subarray(0, ID))}`;
}

/** Makes one index of a shared one and the split one that goes with it. Throws CORRUPT. */
export async function joinedIndex(sharedFile: Uint8Array, own: Uint8Array, sha1: Sha1): Promise<Uint8Array> {
  const [shared, split] = [parseIndex(sharedFile), parseIndex(own, 'part')];
  const { data } = split.extensions.find(({ signature }) => signature === 'link')!;
  const deleted = data.length > ID ? bitmapAt(data, ID) : { bits: [], next: ID };
  const replaced = data.length > ID ? bitmapAt(data, deleted.next) : deleted;
  const gone = new Set(deleted.bits);
  const splices: Splice[] = [];
  const put = (at: number, removed: number, name: Uint8Array, from: number): void => {
    splices.push({ at, removed, name, head: namedHead(headAt(split, from), name), changes: true });
  };
  for (const [from, at] of replaced.bits.entries()) {
    if (at >= shared.count || from >= split.count || split.name(from).length > 0)
      throw broken('does not go with its shared index');
    if (!gone.has(at)) put(at, 1, shared.name(at), from);
  }
  for (const at of gone) splices.push({ at, removed: 1, name: shared.name(at), head: null, changes: true });
  for (let from = replaced.bits.length; from < split.count; from++) {
    const name = split.name(from);
    put(placeOf(shared, name, split, from), 0, name, from);
  }
  splices.sort((a, b) => a.at - b.at || a.removed - b.removed || compareBytes(a.name, b.name));
  return spliced({ ...shared, extensions: split.extensions }, splices, sha1);
}

type Parsed = ReturnType<typeof parseIndex>;

/** The place of a further entry among the shared ones: by name, then by stage. */
function placeOf(shared: Parsed, name: Uint8Array, split: Parsed, from: number): number {
  const isBefore = (at: number): boolean =>
    (compareBytes(shared.name(at), name) || stageAt(shared, at) - stageAt(split, from)) < 0;
  return firstNotBefore(0, shared.count, isBefore);
}

function stageAt(index: Parsed, i: number): number {
  return (headAt(index, i)[FLAGS_AT]! >> 4) & 3;
}

/** The bytes before a name, with its length. */
function namedHead(bytes: Uint8Array, name: Uint8Array): Uint8Array {
  const head = bytes.slice();
  const view = new DataView(head.buffer);
  view.setUint16(FLAGS_AT, (view.getUint16(FLAGS_AT) & 0xf000) | Math.min(name.length, 0xfff));
  return head;
}

/** The numbers of the bits that are set, and where the bitmap ends. */
function bitmapAt(data: Uint8Array, at: number): { bits: number[]; next: number } {
  if (at + 8 > data.length) throw broken('has a bitmap that is cut off');
  const words = uint32(data, at + 4);
  const end = at + 8 + words * 8;
  if (end + 4 > data.length) throw broken('has a bitmap that is cut off');
  const most = uint32(data, at);
  const bits: number[] = [];
  let bit = 0;
  const word = (from: number): bigint => (BigInt(uint32(data, from)) << 32n) | BigInt(uint32(data, from + 4));
  for (let next = at + 8; next < end; ) {
    const marker = word(next);
    next += 8;
    const run = Number((marker >> 1n) & 0xffffffffn) * 64;
    if (bit + run > most + 64) throw broken('has a bitmap that does not fit');
    if (marker & 1n) for (let n = 0; n < run; n++) bits.push(bit + n);
    bit += run;
    for (let left = Number(marker >> 33n); left > 0 && next < end; left--, next += 8, bit += 64)
      for (let plain = word(next), n = 0; plain > 0n; plain >>= 1n, n++) if (plain & 1n) bits.push(bit + n);
  }
  return { bits: bits.filter(one => one < most), next: end + 4 };
}
