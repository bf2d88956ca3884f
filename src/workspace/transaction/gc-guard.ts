/** Keeps the new objects of one change from a `git gc` that runs at the same time; see git/packs/collector.ts. */

import { rewriteMissing } from '../../git/objects/loose.ts';
import type { EncodedObject } from '../../git/objects/object.ts';
import { isCollecting, keepPacked } from '../../git/packs/collector.ts';
import { type Context, collectorOf, looseOf } from '../context.ts';

export class GcGuard {
  readonly #context: Context;
  readonly #objects: readonly EncodedObject[];
  /** True when the objects are where no gc deletes them. */
  #kept = false;

  constructor(context: Context, objects: readonly EncodedObject[]) {
    this.#context = context;
    this.#objects = objects;
  }

  /** Before the ref moves, so that no git sees it lead nowhere. */
  async keep(): Promise<void> {
    const collector = collectorOf(this.#context);
    if (this.#kept || this.#objects.length === 0 || !(await isCollecting(collector))) return;
    await keepPacked(collector, this.#objects);
    this.#kept = true;
  }

  /** After the ref moved: a gc may have begun meanwhile, and one that has ended may have taken objects before. */
  async settle(): Promise<void> {
    try {
      await this.keep();
    } finally {
      const { objects } = this.#context;
      await rewriteMissing(looseOf(this.#context), this.#objects, oid => objects.isPacked(oid));
    }
  }
}
