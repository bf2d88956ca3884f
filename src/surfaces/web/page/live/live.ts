/** The live page: reads what it shows from the server, hears what happens, and reads it again. It draws nothing. */

import type { TrailEvent } from '../../../../events/trail-event.ts';
import type { StatusData } from '../../../../queries/status.ts';
import type { Timeline } from '../../../../queries/timeline/timeline.ts';
import { hunkAt, type Listed, type SeenHunk } from '../../listing.ts';
import { type App, namesEntry } from '../app.ts';
import type { Answered, Connection } from '../connection/net.ts';
import { joined } from '../model/story.ts';
import { ReviewQueue } from './review-queue.ts';
import { Watching } from './watching.ts';

/** Entries that are read at first, and more of them with each page. */
const PAGE = 100;
/** The most entries that are read again when something happens: the newest of a longer list. */
const FEW = 200;
/** The most entries that a server gives at once. */
const ALL = 20_000;
/** Milliseconds after which somebody who typed has typed. */
const TYPING_MS = 600;
/** Milliseconds between two readings while much happens, until one that was refused is tried again, and until what is not seen is read. */
const PAUSE_MS = 400;
const AGAIN_MS = 1_500;
const LATER_MS = 700;
/** Hunks that are asked for at once. */
const MOST_HUNKS = 60;

const SMALL_EVENTS: ReadonlySet<string> = new Set(['edit', 'undo', 'outside', 'refusal']);

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
  #searching: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | null = null;
  #wanted = false;
  /** True when more than the newest entries may have become others. */
  #isWhole = true;
  #isListing = false;
  #listWanted = false;
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
    if (!this.isIn) return this.#tell(this.net.notIn);
    this.app.onView = () => void this.refresh();
    if (namesEntry()) this.#wanted = true;
    else this.#open();
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
    this.#listWanted = true;
    const listed = this.#list();
    // What is seen first is read first: one server answers both.
    if (!this.isRead && !this.#wanted) await listed;
    if (this.#needsHistory()) await this.#history();
  }

  /** Tells whether the list of edits is shown, or nothing is to review. */
  #needsHistory(): boolean {
    return this.#wanted || this.app.state.view !== 'review' || (this.#opened !== null && this.#isNothing());
  }

  #isNothing(): boolean {
    return this.review.isListed && this.review.listed.left === 0;
  }

  async #history(): Promise<void> {
    this.#wanted = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async older(): Promise<void> {
    if (this.isReadingOlder) return;
    this.isReadingOlder = true;
    this.app.onChange();
    this.#limit = Math.min(ALL, this.#limit + Math.max(PAGE, this.#limit));
    this.#isWhole = true;
    await this.#history();
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
  narrow(): void {
    this.#listWanted = true;
    void this.#list();
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
      this.#wanted = false;
      return;
    }
    this.#follow();
    this.#isWhole = true;
    const isFirst = !this.review.isListed;
    this.#isLook = !isFirst;
    void this.refresh().then(() => isFirst && this.#look());
  }

  /** Looks at the files again, after what is seen was shown. */
  #look(): void {
    setTimeout(() => {
      this.#isLook = true;
      this.narrow();
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
      await new Promise(resolve => setTimeout(resolve, isLost ? AGAIN_MS : wait));
    }
  }

  /** `isLost`: nobody answered before. */
  #takeNews({ cursor, events, missed }: Answered, isLost: boolean): void {
    this.#cursor = String(cursor);
    for (const event of events as TrailEvent[]) this.#hear(event);
    if (!missed && !isLost) return;
    this.#isWhole = true;
    void this.refresh();
  }

  #lost(isOver: boolean): void {
    this.#becomes('away', isOver ? 'Not let in any more.' : 'Not connected: trying again.');
    this.#tell(isOver ? this.net.notIn : this.net.gone);
  }

  #hear(event: TrailEvent): void {
    this.watching.hear(event);
    if (!SMALL_EVENTS.has(event.kind)) this.#isWhole = true;
    void this.refresh();
  }

  async #readAll(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const isWhole = this.#isWhole || this.#limit <= FEW || !this.isRead;
      const read = await this.net.read('history', { limit: isWhole ? this.#limit : FEW });
      if (read.ok) {
        this.#isHere();
        const timeline = read.timeline as Timeline;
        const whole = isWhole ? timeline : joined(this.app.story.timeline, timeline);
        this.#isWhole = whole === null;
        this.#wanted ||= whole === null;
        if (whole) this.#show(whole);
      } else this.#tell(read.message);
      if (this.isRead && this.#wanted) await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }

  #show(timeline: Timeline): void {
    const isFirst = !this.isRead;
    this.isRead = true;
    const goesOn = !isFirst && this.goesOn();
    const { view } = this.app.state;
    const [newest] = timeline.entries;
    const { name, trail } = timeline;
    Object.assign(this.app, { name, trail });
    this.app.update(timeline, goesOn);
    if (this.#opened === null && isFirst && !this.app.hasStarted) this.#open();
    // Whoever asked for the entries before they were read is shown the newest.
    else if (isFirst && view !== 'review' && newest) this.app.choose(this.app.wanted ?? newest.commit, view);
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
    if (!this.isRead) return void this.#history();
    const [newest] = this.app.story.entries;
    this.app.go({ chosen: newest?.commit ?? null, view: 'history', pane: 'list' });
  }

  /** Lists what is not reviewed; where more is wanted meanwhile, it is asked again. Resolves with the first answer. */
  async #list(): Promise<void> {
    if (this.#isListing) return;
    this.#isListing = true;
    this.#listWanted = false;
    const start = Date.now();
    const pause = (await this.#readList()) ?? 2 * (Date.now() - start);
    const again = (): void => {
      this.#isListing = false;
      if (this.#listWanted) void this.#list();
    };
    if (this.#listWanted && pause < Number.POSITIVE_INFINITY) setTimeout(again, pause);
    else this.#isListing = false;
  }

  /** Returns the milliseconds until it may be asked again, where that is told: infinite where nobody answers or looks. */
  async #readList(): Promise<number | undefined> {
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
    if (!ok && (code === 'AWAY' || code === 'UNAUTHORIZED' || document.hidden))
      return Number.POSITIVE_INFINITY;
    if (!ok) {
      this.#listWanted = true;
      this.#place(true);
      return AGAIN_MS;
    }
    // What it is narrowed to is another by now.
    if (filter !== review.filter) return 0;
    this.#take(answer, listing);
    if (place !== null) this.onPlace(hunkAt(review.listed.files, place));
    app.place = null;
    if (isLook || this.net.kind === 'saved') void this.#readOutside();
    return undefined;
  }

  #take(answer: Answered, listing: number): void {
    const { me, name, trail, hunks } = answer;
    this.#isHere();
    this.watching.me = String(me ?? '');
    // A saved page knows them from its history.
    if (name !== undefined) Object.assign(this.app, { name, trail });
    this.review.take(answer as unknown as Listed, hunks as SeenHunk[], listing);
    this.watching.began();
    this.#place();
    this.app.onChange();
  }

  async #readOutside(): Promise<void> {
    const { ok, outside } = await this.net.read('outside');
    if (!ok) return;
    this.outside = outside as StatusData['outside'];
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
