/** A record of the journal counts only as the engine itself writes them: whatever else it says, nothing is done by it. */

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  type ChangeRecord,
  carriedObjects,
  checkedRecord,
  checkSize,
} from '../../../../src/engine/transaction/journal/record.ts';
import { nativeCodec } from '../../../../src/git/native/codec.ts';
import { EVIDENCE, OLD, RECORD, SIDE } from './valid-record.ts';

const landing = { from: OLD, staged: [{ path: 'a.txt', before: SIDE, after: 'branch' as const }] };
const entry = { path: 'a.txt', before: null, after: SIDE };

it.each<Partial<ChangeRecord>>([
  {},
  { worktree: 'other', prefix: 'sub/folder/' },
  { ref: 'HEAD' },
  { ref: 'refs/heads/main' },
  { old: null, refBefore: null },
  { old: '0'.repeat(40) },
  { landing },
  { paths: [{ path: 'link', after: { mode: '120000', oid: OLD } }] },
  { paths: [{ path: '.gitmodules', after: null }] },
  { index: null },
  { exact: [OLD] },
])('counts with %j', change => {
  const record = { ...RECORD, ...change };
  expect(checkedRecord(record)).toBe(record);
});

it.each<Record<string, unknown>>([
  { name: 'x' },
  { name: `../${RECORD.name}` },
  { name: `${RECORD.name}/../..` },
  { name: `${'0'.repeat(24)}.` },
  { name: `${'0'.repeat(23)}.1` },
  { name: null },
  { worktree: '..' },
  { worktree: '.' },
  { worktree: '' },
  { worktree: 'a/b' },
  { worktree: 1 },
  { prefix: 'sub' },
  { prefix: '../' },
  { prefix: '/' },
  { prefix: 'sub/../../out/' },
  { prefix: '.git/' },
  { prefix: null },
  { ref: 'refs/tags/v1' },
  { ref: 'refs/heads/../../config' },
  { ref: 'config' },
  { ref: 'x/refs/heads/main' },
  { old: 'main' },
  { new: 'main' },
  { new: null },
  { new: '0'.repeat(39) },
  { refBefore: {} },
  { refBefore: { ...EVIDENCE, ino: 1 } },
  { refStaged: { ...EVIDENCE, mtimeNs: 2 } },
  { refStaged: { ...EVIDENCE, size: '3' } },
  { lockInode: '' },
  { lockInode: '12x' },
  { lockInode: 'x12' },
  { lockInode: 12 },
  { store: undefined },
  { paths: null },
  { paths: [{ path: '../a', after: SIDE }] },
  { paths: [{ path: '.git/config', after: SIDE }] },
  { paths: [{ path: './a', after: SIDE }] },
  // One that is wrong beside one that is right.
  {
    paths: [
      { path: 'a', after: SIDE },
      { path: '../a', after: SIDE },
    ],
  },
  { paths: [{ path: 'a', after: { mode: '040000', oid: OLD } }] },
  { paths: [{ path: 'a', after: { mode: '100644', oid: 'x' } }] },
  { index: { entries: [], was: {}, staged: EVIDENCE } },
  { index: { entries: [], was: null, staged: {} } },
  { index: { entries: [{ ...entry, path: '/a' }], was: null, staged: null } },
  { index: { entries: [{ ...entry, before: { mode: '1', oid: OLD } }], was: null, staged: null } },
  { index: { entries: [{ ...entry, after: {} }], was: null, staged: null } },
  { landing: { ...landing, from: 'main' } },
  { landing: { ...landing, staged: [{ ...landing.staged[0], path: '..' }] } },
  { landing: { ...landing, staged: [{ ...landing.staged[0], before: {} }] } },
  { landing: { ...landing, staged: [{ ...landing.staged[0], after: 'head' }] } },
  { exact: ['x'] },
  { exact: null },
])('does not count with %j', change => {
  expect(checkedRecord({ ...RECORD, ...change } as ChangeRecord)).toBeNull();
});

it('a record without one of its fields does not count', () => {
  for (const field of Object.keys(RECORD)) {
    const { [field as keyof ChangeRecord]: _, ...rest } = RECORD;
    expect([field, checkedRecord(rest as ChangeRecord)]).toEqual([field, null]);
  }
  expect(checkedRecord(null as unknown as ChangeRecord)).toBeNull();
});

it('carries the objects that are what their ids say, without those that git shall not have', async () => {
  const blob = (words: string): { oid: string; deflated: Uint8Array } => {
    const bytes = Buffer.from(`blob ${words.length}\0${words}`);
    return { oid: createHash('sha1').update(bytes).digest('hex'), deflated: deflateSync(bytes) };
  };
  const [one, two, exact] = [blob('one'), blob('two'), blob('exact')] as const;
  const objects = [one, { ...two, oid: one.oid }, { ...two, deflated: new Uint8Array(3) }, exact, two];
  const carried: string[] = [];
  const frame = { data: { ...RECORD, exact: [exact.oid] }, objects };
  for await (const { oid } of carriedObjects(nativeCodec, frame)) carried.push(oid);
  expect(carried).toEqual([one.oid, two.oid]);
});

it('is refused beyond a gibibyte, before anything is written', () => {
  const most = { content: { length: 1024 * 1024 * 1024 } as Uint8Array };
  expect(() => checkSize([most])).not.toThrow();
  expect(() => checkSize([most, { content: new Uint8Array(1) }])).toThrow(
    /^The change has 1025 MiB of new content, and one may have 1024 MiB; nothing was changed\./,
  );
});
