/** The live page: reads the history from the server, hears what happens, and reads it again. It draws nothing. */

import type { TrailEvent } from '../../../../events/trail-event.ts';
import type { StatusData } from '../../../../queries/status.ts';
import type { Timeline } from '../../../../queries/timeline/timeline.ts';
import type { ReviewHunk, UnclaimedText } from '../../../../review/listing.ts';
import { type App, namesEntry } from '../app.ts';
import { type Connection, Stream } from '../connection/net.ts';
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
/** Milliseconds between two readings while much happens, and until one that was refused is tried again. */
const PAUSE_MS = 400;
const AGAIN_MS = 1_500;

const SMALL_EVENTS: ReadonlySet<string> = new Set(['edit', 'undo', 'outside', 'refusal']);

export class Live {
  readonly app: App;
  readonly net: Connection;
  readonly watching: Watching;
  readonly review: ReviewQueue = new ReviewQueue();
  /** The connection as the header tells it; `''` before the first answer. */
  connection: { kind: '' | 'on' | 'away'; words: string } = { kind: '', words: 'Connecting' };
  notice = '';
  isRead = false;
  isReadingOlder = false;
  /** Changes of others that are not recorded, and text that nobody claims. */
  outside: StatusData['outside'] = [];
  unclaimed: UnclaimedText | null = null;
  readonly #stream: Stream;
  #limit = PAGE;
  #searching: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | null = null;
  #wanted = false;
  /** True when more than the newest entries may have become others. */
  #isWhole = true;
  #isReadingOpen = false;
  #isOpen = false;
  /** The visit that the page was opened with, until it is known what is to review. */
  #opened: number | null = null;
  #openWanted = false;
  /** Tells whether the newest edit is open and nobody is in the middle of reading it: the next one takes its place. */
  goesOn: () => boolean = () => false;

  constructor(app: App, net: Connection) {
    this.app = app;
    this.net = net;
    this.watching = new Watching(app);
    this.#stream = new Stream(
      net,
      event => this.#hear(event),
      isOver => this.#lost(isOver),
    );
  }

  async start(): Promise<void> {
    if (!(await this.net.enter())) return this.#tell(this.net.notIn);
    if (!namesEntry()) this.#open();
    if (this.net.kind === 'saved') return this.refresh();
    this.app.onNarrow = () => this.#searchOlder();
    this.net.onVisible(isSeen => this.#onVisible(isSeen));
    this.#onVisible(!document.hidden);
  }

  /** Returns the newest commit that the page shows, on which the reader decides. */
  get head(): string | null {
    return this.app.story.timeline.head;
  }

  /** Reads the history again, now or right after the reading that is under way. */
  async refresh(): Promise<void> {
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
    await this.refresh();
    this.isReadingOlder = false;
    this.app.onChange();
  }

  /** Reads all that the server gives, once nobody types any more: who searches means all of the history. */
  #searchOlder(): void {
    clearTimeout(this.#searching);
    if (!this.app.story.timeline.more || this.#limit >= ALL) return;
    this.#searching = setTimeout(() => {
      this.#limit = ALL;
      void this.older();
    }, TYPING_MS);
  }

  #onVisible(isSeen: boolean): void {
    this.watching.seen(isSeen);
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
    this.#becomes('away', isOver ? 'Not let in any more.' : 'Not connected: trying again.');
    this.#tell(isOver ? this.net.notIn : this.net.gone);
  }

  #hear(event: TrailEvent): void {
    if (event.kind !== 'following') this.watching.hear(event);
    if (!SMALL_EVENTS.has(event.kind)) this.#isWhole = true;
    void this.refresh();
  }

  async #readAll(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      const isWhole = this.#isWhole || this.#limit <= FEW || !this.isRead;
      this.#openWanted = true;
      const listed = this.#readOpen();
      // What is seen first is read first: one server answers both.
      if (!this.isRead && this.app.state.view === 'review') await listed;
      const read = await this.net.read('history', isWhole ? this.#limit : FEW);
      if (read.ok) {
        this.notice = '';
        this.#becomes('on', this.net.here);
        const timeline = read.timeline as Timeline;
        const whole = isWhole ? timeline : joined(this.app.story.timeline, timeline);
        this.#isWhole = whole === null;
        this.#wanted ||= whole === null;
        if (whole) this.#show(whole, String(read.me));
      } else this.#tell(read.message);
      if (this.isRead && this.#wanted) await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  }

  #show(timeline: Timeline, me: string): void {
    this.watching.me = me;
    const isFirst = !this.isRead;
    this.isRead = true;
    const goesOn = !isFirst && this.goesOn();
    const { view } = this.app.state;
    const [newest] = timeline.entries;
    this.app.update(timeline, goesOn);
    if (!this.#isOpen) this.#open();
    // Whoever asked for the entries before they were read is shown the newest.
    else if (isFirst && view !== 'review' && newest) this.app.choose(newest.commit, view);
    this.#place();
    this.watching.began(timeline.head);
  }

  /** Opens where the address says; else, not as a place of its own, on what is to review. */
  #open(): void {
    this.#isOpen = true;
    this.app.start();
    const { chosen, view } = this.app.state;
    if (chosen !== null || view === 'review') return;
    this.app.go({ chosen: null, view: 'review', pane: 'detail' });
    this.#opened = this.app.visit;
  }

  /** Opens the newest edit where nothing is to review, unless the reader went elsewhere meanwhile. */
  #place(hasFailed = false): void {
    if (this.#opened === null || !(this.review.isListed || hasFailed)) return;
    const isRight = this.review.all.length > 0 || this.app.visit !== this.#opened;
    if (isRight || this.isRead) this.#opened = null;
    if (isRight || !this.isRead) return;
    const [newest] = this.app.story.entries;
    this.app.go({ chosen: newest?.commit ?? null, view: 'history', pane: 'list' });
  }

  /**
   * Reads what is not reviewed, which takes longer than the history and is not asked for all the time. Resolves with the first
   * answer; where more is wanted, it is asked again.
   */
  async #readOpen(): Promise<void> {
    if (this.#isReadingOpen) return;
    this.#isReadingOpen = true;
    this.#openWanted = false;
    const pause = await this.#list();
    const again = (): void => {
      this.#isReadingOpen = false;
      if (this.#openWanted) void this.#readOpen();
    };
    if (this.#openWanted && pause !== null) setTimeout(again, pause);
    else this.#isReadingOpen = false;
  }

  /** Returns the milliseconds until it may be asked again; `null` where nobody answers or looks. */
  async #list(): Promise<number | null> {
    const start = Date.now();
    const listing = this.review.begin();
    const { ok, code, hunks, unclaimed } = await this.net.read('open');
    // A lock that others hold, or a file that comes and goes: asked again, unless nobody answers or looks.
    if (!ok && (code === 'AWAY' || code === 'UNAUTHORIZED' || document.hidden)) return null;
    if (!ok) {
      this.#openWanted = true;
      this.#place(true);
      return AGAIN_MS;
    }
    this.unclaimed = unclaimed as UnclaimedText | null;
    this.review.take(hunks as ReviewHunk[], listing);
    this.#place();
    this.app.onChange();
    void this.#readOutside();
    return 2 * (Date.now() - start);
  }

  async #readOutside(): Promise<void> {
    const { ok, outside } = await this.net.read('outside');
    if (!ok) return;
    this.outside = outside as StatusData['outside'];
    this.app.onChange();
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
