/**
 * Which edits the person took back by hand: nothing of them is in the files any more, or nothing was when HEAD came up to
 * the trail. Told while the trail is read from its newest commit backwards; only a path of which a change by hand is known
 * costs more than a look at the file.
 */

import { EditError } from '../../../errors.ts';
import { lookup } from '../../../git/objects/tree.ts';
import { diffTrees } from '../../../git/objects/tree-diff.ts';
import { isOutside, isSync } from '../../../operations.ts';
import type { TrailHead } from '../../../trail/head.ts';
import { heldBy, type Recorded, sameRecorded } from '../../../trail/steps.ts';
import { readEntryOrNull, type TrailEntry, walkTrail } from '../../../trail/walk.ts';
import { syncTrail } from '../../change/sync.ts';
import type { Context } from '../../context.ts';
import {
  answersOf,
  handOn,
  leftByHead,
  type PathEntry,
  presentOf,
  tellsByHand,
} from '../../files/by-hand.ts';
import { Snapshot } from '../../files/snapshot.ts';

/** Edits that are older than so many commits are not looked at. */
const COMMITS = 100;

export class TakenBackByHand {
  readonly #context: Context;
  readonly #trail: TrailHead;
  readonly #isOff: boolean;
  #count = 0;
  #snapshot: Promise<Snapshot> | null = null;
  #newest: Promise<TrailEntry[]> | null = null;
  /** Paths that somebody else than the edits changed, in what was read so far. */
  readonly #changed = new Set<string>();
  readonly #answers = new Map<string, Promise<ReadonlySet<string>>>();

  private constructor(context: Context, trail: TrailHead, isOff: boolean) {
    this.#context = context;
    this.#trail = trail;
    this.#isOff = isOff;
  }

  static async of(context: Context, trail: TrailHead): Promise<TakenBackByHand> {
    return new TakenBackByHand(context, trail, !(await tellsByHand(context, trail)));
  }

  /** True when older commits need not be told of. */
  get hasAll(): boolean {
    return this.#isOff || this.#count > COMMITS;
  }

  /** To be told of every commit of the trail, newest first. */
  async note({ meta, parents, tree }: TrailEntry): Promise<void> {
    if (this.hasAll) return;
    this.#count++;
    if (meta && isOutside(meta.op)) for (const path of meta.paths) this.#changed.add(path);
    const before =
      isSync(meta?.op) && parents[0] ? await readEntryOrNull(this.#context.objects, parents[0]) : null;
    if (before) await this.#noteSync(before.tree, tree);
  }

  /**
   * True for an edit that is in no file any more; that it is not undone and not landed is known. What cannot be read is no
   * reason not to read the trail.
   */
  async has(entry: TrailEntry): Promise<boolean> {
    try {
      return await this.#has(entry);
    } catch (error) {
      if (error instanceof EditError) return false;
      throw error;
    }
  }

  async #has({ commit, meta }: TrailEntry): Promise<boolean> {
    if (this.#isOff || this.#count > COMMITS || !meta || meta.paths.length === 0) return false;
    for (const path of meta.paths) {
      if (!this.#changed.has(path) && !(await this.#isFileChanged(path))) return false;
      if (!(await this.#answersAt(path)).has(commit)) return false;
    }
    return true;
  }

  /** HEAD that moved counts as joined already. */
  #synced(): Promise<Snapshot> {
    this.#snapshot ??= (async () => {
      const { trail, commit } = await syncTrail(this.#context, this.#trail);
      if (commit) await this.#noteSync(this.#trail.tree, commit.tree);
      return new Snapshot(this.#context, trail);
    })();
    return this.#snapshot;
  }

  async #noteSync(before: string | null, after: string): Promise<void> {
    for (const { path } of await diffTrees(this.#context.objects, before, after)) this.#changed.add(path);
  }

  async #isFileChanged(path: string): Promise<boolean> {
    const snapshot = await this.#synced();
    if (this.#changed.has(path)) return true;
    const { tree } = snapshot.trail;
    const recorded = tree ? await lookup(this.#context.objects, tree, path) : null;
    const { isChanged } = await presentOf(snapshot, path, recorded);
    if (isChanged) this.#changed.add(path);
    return isChanged;
  }

  #answersAt(path: string): Promise<ReadonlySet<string>> {
    const known = this.#answers.get(path) ?? this.#findAnswers(path);
    this.#answers.set(path, known);
    return known;
  }

  /** The path's edits in parts, each of them up to where HEAD came up to the path. */
  async #findAnswers(path: string): Promise<ReadonlySet<string>> {
    const snapshot = await this.#synced();
    const found = new Set<string>();
    let part: PathEntry[] = [];
    for (const entry of await this.#entries(snapshot)) {
      if (entry.meta!.paths.includes(path)) part.push({ entry, landed: false });
      const head = isSync(entry.meta!.op) ? await this.#joined(entry, path) : undefined;
      if (head === undefined) continue;
      for (const commit of await leftByHead(snapshot, path, part, head)) found.add(commit);
      part = [];
    }
    const hand = await handOn(snapshot, path, part);
    const commits = part.map(({ entry }) => entry.commit);
    for (const commit of hand ? answersOf(hand, commits).rejected : []) found.add(commit);
    return found;
  }

  /** Oldest first; the commit that joins HEAD is the last one, where HEAD moved. */
  #entries({ trail }: Snapshot): Promise<TrailEntry[]> {
    this.#newest ??= (async () => {
      const entries: TrailEntry[] = [];
      const options = { ownOnly: true, limit: COMMITS };
      for await (const entry of walkTrail(this.#context.objects, trail.tip && trail.parent, options))
        entries.unshift(entry);
      return entries;
    })();
    return this.#newest;
  }

  /** What HEAD has at the path where a commit that joins it took that over; else `undefined`. */
  async #joined({ parents, tree }: TrailEntry, path: string): Promise<Recorded | undefined> {
    const { objects } = this.#context;
    const held = await heldBy(objects, parents[1], path);
    return sameRecorded(await lookup(objects, tree, path), held) ? held : undefined;
  }
}
