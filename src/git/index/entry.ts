/** One entry of git's index: its fields, and its bytes. */

import { toHex, uint32 } from '../../bytes.ts';
import type { Stat } from '../../fs/fs.ts';
import { fromHex } from '../objects/object.ts';
import { EXTENDED, FLAGS_AT, type Index } from './format.ts';

export interface IndexEntry {
  /** Octal, as in a tree: `100644`. */
  mode: string;
  oid: string;
  /** 0, or in a conflict 1 (the common ancestor's), 2 (ours) or 3 (theirs). */
  stage: number;
  assumeValid: boolean;
  skipWorktree: boolean;
  intentToAdd: boolean;
}

/** The facts of the file that an entry remembers, as git compares them: the lower 32 bits of each. */
export interface StatData {
  ctime: number;
  ctimeNs: number;
  mtime: number;
  mtimeNs: number;
  ino: number;
  size: number;
}

const ASSUME_VALID = 0x8000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
const OID_AT = 40;
const SIZE_AT = 36;

export function entryAt(index: Index, i: number): IndexEntry {
  const at = index.starts[i]!;
  const flags = uint16(index.bytes, at + FLAGS_AT);
  const more = flags & EXTENDED ? uint16(index.bytes, at + FLAGS_AT + 2) : 0;
  return {
    mode: uint32(index.bytes, at + 24).toString(8),
    oid: toHex(index.bytes.subarray(at + OID_AT, at + FLAGS_AT)),
    stage: (flags >> 12) & 3,
    assumeValid: (flags & ASSUME_VALID) !== 0,
    skipWorktree: (more & SKIP_WORKTREE) !== 0,
    intentToAdd: (more & INTENT_TO_ADD) !== 0,
  };
}

export function statDataAt(index: Index, i: number): StatData {
  const field = (offset: number): number => uint32(index.bytes, index.starts[i]! + offset);
  return {
    ctime: field(0),
    ctimeNs: field(4),
    mtime: field(8),
    mtimeNs: field(12),
    ino: field(20),
    size: field(SIZE_AT),
  };
}

export function statDataOf(stat: Stat): StatData {
  return {
    ctime: low32(stat.ctimeNs / 1_000_000_000n),
    ctimeNs: Number(stat.ctimeNs % 1_000_000_000n),
    mtime: low32(stat.mtimeNs / 1_000_000_000n),
    mtimeNs: Number(stat.mtimeNs % 1_000_000_000n),
    ino: low32(stat.ino),
    size: stat.size >>> 0,
  };
}

/** The new content of an entry; the flags that a person set stay, `intentToAdd` goes as there is content now. */
export interface NewEntry {
  mode: string;
  oid: string;
  stat: Stat;
  assumeValid: boolean;
  skipWorktree: boolean;
}

/** Encodes an entry before its name. `nameLength` in bytes. */
export function encodeHead(entry: NewEntry, nameLength: number): Uint8Array {
  const head = new Uint8Array(entry.skipWorktree ? FLAGS_AT + 4 : FLAGS_AT + 2);
  const view = new DataView(head.buffer);
  const { ctime, ctimeNs, mtime, mtimeNs, ino, size } = statDataOf(entry.stat);
  const { dev, uid, gid } = entry.stat;
  const times = [ctime, ctimeNs, mtime, mtimeNs];
  const fields = [...times, low32(dev), ino, Number.parseInt(entry.mode, 8), uid, gid, size];
  for (const [i, field] of fields.entries()) view.setUint32(i * 4, field);
  head.set(fromHex(entry.oid), OID_AT);
  const flags = (entry.assumeValid ? ASSUME_VALID : 0) | (entry.skipWorktree ? EXTENDED : 0);
  view.setUint16(FLAGS_AT, flags | Math.min(nameLength, 0xfff));
  if (entry.skipWorktree) view.setUint16(FLAGS_AT + 2, SKIP_WORKTREE);
  return head;
}

/** Returns the bytes of entry i before its name, with the size set to 0: git then compares the content. */
export function smudgedHead(index: Index, i: number): Uint8Array {
  const head = headAt(index, i).slice();
  head.fill(0, SIZE_AT, SIZE_AT + 4);
  return head;
}

export function headAt(index: Index, i: number): Uint8Array {
  const at = index.starts[i]!;
  const extended = (uint16(index.bytes, at + FLAGS_AT) & EXTENDED) !== 0;
  return index.bytes.subarray(at, at + FLAGS_AT + (extended ? 4 : 2));
}

function uint16(bytes: Uint8Array, at: number): number {
  return bytes[at]! * 256 + bytes[at + 1]!;
}

function low32(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
