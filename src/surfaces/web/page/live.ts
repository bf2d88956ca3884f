/** The live page: reads the history from the server, hears what happens, and reads it again. */

import type { TrailEvent } from '../../../workspace/events/trail-event.ts';
import type { StatusData } from '../../../workspace/queries/status.ts';
import type { ReviewHunk } from '../../../workspace/review/listing.ts';
import type { Actions } from './actions.ts';
import type { App } from './app.ts';
import type { Parts, State, Timeline } from './contract.ts';
import type { Answered, Net } from './net.ts';
import type { Watching } from './watching.ts';

export class Live {
  /** Entries that are read at first, and so many more with each page. */
  readonly #page = 100;
  /** Milliseconds between two readings while much happens. */
  readonly #pause = 400;
  /** Milliseconds until the server is asked again after it was lost. */
  readonly #again = 1500;

  readonly net: Net;
  readonly readOnly: boolean;
  /** What others changed and is not recorded, and what is not reviewed. */
  outside: StatusData['outside'] = [];
  hunks: readonly ReviewHunk[] = [];
  /** The session of whoever looks. */
  me = '';
  readonly #parts: Parts;
  #app: App | null = null;
  #actions: Actions | null = null;
  #watching: Watching | null = null;
  #limit = this.#page;
  #cursor: string | null = null;
  #stream: AbortController | null = null;
  #reading: Promise<void> | null = null;
  #wanted = false;

  constructor(parts: Parts, readOnly: boolean) {
    this.#parts = parts;
    this.readOnly = readOnly;
    this.net = new parts.Net();
    void this.#begin();
  }

  /** The newest commit that the page shows: what an action was decided on. */
  get head(): string | null {
    return this.#app?.story.timeline.head ?? null;
  }

  /** True where the newest edit is shown, and nobody is in the middle of reading it: the next one takes its place. */
  goesOn({ chosen, view }: State, panel: HTMLElement): boolean {
    const isIdle = panel.scrollTop < 5 && (getSelection()?.isCollapsed ?? true);
    const isInside = panel.contains(document.activeElement) && document.activeElement !== panel;
    const isAsked = document.querySelector('dialog[open]') !== null;
    return chosen === 0 && view === 'changes' && isIdle && !isInside && !isAsked;
  }

  /** Reads the history again, now or right after the reading that is under way. */
  async refresh(): Promise<void> {
    this.#wanted = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  /** One page more of older entries. */
  async older(): Promise<void> {
    this.#limit += Math.max(this.#page, this.#limit);
    await this.refresh();
  }

  async #begin(): Promise<void> {
    if (!(await this.net.enter())) {
      this.#tell(
        'This page needs an address that vedit watch printed, and each address opens one tab, once. Press Enter in the terminal where vedit watch runs for a new one.',
      );
      return;
    }
    document.addEventListener('visibilitychange', () => this.#look());
    this.#look();
  }

  /** A tab that nobody sees lets go of its connection: browsers have six for a server. */
  #look(): void {
    this.#watching?.seen(!document.hidden);
    if (!document.hidden && !this.#stream) void this.#follow();
    if (document.hidden) this.#stream?.abort();
  }

  async #follow(): Promise<void> {
    const stream = new AbortController();
    this.#stream = stream;
    while (!stream.signal.aborted) {
      const lost = await this.net
        .events(this.#cursor, stream.signal, event => this.#hear(event))
        .catch((error: unknown) => error as Partial<Answered>);
      if (stream.signal.aborted) break;
      const isOver = lost?.code === 'UNAUTHORIZED';
      const words = isOver
        ? 'This tab is not let in any more: open a new address.'
        : 'Not connected: trying again.';
      this.#state('away', words);
      if (isOver) return this.#tell(words);
      await new Promise(resolve => setTimeout(resolve, this.#again));
    }
    if (this.#stream === stream) this.#stream = null;
    // It came to be seen again while it was let go.
    if (!document.hidden) this.#look();
  }

  #hear(event: TrailEvent): void {
    this.#cursor = event.cursor;
    this.#state('on', 'Live');
    if (event.kind !== 'following') this.#watching?.hear(event);
    void this.refresh();
  }

  async #readAll(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const read = await this.net.get(`/api/history?limit=${this.#limit}`);
      if (read.ok) this.#show(read);
      else this.#tell(read.message);
      if (this.#app && this.#wanted) await new Promise(resolve => setTimeout(resolve, this.#pause));
    }
  }

  #show({ timeline, outside, hunks = [], me }: Answered): void {
    this.outside = outside as StatusData['outside'];
    this.hunks = hunks as ReviewHunk[];
    this.me = String(me);
    if (this.#app) this.#app.update(timeline as Timeline);
    else this.#start(timeline as Timeline);
    this.#watching!.render();
    this.#actions!.render();
  }

  #start(timeline: Timeline): void {
    const app = new this.#parts.App(timeline, this.#parts, this);
    this.#app = app;
    this.#watching = new this.#parts.Watching(app, this);
    this.#actions = new this.#parts.Actions(app, this);
    app.onRender = () => this.#actions!.render();
    app.addKeys(this.#actions.keys());
    // Not a place of its own: loaded again, the page opens on the edit that is the newest then.
    if (app.state.chosen === null && timeline.entries.length > 0)
      app.go({ chosen: 0, view: 'changes', pane: app.state.pane });
    const older = app.dom.get('older-entries');
    older.addEventListener('click', () => void this.older());
  }

  /** Where the entries end that came since the reader last looked. */
  get boundary(): number | null {
    return this.#watching?.boundary ?? null;
  }

  /** What takes back, accepts and so on shows its answer there. */
  get actions(): Actions {
    return this.#actions!;
  }

  #state(name: string, words: string): void {
    const place = document.getElementById('live-state')!;
    if (place.textContent === words) return;
    place.className = `live-state ${name}`;
    place.textContent = words;
  }

  #tell(words: string): void {
    const notice = document.getElementById('notice')!;
    notice.textContent = words;
    notice.hidden = false;
  }
}
