/** The live page: reads the history from the server, hears what happens, and reads it again. */

import type { TrailEvent } from '../../../../workspace/events/trail-event.ts';
import type { StatusData } from '../../../../workspace/queries/status.ts';
import type { TimelineEntry } from '../../../../workspace/queries/timeline/timeline.ts';
import type { ReviewHunk, UnclaimedText } from '../../../../workspace/review/listing.ts';
import type { App } from '../app.ts';
import type { Connection } from '../connection/net.ts';
import type { Stream } from '../connection/stream.ts';
import type { Parts, State, Timeline } from '../contract.ts';
import type { Actions } from './actions.ts';
import type { Watching } from './watching.ts';

export class Live {
  /** Entries that are read at first, and so many more with each page. */
  readonly #page = 100;
  /** Beyond so many, the newest alone are read again when something happens. */
  readonly #few = 200;
  /** Milliseconds between two readings while much happens, and until one that was refused is tried again. */
  readonly #pause = 400;
  readonly #again = 1_500;

  readonly net: Connection;
  readonly readOnly: boolean;
  /** What others changed and is not recorded, what is not reviewed, and of that what nobody claims. */
  outside: StatusData['outside'] = [];
  hunks: readonly ReviewHunk[] = [];
  unclaimed: UnclaimedText | null = null;
  /** The session of whoever looks. */
  me = '';
  readonly #parts: Parts;
  #app: App | null = null;
  #actions: Actions | null = null;
  #watching: Watching | null = null;
  #limit = this.#page;
  readonly #stream: Stream;
  #reading: Promise<void> | null = null;
  #wanted = false;
  /** True when more than the newest entries may have become others. */
  #isWhole = true;
  #readingOpen: Promise<void> | null = null;
  #openWanted = false;

  constructor(parts: Parts, readOnly: boolean, net: Connection) {
    this.#parts = parts;
    this.readOnly = readOnly;
    this.net = net;
    this.#stream = new parts.Stream(
      this.net,
      event => this.#hear(event),
      isOver => this.#lost(isOver),
    );
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
    const button = this.#app!.dom.get<HTMLButtonElement>('older-entries');
    const words = button.textContent;
    button.textContent = 'Reading older entries';
    button.setAttribute('aria-disabled', 'true');
    this.#limit += Math.max(this.#page, this.#limit);
    this.#isWhole = true;
    await this.refresh();
    button.textContent = words;
    button.removeAttribute('aria-disabled');
  }

  async #begin(): Promise<void> {
    if (!(await this.net.enter())) {
      this.#tell(this.net.notIn);
      return;
    }
    this.net.onLook(isSeen => this.#look(isSeen));
    this.#look(!document.hidden);
  }

  #look(isSeen: boolean): void {
    this.#watching?.seen(isSeen);
    if (!isSeen) {
      this.#stream.stop();
      this.#wanted = false;
      return;
    }
    this.#stream.start();
    this.#isWhole = true;
    void this.refresh();
  }

  #lost(isOver: boolean): void {
    this.#state('away', isOver ? 'Not let in any more.' : 'Not connected: trying again.');
    if (isOver) this.#tell(this.net.notIn);
  }

  #hear(event: TrailEvent): void {
    if (event.kind !== 'following') this.#watching?.hear(event);
    if (!['edit', 'undo', 'outside', 'refusal'].includes(event.kind)) this.#isWhole = true;
    void this.refresh();
  }

  async #readAll(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const isWhole = this.#isWhole || this.#limit <= this.#few || !this.#app;
      const read = await this.net.history(isWhole ? this.#limit : this.#few);
      if (read.ok) {
        this.#state('on', 'Live');
        const timeline = read.timeline as Timeline;
        const joined = isWhole ? timeline : this.#joined(timeline);
        this.#isWhole = joined === null;
        this.#wanted ||= joined === null;
        if (joined) this.#show(joined, String(read.me));
      } else this.#tell(read.message);
      this.#openWanted = true;
      this.#readingOpen ??= this.#readOpen().finally(() => {
        this.#readingOpen = null;
      });
      if (this.#app && this.#wanted) await new Promise(resolve => setTimeout(resolve, this.#pause));
    }
  }

  /** The newest entries on top of those that are there; `null` where they do not meet. */
  #joined(newest: Timeline): Timeline | null {
    const { entries, more } = this.#app!.story.timeline;
    const last = newest.entries.at(-1)?.commit;
    const at = entries.findIndex(({ commit }) => commit === last);
    if (at < 0) return null;
    const older = entries.slice(at + 1).map(entry => this.#since(entry, newest));
    return { ...newest, entries: [...newest.entries, ...older], more };
  }

  /** An older entry, with what these newer ones took back or put back. */
  #since(entry: TimelineEntry, { entries }: Timeline): TimelineEntry {
    const by = entries.find(one => one.undoes.includes(entry.commit) || one.redoes.includes(entry.commit));
    if (!by) return entry;
    const isBack = by.undoes.includes(entry.commit);
    const status = { ...entry.status, now: isBack ? ('taken back' as const) : ('open' as const), by: null };
    return { ...entry, status, became: isBack ? 'taken back' : '' };
  }

  #show(timeline: Timeline, me: string): void {
    this.me = me;
    if (this.#app) this.#app.update(timeline);
    else this.#start(timeline);
    this.#watching!.render();
  }

  /** What is not recorded and not reviewed, which takes longer than the history, and is not asked for all the time. */
  async #readOpen(): Promise<void> {
    while (this.#openWanted) {
      this.#openWanted = false;
      const start = Date.now();
      const { ok, code, outside, hunks, unclaimed } = await this.net.open();
      if (!this.#app) return;
      // A lock that others hold, or a file that comes and goes: asked again, unless nobody answers or looks.
      if (!ok && (code === 'AWAY' || code === 'UNAUTHORIZED' || document.hidden)) return;
      if (!ok) {
        this.#openWanted = true;
        await new Promise(resolve => setTimeout(resolve, this.#again));
        continue;
      }
      this.outside = outside as StatusData['outside'];
      this.hunks = hunks as ReviewHunk[];
      this.unclaimed = unclaimed as UnclaimedText | null;
      this.#app.showReview();
      this.#watching!.render();
      if (this.#openWanted) await new Promise(resolve => setTimeout(resolve, 2 * (Date.now() - start)));
    }
  }

  #start(timeline: Timeline): void {
    const app = new this.#parts.App(timeline, this.#parts, this);
    this.#app = app;
    this.#watching = new this.#parts.Watching(app, this);
    this.#actions = new this.#parts.Actions(app, this);
    app.onRender = () => this.#actions!.render();
    app.keys.add(this.#actions.keys());
    // Not a place of its own: loaded again, the page opens on the edit that is the newest then.
    if (app.state.chosen === null && timeline.entries.length > 0)
      app.go({ chosen: 0, view: 'changes', pane: app.state.pane });
    this.net.started(app);
    const older = app.dom.get('older-entries');
    older.addEventListener('click', () => {
      if (older.getAttribute('aria-disabled') === null) void this.older();
    });
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
