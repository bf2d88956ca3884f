/**
 * Which edits of the trail a person committed with plain git, by all files, some of them or some of their lines. Each time
 * that HEAD moved, the files that it changed are looked at: an edit is in such a file when the file is as the edit or a
 * later one left it, or when making the edit once more would change nothing.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isAncestor, revList } from '../../git/rev-list.ts';
import { isWork } from '../../operations.ts';
import { type Recorded, redoSteps, type Step, sameRecorded } from '../steps.ts';
import { readEntryOrNull, type TrailEntry, type TrailRow } from '../walk.ts';
import { blobsOf, mergeStep } from './merge-steps.ts';
import type { TakenBack } from './taken-back.ts';

/** A move of HEAD between two commits of the trail. */
interface Move {
  /** Where it went. */
  head: TrailEntry;
  /** The tree of the trail before it. */
  below: string;
}

/** The commit that brought what an edit did to a path. */
export interface Holder {
  commit: string;
  /** The move of HEAD that came with it: 0 is the newest. */
  move: number;
  /** True when HEAD then held the path as the trail had it, with all that was done before; false for some lines alone. */
  whole: boolean;
}

const NONE: ReadonlyMap<string, Holder> = new Map();

export class Committed {
  readonly #objects: ObjectDatabase;
  /** The newest first. */
  readonly #moves: Move[] = [];
  /** By path, the moves in which HEAD's file changed, the newest first. */
  readonly #changed = new Map<string, number[]>();
  readonly #takenBack: TakenBack;
  /** Moves and paths at which HEAD held what an edit left, and with it all that was done before. */
  readonly #whole = new Set<string>();
  /** By move and older commit, the commits in between. */
  readonly #since = new Map<string, ReadonlySet<string>>();
  #above: string | null;

  /** `head`: the newest commit of the branch. `takenBack` has to be told of each commit after `of`. */
  constructor(objects: ObjectDatabase, head: string | null, takenBack: TakenBack) {
    this.#objects = objects;
    this.#above = head;
    this.#takenBack = takenBack;
  }

  /** How many moves are known. */
  get moves(): number {
    return this.#moves.length;
  }

  /**
   * To be asked for every commit of the trail, the newest first: by path, the commit of the branch that holds what the
   * edit did there.
   */
  of(entry: TrailEntry): ReadonlyMap<string, Holder> | Promise<ReadonlyMap<string, Holder>> {
    // Of most, nothing has to be read.
    const isKnown = (entry.meta?.head ?? null) === this.#above && !this.#mayHold(entry);
    return isKnown ? NONE : this.#find(entry);
  }

