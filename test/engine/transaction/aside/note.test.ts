/** A note counts only as the engine itself writes it. */

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Asides } from '../../../../src/engine/transaction/aside/asides.ts';
import {
  exactOf,
  type Note,
  parseNote,
  reasonOf,
  setAside,
} from '../../../../src/engine/transaction/aside/note.ts';
import type { ChangeRecord } from '../../../../src/engine/transaction/journal/record.ts';
import { EditError } from '../../../../src/errors.ts';
import { nodeFs } from '../../../../src/fs/node/node-fs.ts';

const OID = 'a'.repeat(40);

const RECORD: ChangeRecord = {
  name: `${'0'.repeat(24)}.1`,
  worktree: null,
  prefix: 'sub/',
  ref: 'refs/vedit/main',
  old: OID,
  new: OID,
  refBefore: null,
  refStaged: null,
  lockInode: '1',
  store: null,
  paths: [{ path: 'sub/a.txt', after: null }],
  index: null,
  landing: null,
  exact: [],
};

const NOTE: Note = {
  records: [RECORD],
  ref: RECORD.ref,
  paths: ['a.txt'],
  why: 'in use',
  cause: 'EBUSY',
  since: '2026-01-01T00:00:00.000Z',
  exact: [[OID, btoa('x')]],
};

const parsed = (note: unknown) => parseNote('1.json', new TextEncoder().encode(JSON.stringify(note)));

it('counts as it is written', () => {
  const note = parsed(NOTE);
  expect(note).toEqual({ ...NOTE, file: '1.json' });
  expect(exactOf(note!)).toEqual([{ oid: OID, deflated: new Uint8Array([120]) }]);
});

const ELSE = { ...RECORD, paths: [{ path: 'sub/b.txt', after: null }] };

it.each<Partial<Record<keyof Note, unknown>>>([
  { records: [] },
  { records: [RECORD, { ...RECORD, name: 'x' }] },
  { records: [{ ...RECORD, worktree: 'other' }, RECORD] },
  { records: [{ ...RECORD, prefix: '' }, RECORD] },
  { records: [RECORD, { ...RECORD, ref: 'HEAD' }] },
  { records: [ELSE] },
  { ref: 'HEAD' },
  { paths: ['b.txt'] },
  { paths: ['../sub/a.txt'] },
  { paths: null },
  { why: 'x'.repeat(401) },
  { why: 1 },
  { cause: null },
  { since: undefined },
  { exact: [['x', 'y']] },
  { exact: [[OID, 1]] },
])('does not count with %j', change => {
  expect(parsed({ ...NOTE, ...change })).toBeNull();
});

it('there is one for each ref, with the records of its paths alone, the oldest first', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-note-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (n: number, ref: string, ...names: string[]): ChangeRecord => {
    const name = `${'0'.repeat(24)}.${n}`;
    return { ...RECORD, name, ref, paths: names.map(one => ({ path: `sub/${one}`, after: null })) };
  };
  const records = [
    at(1, 'HEAD', 'a'),
    at(2, 'refs/vedit/x', 'a', 'b'),
    at(3, 'HEAD', 'a'),
    at(4, 'HEAD', 'c'),
  ];
  const left = {
    records,
    paths: new Map([
      ['a', 'gone'],
      ['b', 'gone'],
    ]),
    objects: [],
  };
  await setAside({ fs: nodeFs(), folder, now: () => new Date() }, left);
  const notes = await new Asides().all({ fs: nodeFs(), folder });
  const told = notes.map(({ file, ref, paths, records }) => [file.slice(25), ref, paths, records.length]);
  expect(told).toEqual([
    ['2.1.json', 'refs/vedit/x', ['b'], 1],
    ['3.0.json', 'HEAD', ['a'], 3],
  ]);
  expect(notes[1]!.records.map(({ name }) => name.slice(25))).toEqual(['1', '2', '3']);
});

it('a reason is short, and in words', () => {
  expect(reasonOf({ code: 'EBUSY' }).cause).toBe('EBUSY');
  expect(reasonOf(new EditError('STORE_FAILED', 'x', { cause: 'EIO' }))).toMatchObject({ cause: 'EIO' });
  expect(reasonOf('not there')).toEqual({ why: 'not there', cause: 'unseen' });
  expect(reasonOf('x'.repeat(500)).why).toHaveLength(400);
});
