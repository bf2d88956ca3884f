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
import { NOW, parseCursor, type ReadPosition, START, startPosition } from './cursor.ts';
import { Reader } from './reader.ts';
import { followingEvent, refusalEvent, type TrailEvent } from './trail-event.ts';

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
