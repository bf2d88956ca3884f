/** The live page: reads what it shows from the server, hears what happens, and reads it again. It draws nothing. */

import type { TrailEvent } from '../../../../events/trail-event.ts';
import type { StatusData } from '../../../../queries/status.ts';
import type { Timeline } from '../../../../queries/timeline.ts';
import { hunkAt, type Listed, type SeenHunk } from '../../listing.ts';
import { type App, namesEntry } from '../app.ts';
import type { Answered, Connection } from '../connection/net.ts';
import { ReviewQueue } from './review-queue.ts';
import { Watching } from './watching.ts';

/** Entries that are read at first, and more of them with each page. */
const PAGE = 100;
/** The most entries that a server gives at once. */
const ALL = 20_000;
/** Milliseconds after which somebody who typed has typed. */
const TYPING_MS = 600;
/** Milliseconds between two readings of the history, until a reading that was refused is tried again, and until what is not seen is read. */
const PAUSE_MS = 300;
const AGAIN_MS = 1_500;
const LATER_MS = 700;
/** Hunks that are asked for at once. */
const MOST_HUNKS = 60;

/** Reads something whenever that is asked for: one reading after another, and all that is asked for meanwhile is one more. */
class Again {
  readonly #read: () => Promise<number | undefined>;
  /** Resolves when the next reading may begin. */
  #free: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  /** `read` resolves with the milliseconds until it may be called again; default: twice what it took. */
  constructor(read: () => Promise<number | undefined>) {
    this.#read = read;
  }

  /** Resolves after a reading that begins now or later. */
  ask(): Promise<void> {
    this.#next ??= this.#free.then(async () => {
      this.#next = null;
      const start = Date.now();
      const reading = this.#read();
      this.#free = reading.then(pause => sleep(pause ?? 2 * (Date.now() - start)));
      await reading;
    });
    return this.#next;
  }
}

const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

export class Live {
  readonly app: App;
  readonly net: Connection;
  readonly watching: Watching;
  readonly review: ReviewQueue = new ReviewQueue();
  /** The connection as the header tells it; `''` before the first answer. */
  connection: { kind: '' | 'on' | 'away'; words: string } = { kind: '', words: 'Connecting' };
  notice = '';
  /** False for a page that was not let in. */
  isIn = true;
  /** Tells whether the history was read. */
  isRead = false;
  isReadingOlder = false;
  /** Changes of others that are not recorded. */
  outside: StatusData['outside'] = [];
  #following: AbortController | null = null;
  #cursor: string | null = null;
  #limit = PAGE;
  /** Events since older entries were asked for: what is shown of those stays. */
  #came = 0;
  #searching: ReturnType<typeof setTimeout> | undefined;
  readonly #history: Again = new Again(() => this.#readHistory());
  readonly #list: Again = new Again(() => this.#readList());
  /** True while the address names an entry that is not read yet. */
  #isNamed = false;
  /** Asks that the files are looked at again: they may be others though nobody recorded anything. */
  #isLook = false;
  #isAskingHunks = false;
  /** The visit that the page was opened with, until it is known what is to review. */
  #opened: number | null = null;
  /** Tells whether the newest edit is open and nobody is in the middle of reading it: the next one takes its place. */
  goesOn: () => boolean = () => false;
  /** Told of the hunk that the address names, once it is listed. */
  onPlace: (id: number) => void = () => {};

  constructor(app: App, net: Connection) {
    this.app = app;
    this.net = net;
    this.watching = new Watching(app);
  }

