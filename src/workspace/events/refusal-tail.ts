/** The refusals that are kept from now on; see change/refusals.ts. */

import { type RefusalRecord, refusalLines, refusalsFile } from '../change/refusals.ts';
import type { Context } from '../context.ts';

export class RefusalTail {
  readonly #context: Context;
  #size = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Passes over the refusals that were kept so far. */
  async skip(): Promise<void> {
    this.#size = (await this.#stat())?.size ?? 0;
  }

  /** Those that were kept since the last look. */
  async look(): Promise<RefusalRecord[]> {
    const size = (await this.#stat())?.size ?? 0;
    // The file is begun anew when it is full.
    if (size < this.#size) this.#size = 0;
    if (size === this.#size) return [];
    const handle = await this.#context.fs.open(refusalsFile(this.#context), 'read');
    try {
      const bytes = await handle.read(this.#size, size - this.#size);
      const end = bytes.lastIndexOf(0x0a) + 1;
      this.#size += end;
      return refusalLines(bytes.subarray(0, end));
    } finally {
      await handle.close();
    }
  }

  #stat(): Promise<{ size: number } | null> {
    return this.#context.fs.lstat(refusalsFile(this.#context));
  }
}
