/** The review as it is now, read once for all pages whenever something has happened. */

import type { Person } from '../../../engine/editor.ts';
import type { Workspace } from '../../../workspace/open.ts';
import { Listing } from '../listing.ts';

export class CurrentReview {
  readonly #workspace: Workspace;
  readonly #person: Person;
  readonly #listing = new Listing();
  /** Where the events end that the listing is of; `null` before the first one. */
  #cursor: string | null = null;
  /** One after another: who asks meanwhile is told of what happened until they asked. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(workspace: Workspace, person: Person) {
    this.#workspace = workspace;
    this.#person = person;
  }

  /** Returns what is to review now. `look`: also where a file was changed and nobody recorded it. Throws EditError. */
  now(look = false): Promise<Listing> {
    const listing = this.#last.then(() => this.#read(look));
    this.#last = listing.catch(() => {});
    return listing;
  }

  /** Returns what was to review when somebody asked last. */
  async last(): Promise<Listing> {
    return this.#cursor === null ? this.now() : this.#listing;
  }

  async #read(look: boolean): Promise<Listing> {
    const cursor = this.#cursor;
    if (cursor !== null && !look && !(await this.#hasNews(cursor))) return this.#listing;
    const begin = await this.#begin();
    const { data } = await this.#workspace.review({ reviewer: this.#person });
    this.#listing.take(data);
    this.#cursor = begin;
    return this.#listing;
  }

  async #hasNews(since: string): Promise<boolean> {
    for await (const _ of this.#workspace.events({ since })) return true;
    return false;
  }

  /** Returns where events would go on: the first thing that a follower hears. */
  async #begin(): Promise<string | null> {
    for await (const { cursor } of this.#workspace.events({ follow: true })) return cursor;
    return null;
  }
}
