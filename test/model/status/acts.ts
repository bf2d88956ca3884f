/** What two agents, a person and a shell do to the repository; each act may come to nothing. */

import { applied, type Change, changes, isSame, merged, type Text } from './lines.ts';
import {
  ancestors,
  type Commit,
  type Files,
  mapFiles,
  mergedFiles,
  PATHS,
  type Version,
  type World,
} from './world.ts';

/** A number below the limit. */
export type Draw = (below: number) => number;

export type Act = (world: World, draw: Draw) => void;

export function pick<T>(draw: Draw, list: readonly T[]): T | undefined {
  return list[draw(list.length)];
}

/** Some of a text's lines replaced, taken out or with new ones between. */
export function changed(world: Pick<World, 'typed'>, draw: Draw, text: Text): Text {
  const from = draw(text.length + 1);
  const gone = text.slice(from, from + draw(4));
  const put = world.typed(gone.length === 0 ? 1 + draw(2) : draw(3), gone);
  return applied(text, [{ from, to: from + gone.length, put }]);
}

const edit: Act = (world, draw) => {
  const both = draw(5) === 0 ? PATHS : [pick(draw, PATHS)!];
  const files: Record<string, Text> = {};
  for (const path of both) {
    files[path] = changed(world, draw, world.work[path]!);
    if (draw(4) === 0) files[path] = changed(world, draw, files[path]!);
  }
  world.record('edit', files);
};

/** Typed by hand or written by a shell. */
const type: Act = (world, draw) => {
  const path = pick(draw, PATHS)!;
  world.write(path, changed(world, draw, world.work[path]!));
};

const looked: Act = (world, draw) => world.recordOutside([pick(draw, PATHS)!]);

/** A step of the trail that is the reverse of what a version did to one file or all. */
function reversed(
  world: World,
  version: Version,
  kind: 'back' | 'reject',
  choose: (one: Change) => boolean,
): void {
  const { parent } = version;
  const files: Record<string, Text> = {};
  for (const path of PATHS) {
    const [before, after] = [parent!.files[path]!, version.files[path]!];
    const back = applied(after, changes(after, before).filter(choose));
    const now = merged(after, world.work[path]!, back);
    if (!now) return;
    if (!isSame(now, world.work[path]!)) files[path] = now;
  }
  if (Object.keys(files).length > 0) world.record(kind, files);
}

function steps(world: World, ...kinds: ReadonlyArray<Version['kind']>): Version[] {
  const tip = world.synced();
  return tip ? ancestors(tip).filter(one => kinds.includes(one.kind)) : [];
}

const undo: Act = (world, draw) => {
  const found = steps(world, 'edit').at(-1 - draw(2));
  if (found) reversed(world, found, 'back', () => true);
};

const revert: Act = (world, draw) => {
  const found = pick(draw, steps(world, 'edit'));
  if (found) reversed(world, found, 'back', () => true);
};

/** Redoes an undo, or takes a rejection back. */
const again: Act = (world, draw) => {
  const found = pick(draw, steps(world, draw(2) ? 'reject' : 'back').slice(-2));
  if (found) reversed(world, found, 'back', () => true);
};

const reject: Act = (world, draw) => {
  const found = pick(draw, steps(world, 'edit').slice(-4));
  if (found) reversed(world, found, 'reject', () => draw(3) > 0);
};

const rollback: Act = (world, draw) => {
  const found = pick(draw, steps(world, 'base', 'edit', 'outside').slice(-4));
  const path = pick(draw, PATHS)!;
  if (found && !isSame(found.files[path]!, world.work[path]!))
    world.record('back', { [path]: found.files[path]! });
};

/** Sets some of the lines that differ from an older text back by hand: HEAD's, or one of the trail. */
const setBack: Act = (world, draw) => {
  const path = pick(draw, PATHS)!;
  const old = draw(2) ? world.head : pick(draw, steps(world, 'base', 'edit', 'outside'));
  if (!old) return;
  const all = changes(world.work[path]!, old.files[path]!);
  const kept = draw(3) === 0 ? all : all.filter(() => draw(2));
  world.write(path, applied(world.work[path]!, kept));
};

/** Puts text that an edit wrote, and that is gone, in again by hand. */
const typeAgain: Act = (world, draw) => {
  const version = pick(draw, steps(world, 'edit', 'outside'));
  const path = pick(draw, PATHS)!;
  if (!version) return;
  const text = merged(version.parent!.files[path]!, world.work[path]!, version.files[path]!);
  if (text) world.write(path, text);
};

function commit(world: World, files: Files): void {
  world.moveHead({ parent: world.head, files });
}

const commitAll: Act = world => {
  commit(world, world.work);
  world.index = world.work;
};

/** Stages a file, or some of its changes. */
const stage: Act = (world, draw) => {
  const path = pick(draw, PATHS)!;
  const all = changes(world.index[path]!, world.work[path]!);
  const chosen = draw(2) ? all : all.filter(() => draw(2));
  world.index = { ...world.index, [path]: applied(world.index[path]!, chosen) };
};

const commitIndex: Act = world => commit(world, world.index);

const amend: Act = (world, draw) => {
  if (draw(2)) world.index = world.work;
  world.moveHead({ parent: world.head.parent, files: world.index });
};

function above(world: World, draw: Draw): Commit {
  const up = world.head.parent;
  return (draw(2) ? up?.parent : up) ?? up ?? world.head;
}

