/**
 * Follows what happens on the trails of a repository, whichever process does it. Nobody needs to run for it but the
 * reader.
 */

import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import { type RefusalRecord, refusalLines, refusalsFile } from '../engine/change/refusals.ts';
import type { Context } from '../engine/context.ts';
import { ChangeWatcher } from '../engine/transaction/change-watcher.ts';
import { withOpen } from '../fs/durable.ts';
import type { FileHandle } from '../fs/fs.ts';
import { isAncestor } from '../git/rev-list.ts';
import { readEntryOrNull } from '../history/walk.ts';
import { formatCursor, leave, NOW, parseCursor, type ReadPosition, START, startPosition } from './cursor.ts';
import { followedRefs, isGone, kindOf, type Move, type NewCommit, newCommits } from './new-commits.ts';
import {
  commitEvent,
  type EventFacts,
  followingEvent,
  refEvent,
  refusalEvent,
  type TrailEvent,
} from './trail-event.ts';

export interface EventsOptions {
  /** The `cursor` of the last event that was read; `start`, or `now`. Default: `now` with `follow`, else `start`. */
  since?: string | undefined;
  /** Goes on as things happen, until the signal is aborted, the reader stops or the workspace is closed. */
  follow?: boolean | undefined;
}

export const checkEvents: CheckOptions<EventsOptions> = optionsCheck(
  { since: option.text, follow: option.flag },
  { since: 'start', follow: true },
);

/** Yields what happens. Ends when the signal is aborted, and without `follow` when all is told. Throws INVALID_INPUT, CORRUPT, STORE_FAILED. */
export async function* readEvents(
  context: Context,
  options: EventsOptions,
  signal: AbortSignal,
): AsyncGenerator<TrailEvent> {
  const { follow = false, since = follow ? NOW : START } = options;
  const reader = new Reader(context, placeOf(since));
  const watcher = new ChangeWatcher(context, signal);
  const refusals = new RefusalTail(context);
  try {
    if (follow) await refusals.skip();
    if (follow) watcher.listen();
    if (since === NOW) await reader.skip();
    if (follow && !signal.aborted) yield reader.event(followingEvent(context.now()));
    while (!signal.aborted) {
      for await (const event of reader.readNew()) {
        yield event;
        if (signal.aborted) return;
      }
      if (!follow) return;
      for (const one of await refusals.readNew()) yield reader.event(refusalEvent(one));
      await watcher.wait();
    }
  } finally {
    watcher.close();
  }
}

function placeOf(since: string): ReadPosition {
  return since === START || since === NOW ? startPosition() : parseCursor('workspace.events', since);
}

class RefusalTail {
  readonly #context: Context;
  #size = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Passes over the refusals that were kept so far. */
  async skip(): Promise<void> {
    this.#size = await this.#present();
  }

  /** Returns the refusals that were kept since the last look. */
  async readNew(): Promise<RefusalRecord[]> {
    const { fs } = this.#context;
    const size = await this.#present();
    // The file is begun anew when it is full.
    if (size < this.#size) this.#size = 0;
    const from = this.#size;
    if (size === from) return [];
    const read = (handle: FileHandle): Promise<Uint8Array> => handle.read(from, size - from);
    const bytes = await withOpen(fs, refusalsFile(this.#context), 'read', read);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#size = from + end;
    return refusalLines(bytes.subarray(0, end));
  }

  async #present(): Promise<number> {
    return (await this.#context.fs.lstat(refusalsFile(this.#context)))?.size ?? 0;
  }
}

/**
 * One reader of what happens: its place, and what came since. It looks when it is asked and keeps nothing but the ids of
 * the commits of one look, so that a slow reader costs no more than a fast one.
 */
class Reader {
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
