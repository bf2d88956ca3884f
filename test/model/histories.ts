/** Histories: what happens, item by item, before the kill or power cut; and the worlds that each ends in. */

import { checkpoint } from './checkpoint.ts';
import { edit, type Outcome, type Steps, takeLock } from './edit.ts';
import { type Case, isExcused, violations } from './invariants.ts';
import { journalsThere } from './journal.ts';
import { ACTS } from './person.ts';
import type { EditSpec } from './plan.ts';
import { cut, powerCuts } from './power-cut.ts';
import { World } from './world.ts';

/** What runs step by step: an edit, or a checkpoint. */
export type Work = EditSpec | 'checkpoint';

export type Item =
  | { kind: 'act'; act: string }
  /** To its end. */
  | { kind: 'work'; work: Work }
  /** A person acts when so many steps are done; the work goes on. */
  | { kind: 'work'; work: Work; at: number; act: string }
  /** The process is killed, or stopped, when so many steps are done. */
  | { kind: 'kill' | 'stop'; work: Work; at: number }
  /** The process that was stopped goes on, to its end or for so many steps. */
  | { kind: 'wake'; steps?: number }
  /** A power cut that leaves everything, or the oldest of everything, and then other items on the next boot. */
  | { kind: 'cut'; leaves: 'all' | 'oldest' };

/** A history in words, as a failing test shows it. */
export function describe(items: readonly Item[]): string {
  return items.map(describeItem).join('; ');
}

function describeItem(item: Item): string {
  if (item.kind === 'act') return item.act;
  if (item.kind === 'wake') return item.steps === undefined ? 'wake' : `wake for ${item.steps}`;
  if (item.kind === 'cut') return `power cut (${item.leaves})`;
  const work = item.work === 'checkpoint' ? item.work : describeEdit(item.work);
  if (item.kind !== 'work') return `${item.kind} ${work} at ${item.at}`;
  return 'at' in item ? `${work} with '${item.act}' at ${item.at}` : work;
}

function describeEdit({ ref, worktree, changes, fails }: EditSpec): string {
  const what = changes.map(({ path, kind }) => `${kind} ${path}`).join('+');
  return [`${ref}@${worktree} ${what}`, fails && `${fails} fails`].filter(Boolean).join(' ');
}

interface Stopped {
  token: number;
  steps: Steps<unknown>;
}

/** A history as it runs. Replayed from its start each time, since a stopped process can not be copied. */
export class Run {
  world: World;
  stopped: Stopped | null = null;
  tokens = 0;

  constructor(flaws: ReadonlySet<string>) {
    this.world = firstWorld(flaws);
  }

  /** False for an item that changes nothing, or of which less is left than it asks for. */
  apply(item: Item): boolean {
    const { world } = this;
    if (item.kind === 'act') return ACTS[item.act]!(world);
    if (item.kind === 'cut') {
      if (this.stopped) return false;
      this.world = cut(world, count => (item.leaves === 'all' ? 0 : count - 1));
      return true;
    }
    if (item.kind === 'wake') return this.#wake(item.steps);
    const token = ++this.tokens;
    const steps = start(world, token, item.work);
    if (!('at' in item)) return runToEnd(steps) !== null;
    if (!advance(steps, item.at)) return false;
    if (item.kind === 'work') return this.#beside(steps, item.act);
    if (item.kind === 'kill') world.dead.add(token);
    else if (this.stopped) return false;
    else this.stopped = { token, steps };
    return true;
  }

  #beside(steps: Steps<unknown>, act: string): boolean {
    if (!ACTS[act]!(this.world)) return false;
    runToEnd(steps);
    return true;
  }

  #wake(count: number | undefined): boolean {
    const { stopped, world } = this;
    if (!stopped) return false;
    this.stopped = null;
    if (count === undefined) return runToEnd(stopped.steps) !== null;
    if (!advance(stopped.steps, count)) return false;
    world.dead.add(stopped.token);
    return true;
  }
}

function start(world: World, token: number, work: Work): Steps<unknown> {
  return work === 'checkpoint' ? checkpoint(world, token) : edit(world, token, work);
}

