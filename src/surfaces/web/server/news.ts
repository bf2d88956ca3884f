/** Tells pages what happens: each asks again and again, and is told what came since it asked last. */

import { EditError } from '../../../errors.ts';
import type { TrailEvent } from '../../../events/trail-event.ts';
import type { Workspace } from '../../../workspace/open.ts';

/** Events that are kept; who asks later than that reads everything again. */
const KEPT = 200;

export interface Told {
  ok: true;
  /** Given with the next question. */
  cursor: string;
  events: TrailEvent[];
  /** True where something may have happened that is not among the events. */
  missed: boolean;
}

export class News {
  readonly #workspace: Workspace;
  readonly #end = new AbortController();
  /** Tells one time of following from the next: what happens between them is heard by nobody. */
  #name = '';
  #events: TrailEvent[] = [];
  /** The number of events that are kept no more. */
  #before = 0;
  #begun: Promise<void> | null = null;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Tells what came since. Throws INVALID_INPUT, and what following throws. */
  async since(cursor: string | undefined): Promise<Told> {
    this.#begun ??= this.#begin();
    await this.#begun;
    const [, name, count] = /^([\w-]+)\.(\d+)$/.exec(cursor ?? '') ?? [];
    if (cursor !== undefined && name === undefined)
      throw new EditError('INVALID_INPUT', 'since is the cursor of an answer.', { field: 'since' });
    const from = Number(count) - this.#before;
    const missed = name !== this.#name || from < 0 || from > this.#events.length;
    const events = missed ? [] : this.#events.slice(from);
    return { ok: true, cursor: `${this.#name}.${this.#before + this.#events.length}`, events, missed };
  }

  close(): void {
    this.#end.abort();
  }

  /** Begins to follow, until the workspace is closed. Resolves once nothing is missed any more. */
  async #begin(): Promise<void> {
    const events = this.#workspace.events({ follow: true, signal: this.#end.signal });
    try {
      // The first thing that a follower hears is where it begins.
      await events.next();
    } catch (error) {
      this.#begun = null;
      throw error;
    }
    [this.#name, this.#events, this.#before] = [crypto.randomUUID(), [], 0];
    void this.#follow(events);
  }

  async #follow(events: AsyncIterable<TrailEvent>): Promise<void> {
    try {
      for await (const event of events) {
        this.#events.push(event);
        this.#before += this.#events.splice(0, this.#events.length - KEPT).length;
      }
    } catch {
      // The next question of a page says what is wrong with the trails.
    }
    this.#begun = null;
  }
}
