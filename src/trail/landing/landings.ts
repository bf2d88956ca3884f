/**
 * Finds which of the trail's commits have landed, while the trail is read from its newest commit backwards. A commit
 * that lands an edit is younger than the edit, so branches are read no further back than the trail itself.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { AncestorWalk } from '../../git/rev-list.ts';
import { type Declarable, LandedRows } from './lands.ts';
import { landsIn } from './lands-trailer.ts';

export class Landings {
  readonly #objects: ObjectDatabase;
  readonly #bySayingSo: boolean;
  readonly #rows = new LandedRows();
  readonly #walk: AncestorWalk;

  /**
   * `tips`: the newest commits of the branches that edits may have landed on. `bySayingSo`: that they have the trail's own
   * commits does not count.
   */
  constructor(objects: ObjectDatabase, tips: readonly string[], options: { bySayingSo?: boolean } = {}) {
    this.#objects = objects;
    // A branch that is damaged is no reason not to read the trail.
    this.#walk = new AncestorWalk(objects, tips, { lenient: true });
    this.#bySayingSo = options.bySayingSo ?? false;
  }

  /**
   * The commit that says it holds this one: itself where a branch has it, `null` where it has not landed. To be asked for
   * every commit of the trail, newest first.
   */
  of(one: Declarable): Promise<string | null> | string | null {
    const isKnown = this.#rows.covers(one) || this.#walk.isOver(one.time);
    return isKnown ? this.#tell(one) : this.#readFor(one);
  }

  /**
   * Passes the next older commits, of which nobody asks whether they landed; `oldest` is the least of their times. False when
   * they have to be asked for one by one.
   */
  pass(rows: readonly Declarable[], oldest: number): boolean {
    return this.#walk.isOver(oldest) && this.#rows.noteAll(rows);
  }

  async #readFor(one: Declarable): Promise<string | null> {
    while (!this.#rows.covers(one) && (await this.#next(one.time)));
    return this.#tell(one);
  }

  #tell(one: Declarable): string | null {
    const isThere = !this.#bySayingSo && this.#walk.has(one.commit);
    return this.#rows.note(one) ?? (isThere ? one.commit : null);
  }

  /** False when no commit is left that may hold one of this time. */
  async #next(seconds: number): Promise<boolean> {
    const next = await this.#walk.next(seconds);
    const object = next && (await this.#objects.readOrNull(next.oid).catch(() => null));
    if (object) this.#rows.add(landsIn(object.content), next.oid);
    return next !== null;
  }
}
