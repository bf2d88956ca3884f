/**
 * The events as they come, for one tab. A browser has six connections for a server, so of all tabs one reads and tells the
 * others; a tab that nobody sees reads nothing, and goes on from its cursor.
 */

import type { TrailEvent } from '../../../../events/trail-event.ts';
import type { Answered, Connection } from './net.ts';

export class Stream {
  /** Milliseconds until the server is asked again after it was lost. */
  readonly #again = 1500;
  readonly #name = 'vedit-events';

  readonly #net: Connection;
  readonly #hear: (event: TrailEvent) => void;
  /** Told that the server is lost, and whether for good. */
  readonly #lose: (isOver: boolean) => void;
  /** `null` where no other tab asks the same server. */
  #tabs: BroadcastChannel | null = null;
  #cursor: string | null = null;
  #running: AbortController | null = null;

  constructor(net: Connection, hear: (event: TrailEvent) => void, lose: (isOver: boolean) => void) {
    this.#net = net;
    this.#hear = hear;
    this.#lose = lose;
  }

  start(): void {
    if (this.#running) return;
    if (this.#net.kind === 'tab') this.#tabs ??= this.#joined();
    const running = new AbortController();
    this.#running = running;
    // It is thrown to a tab that waits when it is stopped.
    this.#inTurn(running.signal).catch(() => {});
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
  }

  /** Joins the tabs that ask the same server: what the reading one hears is for all. */
  #joined(): BroadcastChannel {
    const tabs = new BroadcastChannel(this.#name);
    tabs.addEventListener('message', ({ data }) => {
      if (this.#running) this.#take(data as TrailEvent);
    });
    return tabs;
  }

  /** Reads while this tab has the lock. Browsers have locks at safe addresses alone: elsewhere each tab reads. */
  async #inTurn(signal: AbortSignal): Promise<void> {
    const locks = navigator.locks as LockManager | undefined;
    if (!locks || !this.#tabs) return this.#read(signal);
    await locks.request(this.#name, { signal }, () => this.#read(signal));
  }

  #take(event: TrailEvent): void {
    this.#cursor = event.cursor;
    this.#hear(event);
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const lost = await this.#net
        .events(this.#cursor, signal, event => {
          if (event.kind !== 'following') this.#tabs?.postMessage(event);
          this.#take(event);
        })
        .catch((error: unknown) => error as Partial<Answered>);
      if (signal.aborted) return;
      const isOver = lost?.code === 'UNAUTHORIZED';
      this.#lose(isOver);
      if (isOver) return;
      await new Promise(resolve => setTimeout(resolve, this.#again));
    }
  }
}
