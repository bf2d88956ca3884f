/** A journal in a folder of its own. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Journal } from '../../../../src/engine/transaction/journal/journal.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../../src/git/native/codec.ts';

export interface Place {
  folder: string;
  file(number: number): string;
  journal: Journal<{ n: number }>;
}

/** With so many records, numbered from 1. */
export async function place(records = 0): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-journal-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = new Journal<{ n: number }>({ fs: nodeFs(), codec: nativeCodec, folder });
  onTestFinished(() => journal.close());
  await journal.begin({ boot: 'b', token: 't', seal: null }, 1);
  for (let n = 1; n <= records; n++) await journal.append(record(n));
  return { folder, journal, file: number => join(folder, `journal.${number}`) };
}

export const record = (
  n: number,
): { data: { n: number }; objects: { oid: string; deflated: Uint8Array }[] } => ({
  data: { n },
  objects: [{ oid: String(n).padStart(40, '0'), deflated: Uint8Array.of(n, 0, 255) }],
});

/** As another process opens it. */
export function other({ folder }: Place): Journal<{ n: number }> {
  return new Journal<{ n: number }>({ fs: nodeFs(), codec: nativeCodec, folder });
}

/** Of all records that another process reads. */
export async function numbers(at: Place): Promise<number[]> {
  const files = await other(at).readAll();
  return files.flatMap(file => file.records.map(({ data }) => data.n));
}