  async start(): Promise<void> {
    this.isIn = await this.net.enter();
    if (!this.isIn) return this.#lost(true);
    this.app.onView = () => void this.refresh();
    this.#isNamed = namesEntry();
    if (!this.#isNamed) this.#open();
    this.app.onNarrow = () => this.#searchOlder();
    if (this.net.kind === 'saved') return this.refresh();
    this.net.onVisible(isSeen => this.#onVisible(isSeen));
    this.#onVisible(!document.hidden);
  }

  /** Returns the newest commit that the page shows, on which the reader decides. */
  get head(): string | null {
    return this.app.story.timeline.head;
  }

  /** Reads what is shown again, now or right after the reading that is under way. */
  async refresh(): Promise<void> {
    const listed = this.#list.ask();
    // What is seen first is read first: one server answers both.
    if (!this.review.isListed && !this.#isNamed) await listed;
    if (this.#needsHistory()) await this.#history.ask();
  }

  /** Tells whether the list of edits is shown, or nothing is to review. */
  #needsHistory(): boolean {
    const { isListed, listed } = this.review;
    return (
      this.#isNamed ||
      this.app.state.view !== 'review' ||
      (this.#opened !== null && isListed && listed.left === 0)
    );
  }

  /** Tells whether somebody looks: for nobody nothing is read. */
  get #isSeen(): boolean {
    return this.#following !== null || this.net.kind === 'saved';
  }

  async older(): Promise<void> {
    if (this.isReadingOlder) return;
    this.isReadingOlder = true;
    this.app.onChange();
    this.#limit = Math.min(ALL, 2 * this.#limit);
    this.#came = 0;
    await this.#history.ask();
    this.isReadingOlder = false;
    this.app.onChange();
  }

  /** Reads all that the server gives, once nobody types any more: who searches means all of the history. */
  #searchOlder(): void {
    clearTimeout(this.#searching);
    if (!this.app.story.timeline.more || this.#limit >= ALL || this.net.kind === 'saved') return;
    this.#searching = setTimeout(() => {
      this.#limit = ALL;
      void this.older();
    }, TYPING_MS);
  }

  /** Asks for the review again, as it is narrowed now. */
  relist(): Promise<void> {
    return this.#list.ask();
  }

  /** Asks for hunks by their numbers. */
  async need(ids: readonly number[]): Promise<void> {
    if (ids.length === 0 || this.#isAskingHunks) return;
    this.#isAskingHunks = true;
    const { ok, hunks } = await this.net.read('hunks', { ids: ids.slice(0, MOST_HUNKS).join() });
    this.#isAskingHunks = false;
    if (!ok) return;
    this.review.keep(hunks as SeenHunk[]);
    this.app.onChange();
  }

  #onVisible(isSeen: boolean): void {
    this.watching.seen(isSeen);
    if (!isSeen) {
      this.#following?.abort();
      this.#following = null;
      return;
    }
    this.#follow();
    const isFirst = !this.review.isListed;
    this.#isLook = !isFirst;
    void this.refresh().then(() => isFirst && this.#look());
  }

  /** Looks at the files again, after what is seen was shown. */
  #look(): void {
    setTimeout(() => {
      this.#isLook = true;
      void this.relist();
    }, LATER_MS);
  }

  #follow(): void {
    if (this.#following) return;
    this.#following = new AbortController();
    void this.#hearAll(this.#following.signal);
  }

  /** Hears what happens, until the signal is aborted or the page is not let in any more. */
  async #hearAll(signal: AbortSignal): Promise<void> {
    const [soon, late] = this.net.pace;
    let [wait, isLost] = [soon, false];
    while (!signal.aborted) {
      const told = await this.net.read('events', this.#cursor === null ? {} : { since: this.#cursor });
      if (signal.aborted) return;
      if (!told.ok) this.#lost(told.code === 'UNAUTHORIZED');
      if (told.code === 'UNAUTHORIZED') return;
      if (told.ok) this.#takeNews(told, isLost);
      isLost = !told.ok;
      wait = told.ok && (told.events as TrailEvent[]).length === 0 ? Math.min(wait * 1.25, late) : soon;
      await sleep(isLost ? AGAIN_MS : wait);
    }
  }

  /** `isLost`: nobody answered before. */
  #takeNews({ cursor, events, missed }: Answered, isLost: boolean): void {
    this.#cursor = String(cursor);
    for (const event of events as TrailEvent[]) this.watching.hear(event);
    if (this.#limit > PAGE) this.#came += (events as TrailEvent[]).length;
    if (missed || isLost || (events as TrailEvent[]).length > 0) void this.refresh();
  }

  #lost(isOver: boolean): void {
    this.#becomes('away', isOver ? 'Not let in.' : 'Not connected: trying again.');
    this.#tell(isOver ? this.net.notIn : this.net.gone);
  }

  async #readHistory(): Promise<number> {
    if (!this.#isSeen) return 0;
    const read = await this.net.read('history', { limit: this.#limit + this.#came });
    if (read.ok) {
      this.#isHere();
      this.#show(read.timeline as Timeline);
    } else this.#tell(read.message);
    return PAUSE_MS;
  }

  #show(timeline: Timeline): void {
    const isFirst = !this.isRead;
    this.isRead = true;
    this.#isNamed = false;
    const goesOn = !isFirst && this.goesOn();
    const { name, trail } = timeline;
    Object.assign(this.app, { name, trail });
    this.app.update(timeline, goesOn);
    if (this.#opened === null && isFirst && !this.app.hasStarted) this.#open();
    const { view, chosen } = this.app.state;
    // Whoever asked for the entries before they were read is shown the newest: it is no other place to go back to.
    if (isFirst && view !== 'review' && chosen === null) this.app.move(1);
    this.#place();
  }

  /** Opens where the address says; else, not as a place of its own, on what is to review. */
  #open(): void {
    this.app.start();
    const { chosen, view } = this.app.state;
    if (chosen !== null || view === 'review') return;
    this.app.go({ chosen: null, view: 'review', pane: 'detail' });
    this.#opened = this.app.visit;
  }

  /** Opens the newest edit where nothing is to review, unless the reader went elsewhere meanwhile. */
  #place(hasFailed = false): void {
    if (this.#opened === null || !(this.review.isListed || hasFailed)) return;
    const isRight = this.review.listed.left > 0 || this.app.visit !== this.#opened;
    if (isRight || this.isRead) this.#opened = null;
    if (isRight) return;
    if (!this.isRead) return void this.#history.ask();
    const [newest] = this.app.story.entries;
    this.app.go({ chosen: newest?.commit ?? null, view: 'history', pane: 'list' });
  }

  /** Lists what is not reviewed. Returns the milliseconds until it may be asked again, where that is told. */
  async #readList(): Promise<number | undefined> {
    if (!this.#isSeen) return;
    const { review, app } = this;
    const { place } = app;
    const listing = review.begin();
    const { filter } = review;
    const isLook = this.#isLook;
    this.#isLook = false;
    const asked = { ...filter, at: place ?? '', look: isLook ? 1 : '' };
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
    const answer = await this.net.read('open', given);
    const { ok, code } = answer;
    // A lock that others hold, or a file that comes and goes: asked again, unless nobody answers or looks.
    if (!ok && (code === 'AWAY' || code === 'UNAUTHORIZED')) return;
    if (!ok) {
      this.#place(true);
      void this.#list.ask();
      return AGAIN_MS;
    }
    // What it is narrowed to is another by now.
    if (filter !== review.filter) return 0;
    this.#take(answer, listing);
    if (place !== null) this.onPlace(hunkAt(review.listed.files, place));
    app.place = null;
    return;
  }

  #take(answer: Answered, listing: number): void {
    const { me, name, trail, hunks, outside } = answer;
    this.#isHere();
    this.watching.me = String(me ?? '');
    // A saved page knows them from its history.
    if (name !== undefined) Object.assign(this.app, { name, trail });
    if (outside) this.outside = outside as StatusData['outside'];
    this.review.take(answer as unknown as Listed, hunks as SeenHunk[], listing);
    this.watching.began();
    this.#place();
    this.app.onChange();
  }

  #isHere(): void {
    this.notice = '';
    this.#becomes('on', this.net.here);
  }

  #becomes(kind: 'on' | 'away', words: string): void {
    this.connection = { kind, words };
    this.app.onChange();
  }

  #tell(words: string): void {
    this.notice = words;
    this.app.onChange();
  }
}
