/**
 * Which of the trail's commits have landed, found while the trail is read from its newest commit backwards. A commit that
 * lands an edit is younger than the edit, so branches are read no further back than the trail itself.
 */

import { type ParsedCommit, parseCommit } from '../git/objects/commit.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { type Declarable, LandedRows } from './lands.ts';
import { parseLands } from './lands-trailer.ts';

/** So many older commits are looked at in case a clock was wrong. */
const SLOP = 20;

interface Waiting {
  oid: string;
  commit: ParsedCommit;
}

export class Landings {
  readonly #objects: ObjectDatabase;
  readonly #tips: readonly string[];
  readonly #bySayingSo: boolean;
  readonly #rows = new LandedRows();
  readonly #seen = new Set<string>();
  /** Oldest first, so that the youngest is at the end. */
  readonly #queue: Waiting[] = [];
  #slop = SLOP;
  #begun = false;

  /**
   * `tips`: the newest commits of the branches that edits may have landed on. `bySayingSo`: that they have the trail's own
   * commits does not count.
   */
  constructor(objects: ObjectDatabase, tips: readonly string[], options: { bySayingSo?: boolean } = {}) {
    this.#objects = objects;
    this.#tips = tips;
    this.#bySayingSo = options.bySayingSo ?? false;
  }

  /**
   * The commit that says it holds this one: itself where a branch has it, `null` where it has not landed. To be asked for
   * every commit of the trail, newest first.
   */
  of(commit: Declarable): Promise<string | null> | string | null {
    return this.#begun && !this.#wantsMore(commit) ? this.#tell(commit) : this.#readFor(commit);
  }

  async #readFor(commit: Declarable): Promise<string | null> {
    if (!this.#begun) {
      for (const tip of this.#tips) await this.#add(tip);
      this.#begun = true;
      if (!this.#wantsMore(commit)) return this.#tell(commit);
    }
    do await this.#next();
    while (this.#wantsMore(commit));
    return this.#tell(commit);
  }

  #tell(commit: Declarable): string | null {
    const isThere = !this.#bySayingSo && this.#seen.has(commit.commit);
    return this.#rows.note(commit) ?? (isThere ? commit.commit : null);
  }

  /** True when an older commit of a branch is to be read. */
  #wantsMore(commit: Declarable): boolean {
    return !this.#rows.covers(commit) && this.#mayHold(commit.time);
  }

  #mayHold(seconds: number): boolean {
    const youngest = this.#queue.at(-1);
    if (!youngest) return false;
    return youngest.commit.committer.seconds >= seconds || this.#slop-- > 0;
  }

  async #next(): Promise<void> {
    const { oid, commit } = this.#queue.pop()!;
    this.#rows.add(parseLands(commit.message), oid);
    for (const parent of commit.parents) await this.#add(parent);
  }

  async #add(oid: string): Promise<void> {
    if (this.#seen.has(oid)) return;
    this.#seen.add(oid);
    // A branch that is damaged is no reason not to read the trail.
    const object = await this.#objects.readOrNull(oid).catch(() => null);
    if (object?.type !== 'commit') return;
    const commit = parseCommit(object.content);
    const { seconds } = commit.committer;
    let place = this.#queue.length;
    while (place > 0 && this.#queue[place - 1]!.commit.committer.seconds > seconds) place--;
    this.#queue.splice(place, 0, { oid, commit });
  }
}
