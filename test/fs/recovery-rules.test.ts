/** The rules of recovery one by one; test/model/ tries them together. */

import { describe, expect, it } from 'vitest';
import {
  decideAside,
  decideFile,
  decideIndex,
  decideRef,
  type Evidence,
  type FileFacts,
  type IndexFacts,
  type RefFacts,
  type Version,
} from '../../src/fs/recovery-rules.ts';
import { countedRecords } from '../model/counted-records.ts';

const file = (ino: string): Evidence => ({ ino, mtimeNs: '1', size: 41 });
const blob = (version: string): Version => ({ version, mode: '100644' });

const FIRST = { old: 'o', new: 'n1', refBefore: file('o'), refStaged: file('n1') };
const SECOND = { old: 'n1', new: 'n2', refBefore: file('n1'), refStaged: file('n2') };
const value = (name: string, ino: string, reaches: string[] = []): RefFacts['present'] => ({
  kind: 'value',
  value: name,
  evidence: file(ino),
  isReadable: true,
  reaches,
});

describe('decideRef after a power cut', () => {
  const facts = (present: RefFacts['present'], readable = ['n1', 'n2']): RefFacts => ({
    boot: 'other',
    isStaged: false,
    records: [FIRST, SECOND],
    present,
    readable,
  });

  it.each([
    ['missing', { kind: 'missing' } as const],
    ['empty', { kind: 'empty' } as const],
    ['the old value in its file', value('o', 'o')],
    ['an older record in its file', value('n1', 'n1', ['n1'])],
  ])('sets the ref to the last record where it is %s', (_name, present) => {
    expect(decideRef(facts(present))).toEqual({
      set: 'n2',
      publication: 'published',
      keep: null,
      unreadable: null,
    });
  });

  it('sets it where only the staged file of a record tells: the one before was packed since', () => {
    const records = [FIRST, { ...SECOND, refBefore: file('packed') }];
    expect(decideRef({ ...facts(value('n1', 'n1', ['n1'])), records })).toMatchObject({ set: 'n2' });
    expect(decideRef({ ...facts(value('o', 'n1')), records })).toMatchObject({ set: null, keep: 'n2' });
  });

  it('leaves it at the last record and above, in whatever file', () => {
    expect(decideRef(facts(value('n2', 'x', ['n1', 'n2'])))).toMatchObject({
      set: null,
      publication: 'published',
    });
    expect(decideRef(facts(value('p', 'x', ['n1', 'n2'])))).toMatchObject({ set: null, keep: null });
  });

  it("leaves a person's value, a named one in another file too, and keeps what was acknowledged", () => {
    const expected = { set: null, publication: 'moved', keep: 'n2', unreadable: null };
    expect(decideRef(facts(value('p', 'p')))).toEqual(expected);
    expect(decideRef(facts(value('n1', 'p', ['n1'])))).toEqual(expected);
  });

  it('replaces a value that cannot be read, and names it', () => {
    const broken = { ...value('p', 'p'), isReadable: false };
    expect(decideRef(facts(broken))).toMatchObject({ set: 'n2', unreadable: 'p' });
  });

  it('sets no ref to what cannot be read', () => {
    expect(decideRef(facts({ kind: 'missing' }, ['n1']))).toMatchObject({ set: 'n1' });
    expect(decideRef(facts({ kind: 'missing' }, []))).toMatchObject({ set: null, publication: 'moved' });
    expect(decideRef(facts(value('p', 'p'), ['n1']))).toMatchObject({ set: null, keep: null });
  });
});

describe('decideRef after a kill', () => {
  const facts = (present: RefFacts['present'], isStaged = false): RefFacts => ({
    boot: 'same',
    isStaged,
    records: [FIRST],
    present,
    readable: ['n1'],
  });

  it('sets nothing; a staged ref was never published, wherever the ref is now', () => {
    expect(decideRef(facts(value('o', 'o'), true))).toMatchObject({ set: null, publication: 'taken back' });
    expect(decideRef(facts(value('p', 'p'), true))).toMatchObject({ set: null, publication: 'taken back' });
    expect(decideRef(facts(value('n1', 'n1', ['n1'])))).toMatchObject({
      set: null,
      publication: 'published',
    });
    expect(decideRef(facts(value('p', 'p', ['n1'])))).toMatchObject({ publication: 'published' });
    expect(decideRef(facts(value('o', 'p')))).toMatchObject({ set: null, publication: 'moved', keep: null });
    expect(decideRef(facts({ kind: 'missing' }))).toMatchObject({ set: null, publication: 'moved' });
  });
});