  #mayHold({ meta }: TrailEntry): boolean {
    return meta !== null && isWork(meta.op) && this.#isChanged(meta.paths);
  }

  async #find(entry: TrailEntry): Promise<ReadonlyMap<string, Holder>> {
    await this.pass(entry);
    const found = new Map<string, Holder>();
    for (const step of this.#mayHold(entry) ? await redoSteps(this.#objects, entry) : []) {
      const holder = await this.#holderOf(entry, step);
      if (holder) found.set(step.path, holder);
    }
    return found;
  }

  /** True when HEAD moved between that commit and the one before it. */
  isMove({ head }: Pick<TrailRow, 'head'>): boolean {
    return (head ?? null) !== this.#above;
  }

  /** Takes note of a commit of which nobody asks, nor of older ones of its paths. */
  async pass({ meta, tree }: TrailEntry): Promise<void> {
    const head = meta?.head ?? null;
    if (head !== this.#above) await this.#addMove(this.#above, head, tree);
    this.#above = head;
  }

  #isChanged(paths: readonly string[]): boolean {
    return paths.some(path => this.#changed.has(path));
  }

  /** A commit that HEAD has left since, by a reset or an amended commit, holds nothing: that move counts with the next. */
  async #addMove(to: string | null, from: string | null, below: string): Promise<void> {
    const [head, before] = await Promise.all(
      [to, from].map(oid => (oid === null ? null : readEntryOrNull(this.#objects, oid))),
    );
    if (!head || !before) return;
    const newer = this.#moves.at(-1);
    if (!newer || (await isAncestor(this.#objects, head.commit, newer.head.commit)))
      this.#moves.push({ head, below });
    const index = this.#moves.length - 1;
    for (const { path } of await diffTrees(this.#objects, before.tree, this.#moves[index]!.head.tree)) {
      const known = this.#changed.get(path) ?? [];
      if (known.at(-1) !== index) known.push(index);
      this.#changed.set(path, known);
    }
  }

  /** The first commit that holds the step, in the oldest of the moves that brought it. */
  async #holderOf(entry: TrailEntry, step: Step): Promise<Holder | null> {
    const moves = this.#changed.get(step.path) ?? [];
    for (let at = moves.length - 1; at >= 0; at--) {
      const move = moves[at]!;
      if (this.#takenBack.isUndone(entry.commit, move)) continue;
      const how = await this.#howIn(entry, step, move);
      if (how === null) continue;
      return { commit: await this.#firstWith(entry, step, move), move, whole: how === 'whole' };
    }
    return null;
  }

  async #howIn(entry: TrailEntry, step: Step, index: number): Promise<'whole' | 'part' | null> {
    const { head, below } = this.#moves[index]!;
    const held = await lookup(this.#objects, head.tree, step.path);
    if (sameRecorded(held, step.from)) return null;
    const key = `${index}\0${step.path}`;
    const isWhole =
      sameRecorded(held, step.to) ||
      this.#whole.has(key) ||
      sameRecorded(held, await lookup(this.#objects, below, step.path));
    if (isWhole && !this.#takenBack.isReplaced(step.path, index)) {
      this.#whole.add(key);
      return 'whole';
    }
    const before = await readEntryOrNull(this.#objects, entry.meta!.head!);
    const then = before && (await lookup(this.#objects, before.tree, step.path));
    // What HEAD would not have been changed by before, such as taking out a line that it never had, shows nothing.
    const isNew = !(await this.#changesNothing(then, step));
    return isNew && (await this.#changesNothing(held, step)) ? 'part' : null;
  }

  async #changesNothing(held: Recorded, step: Step): Promise<boolean> {
    const merged = await mergeStep(blobsOf(this.#objects), held, step);
    return !('conflict' in merged) && sameRecorded(merged.recorded, held);
  }

  /** From a commit that holds the step down to the one that brought it; of a merge, into the side that did. */
  async #firstWith(entry: TrailEntry, step: Step, move: number): Promise<string> {
    const commits = await this.#commitsSince(entry.meta!.head!, move);
    let now = this.#moves[move]!.head;
    for (let below = await this.#belowWith(now, step, commits); below; ) {
      now = below;
      below = await this.#belowWith(now, step, commits);
    }
    return now.commit;
  }

  /** What the branch had after the move and not when the edit was made. */
  async #commitsSince(head: string, move: number): Promise<ReadonlySet<string>> {
    const key = `${move}\0${head}`;
    const known = this.#since.get(key);
    if (known) return known;
    const found = await revList(this.#objects, this.#moves[move]!.head.commit, head);
    this.#since.set(key, found);
    return found;
  }

  async #belowWith(now: TrailEntry, step: Step, commits: ReadonlySet<string>): Promise<TrailEntry | null> {
    const held = await lookup(this.#objects, now.tree, step.path);
    let other: TrailEntry | null = null;
    for (const oid of now.parents.filter(one => commits.has(one))) {
      const parent = await readEntryOrNull(this.#objects, oid);
      const then = parent && (await lookup(this.#objects, parent.tree, step.path));
      if (parent && sameRecorded(then, held)) return parent;
      const holds = parent && !sameRecorded(then, step.from) && (await this.#changesNothing(then, step));
      if (holds) other ??= parent;
    }
    return other;
  }
}
