/**
 * One reader of what happens: its place, and what came since. It looks when it is asked and keeps nothing but the ids of
 * the commits of one look, so that a slow reader costs no more than a fast one.
 */

import type { Context } from '../engine/context.ts';
import { isAncestor } from '../git/rev-list.ts';
import { readEntryOrNull } from '../trail/walk.ts';
import { formatCursor, leave, type ReadPosition } from './cursor.ts';
import { followedRefs, isGone, kindOf } from './followed-refs.ts';
import { type Move, type NewCommit, newCommits } from './new-commits.ts';
import { commitEvent, type EventFacts, refEvent, type TrailEvent } from './trail-event.ts';

export class Reader {
  readonly #context: Context;
  readonly #place: ReadPosition;

  constructor(context: Context, place: ReadPosition) {
    this.#context = context;
    this.#place = place;
  }

  /** Passes over all that there is: from now on only what comes is told. */
  async skip(): Promise<void> {
    const time = this.#seconds();
    const refs = await followedRefs(this.#context, this.#place.refs);
    for (const [ref, oid] of refs) this.#place.refs.set(ref, [oid]);
    this.#place.time = time;
  }

  /** Returns the event with the reader's place. */
  event(told: EventFacts): TrailEvent {
    return { cursor: formatCursor(this.#place), ...told };
  }

  /** Looks once, and tells all that came since. The place moves on with each event that is taken. */
  async *readNew(): AsyncGenerator<TrailEvent> {
    const time = this.#seconds();
    const seen = await followedRefs(this.#context, this.#place.refs);
    yield* this.#deleted(seen);
    const moves = this.#moves(seen);
    const commits = moves.length > 0 ? await newCommits(this.#context, this.#place, moves) : [];
    for (const { ref, oid, isNew } of moves) {
      if (isNew) this.#place.refs.set(ref, []);
      else yield* this.#rewound(ref, oid, !commits.some(one => one.ref === ref));
    }
    yield* this.#commits(commits, time);
    for (const { ref, oid } of moves) this.#place.refs.set(ref, [oid]);
  }

  #moves(seen: ReadonlyMap<string, string>): Move[] {
    const moves: Move[] = [];
    for (const [ref, oid] of seen) {
      const known = this.#place.refs.get(ref);
      if (known?.length !== 1 || known[0] !== oid) moves.push({ ref, oid, isNew: known === undefined });
    }
    return moves;
  }

  async *#commits(commits: readonly NewCommit[], time: number): AsyncGenerator<TrailEvent> {
    const first = commits.findIndex(one => one.isTold);
    const old = first < 0 ? commits : commits.slice(0, first);
    // Before the first event: what a branch had before is not asked for again.
    for (const one of old) this.#pass(one);
    this.#place.time = time;
    for (const one of commits.slice(old.length)) {
      this.#pass(one);
      const entry = await readEntryOrNull(this.#context.objects, one.oid);
      const told = entry && (await commitEvent(this.#context, entry, one));
      if (told) yield this.event(told);
    }
  }

  #pass({ ref, oid, parents }: NewCommit): void {
    const left = this.#place.refs.get(ref)!.filter(one => !parents.includes(one));
    this.#place.refs.set(ref, [...left, oid]);
  }

  async *#deleted(seen: ReadonlyMap<string, string>): AsyncGenerator<TrailEvent> {
    for (const [ref, known] of [...this.#place.refs]) {
      // One that was being packed may be missed by a list.
      if (seen.has(ref) || !(kindOf(ref) === 'head' || (await isGone(this.#context, ref)))) continue;
      this.#place.refs.delete(ref);
      leave(this.#place, known);
      yield* this.#moved('deleted', ref, known);
    }
  }

  /**
   * Tells nothing where the ref grew. Where nothing is left of what it had, nobody can tell which of its commits are new: all of
   * them count as told.
   */
  async *#rewound(ref: string, oid: string, isTold: boolean): AsyncGenerator<TrailEvent> {
    const { objects } = this.#context;
    const known = this.#place.refs.get(ref)!;
    if (await this.#grew(known, oid)) return;
    const infos = await Promise.all(known.map(one => objects.commitInfo(one)));
    this.#place.refs.set(ref, isTold || infos.includes(null) ? [oid] : []);
    leave(this.#place, known);
    yield* this.#moved('rewound', ref, known);
  }

  /** A HEAD that is detached goes anywhere: that is nothing to tell. */
  *#moved(kind: 'deleted' | 'rewound', ref: string, known: readonly string[]): Generator<TrailEvent> {
    if (kindOf(ref) !== 'head')
      yield this.event(refEvent(kind, ref, known.at(-1) ?? null, this.#context.now()));
  }

  async #grew(known: readonly string[], oid: string): Promise<boolean> {
    for (const one of known) if (!(await isAncestor(this.#context.objects, one, oid))) return false;
    return true;
  }

  #seconds(): number {
    return Math.floor(this.#context.now().getTime() / 1000);
  }
}
