/** Who is said to hold the repository, and of which start of the machine a journal is. */

import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';
import type { Context } from '../../../../src/workspace/context.ts';
import type { JournalFile } from '../../../../src/workspace/transaction/journal/frames.ts';
import { bootOf, lockHolder } from '../../../../src/workspace/transaction/journal/interrupted.ts';
import type { ChangeRecord } from '../../../../src/workspace/transaction/journal/record.ts';
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
  ['somebody who cannot be told', '\0', { pid: 0, host: 'unknown' }],
])('the lock is held by %s', async (_, lock, holder) => {
  const folder = scratch();
  if (lock !== null) plant(folder, lock);
  expect(await lockHolder(contextIn(folder))).toEqual(holder);
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