describe('decideFile', () => {
  const facts = (changes: Partial<FileFacts>): FileFacts => ({
    boot: 'other',
    records: [
      { after: blob('b'), was: file('a'), staged: file('b') },
      { after: blob('c'), was: file('b'), staged: file('c') },
    ],
    publication: 'published',
    others: null,
    present: file('a'),
    isStaged: false,
    ...changes,
  });
  const creation = [{ after: blob('b'), was: null, staged: file('b') }];

  it('puts the last content where the file is an older one that a record names', () => {
    expect(decideFile(facts({}))).toEqual({ put: blob('c') });
    expect(decideFile(facts({ present: file('b') }))).toEqual({ put: blob('c') });
    expect(decideFile(facts({ present: file('c') }))).toBe('leave');
  });

  it("leaves somebody's file, the same inode written into too", () => {
    expect(decideFile(facts({ present: file('p') }))).toBe('leave');
    expect(decideFile(facts({ present: { ...file('a'), mtimeNs: '2' } }))).toBe('leave');
    expect(decideFile(facts({ present: { ...file('a'), size: 40 } }))).toBe('leave');
  });

  it("leaves it where somebody's commit says otherwise", () => {
    expect(decideFile(facts({ others: { head: blob('b') } }))).toBe('leave');
    expect(decideFile(facts({ others: { head: { version: 'c', mode: '100755' } } }))).toBe('leave');
    expect(decideFile(facts({ others: { head: blob('c') } }))).toEqual({ put: blob('c') });
  });

  it('makes a missing file again only where a record created it', () => {
    expect(decideFile(facts({ present: null }))).toBe('leave');
    expect(decideFile(facts({ present: null, records: creation }))).toEqual({ put: blob('b') });
    const deletion = { after: null, was: file('b'), staged: null };
    expect(decideFile(facts({ present: null, records: [...creation, deletion] }))).toBe('leave');
  });

  it('removes again what a record deleted', () => {
    const records = [{ after: null, was: file('a'), staged: null }];
    expect(decideFile(facts({ records }))).toEqual({ put: null });
    expect(decideFile(facts({ records, present: null }))).toBe('leave');
  });

  it('leaves an outside change, which is in its place already', () => {
    const records = [{ after: blob('p'), was: file('p'), staged: null }];
    expect(decideFile(facts({ records, present: file('p') }))).toBe('leave');
    expect(decideFile(facts({ boot: 'same', records, present: file('p') }))).toBe('leave');
  });

  it('finishes after a kill what was not reached, and nothing that was', () => {
    const records = [{ after: blob('c'), was: file('b'), staged: file('c') }];
    const after = { boot: 'same', records, isStaged: true } as const;
    expect(decideFile(facts({ ...after, present: file('b') }))).toEqual({ put: blob('c') });
    expect(decideFile(facts({ ...after, present: file('c') }))).toBe('leave');
    expect(decideFile(facts({ ...after, present: null }))).toBe('leave');
    const deletion = [{ after: null, was: file('a'), staged: null }];
    expect(decideFile(facts({ ...after, records: deletion }))).toEqual({ put: null });
    const missing = { boot: 'same', records: creation, present: null } as const;
    expect(decideFile(facts({ ...missing, isStaged: true }))).toEqual({ put: blob('b') });
    expect(decideFile(facts({ ...missing, isStaged: false }))).toBe('leave');
    expect(decideFile(facts({ ...missing, isStaged: true, publication: 'taken back' }))).toBe('leave');
  });

  it('leaves a file that was put back after it had been replaced or deleted', () => {
    const restored = { boot: 'same', isStaged: false, present: file('b') } as const;
    const replaced = [{ after: blob('c'), was: file('b'), staged: file('c') }];
    const deleted = [{ after: null, was: file('b'), staged: null }];
    expect(decideFile(facts({ ...restored, records: replaced }))).toBe('leave');
    expect(decideFile(facts({ ...restored, records: deleted }))).toBe('leave');
  });
});

it('decideFile in a copy of a repository goes by versions, since every file there is another one', () => {
  const record = { before: blob('a'), after: blob('b'), was: file('a'), staged: file('b') };
  const facts: FileFacts = {
    boot: 'same',
    records: [record],
    publication: 'published',
    others: null,
    present: file('copied'),
    isStaged: true,
  };
  expect(decideFile(facts)).toBe('leave');
  expect(decideFile({ ...facts, version: blob('a') })).toEqual({ put: blob('b') });
  expect(decideFile({ ...facts, version: blob('p') })).toBe('leave');
  expect(decideFile({ ...facts, version: blob('a'), isStaged: false })).toBe('leave');
  const { before: _, ...unknown } = record;
  expect(decideFile({ ...facts, records: [unknown], present: null, version: null })).toBe('leave');
});

