/**
 * The trail as a picture shows it: agents' edits in one line, and in lines of their own what came from people, that
 * is commits of the branch, where a sync joined them, and changes outside the engine, where the next edit recorded them.
 */

import type { Context } from '../../engine/context.ts';
import { type LogEntry, logEntry } from '../../engine/log-entry.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import { firstParents, type WalkedCommit } from '../../git/rev-list.ts';
import { isOutside } from '../../operations.ts';
import type { TrailTip } from '../../trail/head.ts';
import { readEntry, readEntryOrNull } from '../../trail/walk.ts';
import type { LogOptions } from '../read-options.ts';
import { logEntries } from './history.ts';
import { givenChoices } from './log-filter.ts';

export interface GraphEntry {
  entry: LogEntry;
  lane: 'trail' | 'outside' | 'branch';
  /** True for the trail's newest commit. */
  current: boolean;
  /** The commits that lines lead to from here, the main one first. Where entries are left out, the next one shown. */
  below: string[];
  /** True when more commits follow on this line that are not shown. */
  cut: boolean;
}

/** The most commits of a branch that are shown for each commit that joins it. */
const BRANCH_COMMITS = 20;

/** Yields the log with its lanes, newest first. Where only some entries are asked for, they are in one line. */
export async function* graphEntries(context: Context, options: LogOptions = {}): AsyncGenerator<GraphEntry> {
  const { tip, checkedOut } = await openTrail(context);
  const entries = logEntries(context, options);
  if (givenChoices({ ...options, since: undefined }).length > 0) yield* inOneLine(entries, tip);
  else yield* new GraphBuilder(context, options, { tip, checkedOut }).draw(entries);
}

async function* inOneLine(
  entries: AsyncIterable<LogEntry>,
  newest: string | null,
): AsyncGenerator<GraphEntry> {
  let above: LogEntry | null = null;
  for await (const entry of entries) {
    if (above) yield onTrail(above, newest, [entry.commit]);
    above = entry;
  }
  if (above) yield onTrail(above, newest, []);
}

function onTrail(entry: LogEntry, newest: string | null, below: string[]): GraphEntry {
  return { entry, lane: laneOf(entry), current: entry.commit === newest, below, cut: false };
}

function laneOf(entry: LogEntry): GraphEntry['lane'] {
  return isOutside(entry.op) ? 'outside' : 'trail';
}

class GraphBuilder {
  readonly #context: Context;
  readonly #options: LogOptions;
  readonly #trail: TrailTip;
  #count = 0;
  #last: LogEntry | null = null;

  constructor(context: Context, options: LogOptions, trail: TrailTip) {
    this.#context = context;
    this.#options = options;
    this.#trail = trail;
  }

  async *draw(entries: AsyncIterable<LogEntry>): AsyncGenerator<GraphEntry> {
    let held: LogEntry[] = [];
    for await (const entry of entries) {
      this.#count++;
      this.#last = entry;
      if (held.length > 0 && laneOf(entry) === 'trail') {
        yield* this.#group(held, entry.commit);
        held = [];
      }
      held.push(entry);
    }
    if (held.length > 0) yield* this.#group(held, held.at(-1)!.parents[0] ?? null);
    yield* this.#beginning();
  }

  /** An edit and the outside changes that were recorded before it; `next` is the commit below all of them. */
  async *#group([edit, ...outside]: LogEntry[], next: string | null): AsyncGenerator<GraphEntry> {
    const { tip } = this.#trail;
    const [first, ...joined] = edit!.parents;
    const aside = outside.length > 0 ? [outside[0]!.commit] : [];
    const main = outside.length > 0 ? next : (first ?? null);
    yield onTrail(edit!, tip, [...(main ? [main] : []), ...joined, ...aside]);
    for (const commit of joined) yield* this.#branch(commit, edit!);
    for (const [index, entry] of outside.entries()) {
      const below = outside[index + 1]?.commit ?? next;
      yield onTrail(entry, tip, below ? [below] : []);
    }
  }

  /** Yields the commits from `tip` on that `joining` brought in. */
  async *#branch(tip: string, joining: LogEntry): AsyncGenerator<GraphEntry> {
    const { objects } = this.#context;
    const known = await this.#knownBefore(joining);
    const isKnown = lineBelow(this.#context, known);
    let entry = (await isKnown(tip)) ? null : await readEntryOrNull(objects, tip);
    for (let count = 1; entry; count++) {
      const parent: string | null = entry.parents[0] ?? null;
      const below = parent && (await readEntryOrNull(objects, parent));
      const ends = !below || (await isKnown(below.commit));
      const cut = !ends && count === BRANCH_COMMITS;
      yield this.#ofBranch(logEntry(entry), cut ? known : parent, cut);
      entry = ends || cut ? null : below;
    }
  }

  #ofBranch(entry: LogEntry, below: string | null, cut: boolean): GraphEntry {
    return { entry, lane: 'branch', current: false, below: below ? [below] : [], cut };
  }

  /** Finds the commit whose history was part of the trail already. */
  async #knownBefore(joining: LogEntry): Promise<string | null> {
    const before = joining.parents[0] ?? null;
    if (this.#trail.checkedOut || !before) return before;
    return (await readEntry(this.#context.objects, before)).meta?.head ?? null;
  }

  /** Yields the commit that a trail beside the branch began on, where the log was read to its end. */
  async *#beginning(): AsyncGenerator<GraphEntry> {
    const { limit, since } = this.#options;
    const start = this.#trail.checkedOut ? null : this.#last?.parents[0];
    if (!start || (limit !== undefined && this.#count >= limit)) return;
    const found = await readEntryOrNull(this.#context.objects, start);
    if (!found || (since && found.time * 1000 < since.getTime())) return;
    yield this.#ofBranch(logEntry(found), null, false);
  }
}

/** Answers of a commit whether it is the tip or below it along the first parents, read as far as times reach. */
function lineBelow({ objects }: Context, tip: string | null): (commit: string) => Promise<boolean> {
  const walk = firstParents(objects, tip);
  const commits = new Set<string>();
  let next: WalkedCommit | undefined;
  return async commit => {
    const time = (await objects.commitInfo(commit))?.seconds ?? Number.POSITIVE_INFINITY;
    while (!commits.has(commit) && commits.size < LINE) {
      next ??= (await walk.next()).value;
      if (!next || next.seconds < time) break;
      commits.add(next.oid);
      next = undefined;
    }
    return commits.has(commit);
  };
}

/** A branch that was set back further than this is shown as one that never met the trail. */
const LINE = 1000;
