/** Turns what node's `lstat` and `fstat` answer (with `bigint: true`) into the `Stat` of the contract. */

import type { Stat } from './fs.ts';

/** The fields that node and its imitations give; the `Ns` ones are missing in some imitations. */
export interface BigStat {
  mode: bigint | number;
  size: bigint | number;
  mtimeNs?: bigint;
  ctimeNs?: bigint;
  mtimeMs: bigint | number;
  ctimeMs: bigint | number;
  dev: bigint | number;
  ino: bigint | number;
  uid: bigint | number;
  gid: bigint | number;
}

/** The contract's `Stat` from node's. */
export function toStat(stat: BigStat): Stat {
  const mode = Number(stat.mode);
  return {
    type: typeOfMode(mode),
    size: Number(stat.size),
    mode,
    mtimeNs: stat.mtimeNs ?? fromMs(stat.mtimeMs),
    ctimeNs: stat.ctimeNs ?? fromMs(stat.ctimeMs),
    dev: BigInt(stat.dev),
    ino: BigInt(stat.ino),
    uid: Number(stat.uid),
    gid: Number(stat.gid),
  };
}

/** The kind of file that the upper bits of `st_mode` name. */
function typeOfMode(mode: number): Stat['type'] {
  const format = mode & 0o170000;
  if (format === 0o100000) return 'file';
  if (format === 0o040000) return 'directory';
  return format === 0o120000 ? 'symlink' : 'other';
}

function fromMs(ms: bigint | number): bigint {
  return BigInt(Math.trunc(Number(ms))) * 1_000_000n;
}
