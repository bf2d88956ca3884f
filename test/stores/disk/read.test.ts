import { expect, it } from 'vitest';
import { lstatOf, type Stat } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { sameContent, sameStat } from '../../../src/stores/disk/read.ts';

it('a file is the same as before only where all that tells of a write is', async () => {
  const stat = await lstatOf(nodeFs(), import.meta.filename);
  const others: Partial<Stat>[] = [
    { ino: stat.ino + 1n },
    { dev: stat.dev + 1n },
    { size: stat.size + 1 },
    { mode: stat.mode ^ 0o100 },
    { mtimeNs: stat.mtimeNs + 1n },
  ];
  expect(sameContent(stat, { ...stat })).toBe(true);
  for (const other of others)
    expect([other, sameContent(stat, { ...stat, ...other })]).toEqual([other, false]);
  // A new name, or one less.
  const linked = { ...stat, ctimeNs: stat.ctimeNs + 1n };
  expect([sameContent(stat, linked), sameStat(stat, linked), sameStat(stat, stat)]).toEqual([
    true,
    false,
    true,
  ]);
});
