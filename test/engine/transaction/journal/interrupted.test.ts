/** Who is said to hold the repository, and of which start of the machine a journal is. */

import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Context } from '../../../../src/engine/context.ts';
import type { JournalFile } from '../../../../src/engine/transaction/journal/frames.ts';
import {
  bootOf,
  hasLostPower,
  isInterrupted,
  lockHolder,
} from '../../../../src/engine/transaction/journal/interrupted.ts';
import { Journal } from '../../../../src/engine/transaction/journal/journal.ts';
import type { ChangeRecord } from '../../../../src/engine/transaction/journal/record.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../../src/git/native/codec.ts';
import { anotherProcess, deadLock, plant, scratch } from '../../../helpers/locks.ts';

function contextIn(folder: string, boot: string | null = 'now'): Context {
  mkdirSync(`${folder}/live`);
  const { self } = anotherProcess();
  const processes = anotherProcess({ self: { ...self, boot }, isAlive: ({ pid }) => pid === 1 });
  return { fs: nodeFs(), processes, folder } as unknown as Context;
}

it.each([
  ['nobody', null, null],
  ['a process that lives', deadLock({ pid: 1, host: 'here' }), { pid: 1, host: 'here' }],
  ['a process that ended', deadLock({ pid: 2 }), null],
  ['nobody: it was cut off by a power cut', '\0', null],
  ['somebody who cannot be told', '{"format":3}', { pid: 0, host: 'unknown' }],
])('the lock is held by %s', async (_, lock, holder) => {
  const folder = scratch();
  if (lock !== null) plant(folder, lock);
  expect(await lockHolder(contextIn(folder))).toEqual(holder);
});

it.each([
  ['now', 1, false],
  ['before', 1, true],
  ['before', 0, false],
])('a journal of the start %s with %i records tells of a power cut: %s', async (boot, count, isLost) => {
  const folder = scratch();
  const context = { ...contextIn(folder), codec: nativeCodec };
  const journal = new Journal<{ n: number }>({ fs: nodeFs(), codec: nativeCodec, folder });
  await journal.begin({ boot, token: 'f'.repeat(24), seal: null }, 1);
  if (count > 0) await journal.append({ data: { n: 1 }, objects: [] });
  await journal.close();
  expect([await hasLostPower(context), await isInterrupted(context)]).toEqual([isLost, isLost]);
});

it.each<[string | null, (string | null)[], string]>([
  ['now', [], 'same'],
  ['now', ['now', 'now'], 'same'],
  ['now', ['before', 'now'], 'other'],
  ['now', [null], 'other'],
  [null, [null], 'other'],
])('of the start %s with files of %j: the %s one', async (boot, files, expected) => {
  const headers = files.map(one => ({ header: { boot: one, token: 'f'.repeat(24) } }));
  const journals = headers as unknown as JournalFile<ChangeRecord>[];
  expect(await bootOf(contextIn(scratch(), boot), journals)).toBe(expected);
});