function runToEnd(steps: Steps<unknown>): unknown {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** False when the work ends before. */
function advance(steps: Steps<unknown>, count: number): boolean {
  for (let done = 0; done < count; done++) if (steps.next().done) return false;
  return true;
}

/** Two work trees on two branches, one more branch, all of it durable; the trails are not made yet. */
export function firstWorld(flaws: ReadonlySet<string>): World {
  const world = new World(flaws);
  const first = world.newCommit({ parents: [], tree: { f: 'f0', g: 'g0' }, by: 'person' });
  const second = world.newCommit({ parents: [first], tree: { f: 'f1', g: 'g0' }, by: 'person' });
  for (const oid of [first, second]) world.objects.set(oid, true);
  for (const [ref, value] of Object.entries({ main: second, side: first, other: second }))
    world.refs.set(ref, { now: { value, ino: world.newInode(), by: 'person' }, past: [] });
  for (const worktree of ['w1', 'w2']) {
    world.heads.set(worktree, worktree === 'w1' ? 'main' : 'other');
    const entries = { f: 'f1', g: 'g0' };
    world.indexes.set(worktree, { now: { entries, ino: world.newInode(), by: 'person' }, past: [] });
    for (const [path, version] of Object.entries(entries))
      world.files.set(`${worktree}/${path}`, {
        now: { version, ino: world.newInode(), by: 'person' },
        past: [],
      });
  }
  for (let ino = 1; ino <= world.inodes; ino++) world.synced.add(ino);
  return world;
}

/** Replays a history; `null` where an item does nothing. */
export function replay(items: readonly Item[], flaws: ReadonlySet<string>): Run | null {
  const run = new Run(flaws);
  for (const item of items) if (!run.apply(item)) return null;
  return run;
}

export interface Tally {
  histories: number;
  worlds: number;
  /** By kind of violation, an example. */
  found: Map<string, string>;
}

/** Ends a history in a kill, and in the power cuts that `limit` allows, and looks at each world after recovery. */
export function judge(items: readonly Item[], run: Run, limit: number, tally: Tally): void {
  const { world } = run;
  tally.histories += 1;
  const look = (found: World, isPowerCut: boolean): void => {
    tally.worlds += 1;
    for (const fault of judgeWorld(world, found, isPowerCut)) {
      const key = `${isPowerCut ? 'power cut' : 'kill'}: ${classOf(fault)}`;
      if (!tally.found.has(key)) tally.found.set(key, `${fault} <- ${describe(items)}`);
    }
  };
  look(world, false);
  for (const found of powerCuts(world, limit)) look(found, true);
}

/** The fault without its names. */
function classOf(fault: string): string {
  return fault.replaceAll(/[ep]\d+\.\d+/g, 'C').replaceAll(/\b([fgh])(-person)?\d+/g, '$1$2');
}

function judgeWorld(before: World, found: World, isPowerCut: boolean): string[] {
  const after = found.clone();
  const opener = 1000;
  const faults = isPowerCut ? [] : rawFaults(before);
  if (!runToEnd(takeLock(after, opener))) faults.push('I8 recovery did not get the lock');
  after.tmp.delete(opener);
  if (after.lock === opener) after.lock = null;
  if (isCollectedBeside(after)) runToEnd(checkpoint(after, opener + 1));
  const one: Case = { before, found, after, isPowerCut };
  faults.push(...violations(one), ...nextEdits(one));
  return faults;
}

/**
 * I1: `git fsck` is clean at once after a kill. Not where a `git gc --prune=now` looked between an edit's objects and its ref:
 * then the journal has them, until the checkpoint.
 */
function rawFaults(world: World): string[] {
  if (isCollectedBeside(world)) return [];
  return [...world.refs.keys()].flatMap(ref => {
    const value = world.readRef(ref)?.value;
    return value === undefined || world.isReadable(value) ? [] : [`I1 ${ref} is unreadable before recovery`];
  });
}

function isCollectedBeside(world: World): boolean {
  const isHeld = journalsThere(world).some(({ records }) => records.now.length > 0);
  return world.ledger.collectedBeside !== null && isHeld;
}

/** I8: the next edit of each ref is done. */
function nextEdits(one: Case): string[] {
  const faults: string[] = [];
  for (const spec of [NEXT_HEAD, NEXT_TRAIL]) {
    const world = one.after.clone();
    const head = world.heads.get('w1')!;
    const ref = spec.ref === 'HEAD' ? head : spec.ref;
    if (isExcused(one, ref) || isExcused(one, head) || world.indexes.get('w1')?.now?.entries['?']) continue;
    const outcome = runToEnd(edit(world, 2000, spec)) as Outcome;
    const value = world.readRef(ref)?.value;
    if (outcome !== 'done' || !value || !world.isReadable(value))
      faults.push(`I8 the next edit on ${ref} fails`);
  }
  return faults;
}

const NEXT_HEAD: EditSpec = { ref: 'HEAD', worktree: 'w1', changes: [{ path: 'f', kind: 'write' }] };
const NEXT_TRAIL: EditSpec = { ref: 'trail', worktree: 'w1', changes: [{ path: 'g', kind: 'write' }] };