const resetHard: Act = (world, draw) => {
  const to =
    draw(3) === 0
      ? world.head
      : draw(4) === 0
        ? pick(draw, [...world.branches.values()])!
        : above(world, draw);
  world.moveHead(to);
  world.index = to.files;
  world.work = to.files;
};

const resetSoft: Act = (world, draw) => {
  world.moveHead(above(world, draw));
  if (draw(2)) world.index = world.head.files;
};

const restoreFile: Act = (world, draw) => {
  const path = pick(draw, PATHS)!;
  world.write(path, (draw(2) ? world.index : above(world, draw).files)[path]!);
};

const stash: Act = world => {
  if (world.isClean) return;
  world.stashes.unshift({ base: world.head, index: world.index, work: world.work });
  world.index = world.head.files;
  world.work = world.head.files;
};

const pop: Act = (world, draw) => {
  const at = draw(world.stashes.length + 1) && draw(world.stashes.length);
  const found = world.stashes[at];
  if (!found) return;
  const files = mergedFiles(found.base.files, world.work, found.work);
  if (!files) return;
  world.work = files;
  if (draw(4)) world.stashes.splice(at, 1);
};

const drop: Act = world => {
  world.stashes.shift();
};

/** Moves to a branch; what is uncommitted comes along where both have the file alike. */
function switchTo(world: World, name: string): void {
  const [from, to] = [world.head, world.branches.get(name)!];
  const isLike = (path: string): boolean => isSame(from.files[path]!, to.files[path]!);
  const isDirty = (path: string): boolean =>
    !isSame(world.work[path]!, from.files[path]!) || !isSame(world.index[path]!, from.files[path]!);
  if (PATHS.some(path => isDirty(path) && !isLike(path))) return;
  const [{ work, index }, { files }] = [world, to];
  world.work = mapFiles(path => (isLike(path) ? work : files)[path]!);
  world.index = mapFiles(path => (isLike(path) ? index : files)[path]!);
  world.branch = name;
}

const switchBranch: Act = (world, draw) => switchTo(world, pick(draw, [...world.branches.keys()])!);

const makeBranch: Act = (world, draw) => {
  const name = `topic-${world.branches.size}`;
  if (world.branches.size > 3) return;
  world.branches.set(name, draw(3) ? world.head : above(world, draw));
  if (draw(4)) switchTo(world, name);
};

const merge: Act = (world, draw) => {
  const other = pick(draw, [...world.branches.values()])!;
  const base = ancestorOf(world.head, other);
  const files = world.isClean && base ? mergedFiles(base.files, world.head.files, other.files) : null;
  if (!files) return;
  commit(world, files);
  world.work = files;
  world.index = files;
};

/** Replays the commits of the branch onto another one, with what is uncommitted put aside meanwhile. */
const rebase: Act = (world, draw) => {
  const onto = pick(draw, [...world.branches.values()])!;
  const base = ancestorOf(world.head, onto);
  if (!base || base === onto) return;
  const own: Commit[] = [];
  for (let one = world.head; one !== base; one = one.parent!) own.unshift(one);
  let head = onto;
  for (const one of own) {
    const files = mergedFiles(one.parent!.files, head.files, one.files);
    if (!files) return;
    head = { parent: head, files };
  }
  const work = mergedFiles(world.head.files, head.files, world.work);
  if (!work) return;
  world.moveHead(head);
  world.index = head.files;
  world.work = work;
};

function ancestorOf(one: Commit, other: Commit): Commit | null {
  const mine = new Set<Commit>();
  for (let at: Commit | null = one; at; at = at.parent) mine.add(at);
  for (let at: Commit | null = other; at; at = at.parent) if (mine.has(at)) return at;
  return null;
}

/** Commits what agents did: all that is there, or one edit. */
const land: Act = (world, draw) => {
  const version = draw(2) ? pick(draw, steps(world, 'edit')) : undefined;
  if (!version) return commitAll(world, draw);
  const files = mergedFiles(version.parent!.files, world.head.files, version.files);
  if (!files) return;
  const before = world.head.files;
  commit(world, files);
  world.index = mapFiles(path => (isSame(world.index[path]!, before[path]!) ? files : world.index)[path]!);
};

/** By name, with how many of a hundred they are. */
export const ACTS: ReadonlyArray<readonly [name: string, weight: number, act: Act]> = [
  ['an edit', 22, edit],
  ['typed by hand', 7, type],
  ['a shell writes', 4, type],
  ['looked at', 2, looked],
  ['undo', 5, undo],
  ['revert', 3, revert],
  ['taken back again', 4, again],
  ['reject', 6, reject],
  ['rollback', 2, rollback],
  ['set back by hand', 5, setBack],
  ['typed again', 4, typeAgain],
  ['commit all', 4, commitAll],
  ['stage', 4, stage],
  ['commit the index', 3, commitIndex],
  ['amend', 2, amend],
  ['reset --hard', 2, resetHard],
  ['reset --soft', 2, resetSoft],
  ['restore a file', 2, restoreFile],
  ['stash', 4, stash],
  ['stash pop', 5, pop],
  ['stash drop', 1, drop],
  ['switch', 3, switchBranch],
  ['branch', 2, makeBranch],
  ['merge', 1, merge],
  ['rebase', 2, rebase],
  ['land', 4, land],
];
