/**
 * One path that is set aside, in every short history of what a person, git and the engine do then. The decision on the file is
 * the engine's own; the order in which a note is judged is that of dev/how-it-works.md.
 */

import { expect, it } from 'vitest';
import { decideFile, type Evidence, type Version } from '../../src/fs/recovery-rules.ts';

/** What may be wrong with the judge: each is to be found. */
type Flaw = 'evidence only' | 'id only' | 'tip not asked' | 'dropped when it fails' | 'puts over anything';

interface World {
  file: { text: string | null; ino: number };
  /** What the trail has at the path. */
  tip: string | null;
  /** Git's entry of the work tree; `null`: pruned. */
  entry: 'first' | 'another' | null;
  isSeen: boolean;
  /** What stands in the way. */
  isStuck: boolean;
  isNoted: boolean;
  inode: number;
}

const OLD = 'old';
const NEW = 'new';

/** What the engine may never write over. */
const MINE = 'mine';

const ACTS: Readonly<Record<string, (world: World) => void>> = {
  'the person saves a text': world => write(world, MINE),
  'a backup brings the file back': world => write(world, OLD),
  'the edit is undone': world => {
    world.tip = OLD;
  },
  'the person amends': world => {
    world.tip = 'amended';
  },
  'the work tree is hidden': world => {
    world.isSeen = false;
  },
  'it is seen again': world => {
    world.isSeen = true;
  },
  'its entry is pruned': world => {
    world.entry = null;
  },
  'another one gets its id': world => {
    world.entry = 'another';
    write(world, OLD);
  },
  'the cause goes': world => {
    world.isStuck = false;
  },
};

function write(world: World, text: string): void {
  world.file = { text, ino: ++world.inode };
}

const evidence = (ino: number): Evidence => ({ ino: String(ino), mtimeNs: '0', size: 1 });
const version = (text: string | null): Version => (text === null ? null : { version: text, mode: '100644' });

/** The next call of the engine. */
function judge(world: World, flaw?: Flaw): void {
  if (!world.isNoted) return;
  const isGone = flaw === 'id only' ? world.entry === null : world.entry !== 'first';
  const isOther = flaw !== 'tip not asked' && world.tip !== NEW;
  if (isGone || isOther) world.isNoted = false;
  if (!world.isNoted || !world.isSeen) return;
  const decided = decideFile({
    boot: 'other',
    records: [{ before: version(OLD), after: version(NEW), was: evidence(1), staged: evidence(2) }],
    publication: 'published',
    others: null,
    present: world.file.text === null ? null : evidence(world.file.ino),
    isStaged: false,
    ...(flaw === 'evidence only' ? {} : { version: version(world.file.text) }),
  });
  const isToPut = flaw === 'puts over anything' || decided !== 'leave';
  if (isToPut && world.isStuck) world.isNoted = flaw !== 'dropped when it fails';
  else {
    if (isToPut) write(world, NEW);
    world.isNoted = false;
  }
}

/** All that is broken in the histories of so many acts, each followed by a call of the engine or not. */
function broken(length: number, flaw?: Flaw): Set<string> {
  const found = new Set<string>();
  const visit = (world: World, left: number): void => {
    check(world, flaw, found);
    if (left === 0) return;
    for (const act of Object.values(ACTS))
      for (const isCalled of [false, true]) {
        const next = { ...world };
        act(next);
        const before = { ...next };
        if (isCalled) judge(next, flaw);
        if (next.file !== before.file) checkPut(before, found);
        visit(next, left - 1);
      }
  };
  const start = { file: { text: OLD, ino: 1 }, tip: NEW, entry: 'first' as const, inode: 9 };
  visit({ ...start, isSeen: true, isStuck: true, isNoted: true }, length);
  return found;
}

/** What may be put in place, and where. */
function checkPut(before: World, found: Set<string>): void {
  if (before.file.text === MINE) found.add('a person’s text was written over');
  if (before.entry !== 'first') found.add('a file of another work tree was written');
  if (before.tip !== NEW) found.add('what somebody took back was put in place');
  if (!before.isSeen || before.isStuck) found.add('the impossible was done');
}

/** When every cause is gone and the next call was made, nothing waits, and the edit is in the file unless somebody decided otherwise. */
function check(world: World, flaw: Flaw | undefined, found: Set<string>): void {
  const isOurs = world.entry === 'first' && world.tip === NEW && world.file.text === OLD && world.isNoted;
  const wasDropped =
    world.entry === 'first' && world.tip === NEW && world.file.text === OLD && !world.isNoted;
  const end = { ...world, isSeen: true, isStuck: false };
  judge(end, flaw);
  if (end.isNoted) found.add('it waits for ever');
  if (isOurs && end.file.text !== NEW) found.add('the edit was lost');
  if (wasDropped && world.inode === 9) found.add('the edit was dropped');
}

it('is put in place, or ends, and nothing else is touched', () => {
  expect(broken(4)).toEqual(new Set());
});

it.each<[Flaw, RegExp]>([
  ['evidence only', /the edit was lost/],
  ['id only', /another work tree/],
  ['tip not asked', /took back/],
  ['dropped when it fails', /dropped/],
  ['puts over anything', /person/],
])('finds what is wrong: %s', (flaw, finds) => {
  expect([...broken(4, flaw)].join()).toMatch(finds);
});