it.each<[string, Version, ReturnType<typeof decideFile>]>([
  ['an older version', blob('a'), { put: blob('c') }],
  ['a version in between', blob('b'), { put: blob('c') }],
  ['the last version', blob('c'), 'leave'],
  ['the last version in another mode', { version: 'c', mode: '100755' }, 'leave'],
  ['somebody’s version', blob('p'), 'leave'],
  ['no file', null, 'leave'],
])('decideFile of what was set aside before a power cut goes by versions too: %s', (_, version, decided) => {
  const records = [
    { before: blob('a'), after: blob('b'), was: file('a'), staged: file('b') },
    { before: blob('b'), after: blob('c'), was: file('b'), staged: file('c') },
  ];
  const facts = { boot: 'other', records, publication: 'published', others: null, isStaged: false } as const;
  expect(decideFile({ ...facts, present: version && file('copied'), version })).toEqual(decided);
});

describe('decideAside', () => {
  const was = file('a');

  it('drops what nobody wrote into, and keeps what somebody did', () => {
    expect(decideAside({ was, aside: file('a'), present: file('b') })).toBe('drop');
    expect(decideAside({ was, aside: file('p'), present: file('b') })).toBe('keep');
    expect(decideAside({ was, aside: file('p'), present: null })).toBe('keep');
    // Killed between the link of the old file and the rename over it.
    expect(decideAside({ was, aside: file('p'), present: file('p') })).toBe('drop');
  });
});

describe('decideIndex', () => {
  const entry = { path: 'f', before: blob('a'), after: blob('b') };
  const facts = (changes: Partial<IndexFacts>): IndexFacts => ({
    boot: 'other',
    records: [{ entries: [entry], was: file('i'), staged: file('j') }],
    publication: 'published',
    present: file('i'),
    isStaged: false,
    entries: { f: { present: blob('a'), others: null } },
    ...changes,
  });

  it("puts the last entries into an index of the journal's, and leaves anybody else's", () => {
    expect(decideIndex(facts({}))).toEqual([entry]);
    expect(decideIndex(facts({ present: file('j') }))).toEqual([entry]);
    expect(decideIndex(facts({ present: file('p') }))).toEqual([]);
    expect(decideIndex(facts({ entries: { f: { present: blob('b'), others: null } } }))).toEqual([]);
    expect(decideIndex(facts({ entries: { f: { present: blob('a'), others: { head: null } } } }))).toEqual(
      [],
    );
  });

  it('goes by the last record of a path after a power cut, and by the last record of all after a kill', () => {
    const later = { path: 'f', before: blob('b'), after: blob('c') };
    const other = { path: 'g', before: null, after: blob('g') };
    const records = [
      { entries: [entry, other], was: file('i'), staged: file('j') },
      { entries: [later], was: file('j'), staged: file('k') },
    ];
    const entries = { f: { present: blob('b'), others: null }, g: { present: null, others: null } };
    expect(decideIndex(facts({ records, entries }))).toEqual([later, other]);
    expect(decideIndex(facts({ records, entries, boot: 'same', isStaged: true }))).toEqual([later]);
  });

  it('puts them into a new index where the first edit found none, and its own was lost', () => {
    const first = { path: 'f', before: null, after: blob('b') };
    const records = [{ entries: [first], was: null, staged: file('j') }];
    const entries = { f: { present: null, others: null } };
    expect(decideIndex(facts({ records, entries, present: null }))).toEqual([first]);
    expect(decideIndex(facts({ records, entries, present: file('p') }))).toEqual([]);
    expect(decideIndex(facts({ present: null }))).toEqual([]);
  });

  it('finishes after a kill only where the index is still staged, and only what nobody staged anew', () => {
    expect(decideIndex(facts({ boot: 'same' }))).toEqual([]);
    expect(decideIndex(facts({ boot: 'same', isStaged: true, present: file('p') }))).toEqual([entry]);
    const staged = { f: { present: blob('p'), others: null } };
    expect(decideIndex(facts({ boot: 'same', isStaged: true, entries: staged }))).toEqual([]);
    expect(decideIndex(facts({ boot: 'same', isStaged: true, publication: 'moved' }))).toEqual([]);
  });
});

describe('countedRecords', () => {
  it('counts each journal up to its seal; a later seal replaces an earlier one', () => {
    const journals = [
      { name: 'journal.1', seals: [], records: [{ end: 10 }, { end: 20 }] },
      { name: 'journal.2', seals: [{ journal: 'journal.1', length: 20 }], records: [] },
      { name: 'journal.3', seals: [{ journal: 'journal.1', length: 10 }], records: [{ end: 30 }] },
    ];
    expect(countedRecords(journals)).toEqual([{ end: 10 }, { end: 30 }]);
  });
});
