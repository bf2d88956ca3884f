/** The file by which waiters are seen stays short, and nothing that fails on it costs anybody the lock. */

import { expect, it } from 'vitest';
import type { FileHandle, Fs, Stat } from '../../../src/fs/fs.ts';
import { Wanted } from '../../../src/fs/lock/wanted.ts';
import { failing } from '../../helpers/overriding.ts';

/** A file of which each write has a time of its own. */
function file(broken: Partial<FileHandle> = {}) {
  const state = { size: 0, longest: 0, time: 0n, closed: 0 };
  const handle: Partial<FileHandle> = {
    stat: async () => ({ mtimeNs: state.time }) as Stat,
    write: async bytes => {
      state.size += bytes.length;
      state.longest = Math.max(state.longest, state.size);
      state.time++;
    },
    truncate: async size => void (state.size = size),
    close: async () => void state.closed++,
    ...broken,
  };
  return { state, fs: { open: async () => handle } as unknown as Fs };
}

it('is emptied before it outgrows a page', async () => {
  const { state, fs } = file();
  const wanted = (await Wanted.open(fs, 'wanted'))!;
  for (let n = 0; n < 3 * 4096; n++) await wanted.note();
  expect([state.longest, state.time]).toEqual([4096, 12_288n]);
});

it('tells once of what was written since', async () => {
  const { fs } = file();
  const [owner, waiter] = [(await Wanted.open(fs, 'wanted'))!, (await Wanted.open(fs, 'wanted'))!];
  expect(await owner.isNoted()).toBe(false);
  await waiter.note();
  expect([waiter.isOwn, owner.isOwn, await owner.isNoted(), await owner.isNoted()]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([await waiter.isNoted(), waiter.isOwn]).toEqual([true, false]);
});

it('that cannot be opened or looked at is none, and is closed', async () => {
  const none = { open: failing('EACCES') } as unknown as Fs;
  expect(await Wanted.open(none, 'wanted')).toBeNull();
  const blind = file({ stat: failing('EIO') });
  expect([await Wanted.open(blind.fs, 'wanted'), blind.state.closed]).toEqual([null, 1]);
});

it('that cannot be written, emptied or looked at any more tells nothing, and fails nobody', async () => {
  const full = file({ write: failing('ENOSPC'), truncate: failing('EIO') });
  const wanted = (await Wanted.open(full.fs, 'wanted'))!;
  for (let n = 0; n < 4096; n++) await wanted.note();
  expect(await wanted.isNoted()).toBe(false);
  let isBlind = false;
  const stat = async (): Promise<Stat> => (isBlind ? failing('EIO')() : ({ mtimeNs: 1n } as unknown as Stat));
  const blind = (await Wanted.open(file({ stat }).fs, 'wanted'))!;
  isBlind = true;
  expect(await blind.isNoted()).toBe(false);
});
