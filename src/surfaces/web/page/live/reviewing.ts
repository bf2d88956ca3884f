/** The review as the reader goes through it: each answer is about the hunk that is seen when they press. */

import { hunkAt, isPicture, type ListFilter, type SeenHunk } from '../../listing.ts';
import { type App, writePlace } from '../app.ts';
import { count, number, plain } from '../elements/text.ts';
import type { Actions, Asked } from './actions.ts';
import type { Live } from './live.ts';
import { type Answered, type ReviewItem, SAID, type Verdict } from './review-queue.ts';

/** Tells what of a hunk is on the screen: all that was changed was seen; a part of it; or nothing. */
export type Sight = 'all' | 'some' | 'none';

/** Lines of the chosen hunk that are chosen in it, by where they stand among its new ones, or where it has none its old ones. */
export interface LineRange {
  from: number;
  to: number;
}

export class Reviewing {
  readonly #app: App;
  readonly #live: Live;
  readonly #actions: Actions;
  /** The key of the hunk that the keys are about, and where it stood among those that are open. */
  #chosen: string | null = null;
  #id = 0;
  #at = 0;
  /** Grows where the chosen hunk is to be brought into sight. */
  aim = 0;
  lines: LineRange | null = null;
  /** Said to who does not see the page: the hunk that was gone to. */
  said = '';
  /** Tells how much of the chosen hunk is seen; and the way on to the part that was not. */
  sight: () => Sight = () => 'none';
  readOn: () => void = () => {};
  /** Puts the focus on the chosen hunk, or on its button that was pressed last. */
  focus: () => void = () => {};

  constructor(app: App, live: Live, actions: Actions) {
    this.#app = app;
    this.#live = live;
    this.#actions = actions;
    app.onReviewMove = by => this.move(by);
    live.onPlace = id => this.#choose(live.review.open.find(one => one.id === id));
  }

  /** Returns the hunk under review; `null` where it is there no more, and nobody chose another. */
  get chosen(): ReviewItem | null {
    const { review } = this.#live;
    this.#chosen ??= review.open[0]?.key ?? null;
    // What is left of a piece may be the hunk itself.
    const found = review.at(this.#chosen) ?? review.open.find(({ id }) => id === this.#id);
    this.#chosen = found?.key ?? this.#chosen;
    return found ?? null;
  }

  /** Returns the key of what stays where it is on the screen. */
  get held(): string | null {
    return this.#chosen;
  }

  choose(item: ReviewItem): void {
    if (item.key !== this.#chosen) this.lines = null;
    [this.#chosen, this.#id] = [item.key, item.id];
    this.#at = this.#live.review.open.findIndex(({ key }) => key === item.key);
    this.#app.onChange();
  }

  /** Chooses a line of the chosen hunk, or with `isMore` all up to it; the same one again chooses none. */
  chooseLine(at: number, isMore: boolean): void {
    const { lines } = this;
    const isAgain = lines?.from === at && lines.to === at;
    const from = isMore && lines ? lines.from : at;
    this.lines = isAgain ? null : { from: Math.min(from, at), to: Math.max(from, at) };
    this.#app.onChange();
  }

  /** Chooses the hunk so many further on; with an infinite number the first or last. */
  move(by: number): void {
    const { open } = this.#live.review;
    const isThere = this.chosen !== null;
    const from = isThere ? this.#at : this.#at - (by > 0 ? 1 : 0);
    this.#choose(open[Math.min(Math.max(from + by, 0), open.length - 1)]);
  }

  /** Chooses the first hunk of the next or previous file that has one and was not viewed. */
  moveFile(by: 1 | -1): void {
    const { review } = this.#live;
    const files = review.listed.files.map(({ path }) => path);
    const own = this.chosen?.file.path ?? '';
    const order = by > 0 ? files.slice(files.indexOf(own) + 1) : files.slice(0, files.indexOf(own)).reverse();
    const next = order.find(path => review.open.some(({ file }) => file.path === path));
    if (next !== undefined) this.showFile(next);
  }

  showFile(path: string): void {
    const { review } = this.#live;
    const file = review.listed.files.find(one => one.path === path);
    if (file && review.isFolded(path)) review.fold(file, false);
    this.#app.show('review');
    this.#choose(review.open.find(one => one.file.path === path));
  }

  #choose(item: ReviewItem | null | undefined): void {
    if (!item) return;
    this.focus();
    this.aim++;
    this.said = this.#wordsOf(item);
    this.choose(item);
    writePlace(item.file.path, item.line);
  }

  /** Tells which hunk it is: `Hunk 3 of 12: a.ts, lines 40-44. why`. */
  #wordsOf(item: ReviewItem): string {
    const { review } = this.#live;
    const why = review.hunk(item)?.edits.find(({ reason }) => reason !== '')?.reason ?? '';
    const [at, of] = [review.open.indexOf(item) + 1, review.open.length];
    return plain(`Hunk ${at} of ${of}: ${item.file.path}, ${review.placeOf(item)}. ${why}`);
  }

  /** Brings the chosen hunk into sight. */
  reveal(): void {
    this.aim++;
    this.#app.onChange();
  }

  /** Narrows the review; `null` shows all of it. Where the chosen hunk does not fit, the first one that does is chosen. */
  narrow(filter: Partial<ListFilter> | null): void {
    const { review } = this.#live;
    review.narrow(filter);
    this.#app.onChange();
    void this.#live.relist().then(() => {
      if (!this.chosen) this.first();
      this.said = `${number(review.open.length)} of ${number(review.left)} hunks. ${this.said}`;
      this.#app.onChange();
    });
  }

  first(): void {
    this.#choose(this.#live.review.open[0]);
  }

  /** Accepts the hunk whose button was pressed, or for a key the one that is seen; with lines chosen in it, those alone. */
  accept(pressed?: ReviewItem): void {
    const item = this.#seen(pressed);
    const hunk = item && this.#live.review.hunk(item);
    if (!hunk) return;
    const accept = (): Promise<boolean> =>
      this.#decide([item], 'accept', { act: 'accept', hunks: [brief(hunk)] });
    if (this.lines) this.#acceptLines(item, hunk, this.lines);
    else if (hunk.kind === 'binary' && !isPicture(hunk)) this.#askUnseen(item, hunk, accept);
    else void accept();
  }

  /** Asks before what cannot be shown is accepted. */
  #askUnseen(item: ReviewItem, hunk: SeenHunk, accept: () => Promise<boolean>): void {
    this.#actions.ask({
      title: 'Accept',
      words: 'This is not text: what changed in it cannot be shown here. Accept it all the same?',
      does: 'Accept',
      draft: '',
      about: hunk,
      isOther: () => this.#isOther(item, hunk),
      answer: accept,
    });
  }

  #acceptLines(item: ReviewItem, hunk: SeenHunk, lines: LineRange): void {
    this.lines = null;
    void this.#actOnPart(item, { act: 'accept', hunks: [brief(partOf(hunk, lines))] });
  }

  /** Asks why, and rejects the hunk that was seen when it was asked, or the lines that are chosen in it. */
  reject(pressed?: ReviewItem): void {
    const item = this.#asked(pressed);
    const hunk = item && this.#live.review.hunk(item);
    if (!hunk) return;
    const part = this.lines && partOf(hunk, this.lines);
    this.lines = null;
    this.#actions.ask({
      title: 'Reject',
      words: 'Why? The agent is told with its next answer.',
      does: 'Reject',
      draft: item.key,
      about: part ?? hunk,
      isOther: () => this.#isOther(item, hunk),
      answer: reason => {
        const asked = { act: 'reject', hunk: brief(part ?? hunk), reason };
        if (!part) return this.#decide([item], 'reject', asked, reason);
        return this.#actOnPart(item, asked);
      },
    });
  }

  /** Asks what is said of the hunk, or of the lines that are chosen in it: neither yes nor no. */
  comment(pressed?: ReviewItem): void {
    const item = this.#asked(pressed);
    const hunk = item && this.#live.review.hunk(item);
    if (!hunk) return;
    const about = this.lines ? partOf(hunk, this.lines) : hunk;
    this.lines = null;
    this.#actions.ask({
      title: 'Comment',
      words: 'The agent is told with its next answer. Nothing is accepted or rejected.',
      does: 'Comment',
      draft: `comment ${item.key}`,
      about,
      isOther: () => this.#isOther(item, hunk),
      answer: text => this.#actAndRead({ act: 'comment', hunk: brief(about), text }),
    });
  }

  /** Tells whether a hunk became another one since it was shown, or went. */
  #isOther(item: ReviewItem, hunk: SeenHunk): boolean {
    const now = this.#live.review.at(item.key);
    return !now || this.#live.review.hunk(now)?.change !== hunk.change;
  }

  /** Leaves a hunk for later, and with `rest` all later ones of its file. */
  leave(rest = false): void {
    const { review } = this.#live;
    const { chosen } = this;
    if (!chosen || this.#app.state.view !== 'review') return;
    const items = rest ? this.#restOf(chosen) : [chosen];
    this.#goOn(items, () => review.answer(items, 'leave'));
  }

  /** Accepts a hunk, by default the chosen one, and all later ones of its file. */
  acceptRest(pressed?: ReviewItem): void {
    this.acceptAll(pressed, item => this.#restOf(item));
  }

  #restOf(item: ReviewItem): ReviewItem[] {
    const { open } = this.#live.review;
    return open.slice(open.indexOf(item)).filter(one => one.file.path === item.file.path);
  }

  /** Accepts several hunks as the list has them, once the one that the press is about was seen. */
  acceptAll(pressed: ReviewItem | undefined, of: (item: ReviewItem) => ReviewItem[]): void {
    const item = this.#seen(pressed);
    const items = item ? of(item) : [];
    const hunks = items.map(item => [item.id, item.change]);
    const bodies = items.flatMap(item => item.piece ?? []);
    // Pieces are in no list.
    const asked =
      bodies.length > 0 ? { act: 'accept', hunks: bodies.map(brief) } : { act: 'accept_listed', ids: hunks };
    if (items.length > 0) void this.#decide(items, 'accept', asked);
  }

  above(item: ReviewItem): ReviewItem[] {
    const { open } = this.#live.review;
    return open.slice(0, open.findIndex(({ key }) => key === item.key) + 1);
  }

  /** Splits a hunk at its empty lines, or line by line. */
  split(pressed?: ReviewItem): void {
    const item = this.#asked(pressed);
    if (!item) return;
    const first = this.#live.review.split(item);
    if (first) this.#choose(first);
    else this.#actions.tell('One piece', ONE_PIECE);
  }

  /** Puts the reader's own lines in the place of the hunk's, and accepts them. */
  edit(pressed?: ReviewItem): void {
    const item = this.#asked(pressed);
    const hunk = item && this.#live.review.hunk(item);
    if (!hunk || !canEdit(hunk)) return;
    const draft = `edit ${item.key}`;
    if (!this.#actions.drafts.has(draft)) this.#actions.drafts.set(draft, hunk.after.lines.join('\n'));
    this.#actions.ask({
      title: 'Edit',
      words: 'These lines as you want them. They are accepted as yours.',
      does: 'Save and accept',
      draft,
      about: hunk,
      isOther: () => this.#isOther(item, hunk),
      answer: text => this.#decide([item], 'edit', { act: 'edit', hunk: brief(hunk), text }),
    });
  }

  /** Claims the text from outside that the review lists at its end. */
  claim(): void {
    if (this.#app.state.view !== 'review') this.#app.show('review');
    else if (this.#live.review.listed.unclaimed) void this.#actAndRead({ act: 'claim' });
  }

  async #actOnPart(item: ReviewItem, asked: Asked): Promise<boolean> {
    this.#live.review.answerPart(item, false);
    const isDone = await this.#actAndRead(asked);
    this.#live.review.answerPart(item, true);
    return isDone;
  }

  async #actAndRead(asked: Asked): Promise<boolean> {
    const isDone = await this.#actions.act(asked);
    if (isDone) void this.#live.refresh();
    return isDone;
  }

  /** Takes back what was said last on the page. */
  back(): void {
    const { last } = this.#live.review;
    if (last[0]?.verdict === 'leave') this.undo(last[0]);
    else void this.#takeBack({ act: 'back' });
  }

  /** Takes one answer back, with all that was answered with it. */
  undo(answered: Answered): void {
    const { review } = this.#live;
    if (answered.verdict !== 'leave') return void this.#takeBack({ act: 'back', of: answered.done });
    const all = review.last.includes(answered) ? review.last : [answered];
    review.reopen(all);
    this.#choose(review.at(all[0]!.item.key));
  }

  async #takeBack(asked: Asked): Promise<void> {
    const { review } = this.#live;
    if (!(await this.#actions.act(asked))) return;
    const all = review.saidBy(this.#actions.done);
    if (all.length > 0) review.reopen(all);
    const [first] = all;
    await this.#live.relist();
    if (!first) return;
    // It may be listed by another number.
    const { key, file, line } = first.item;
    const id = hunkAt(review.listed.files, `${file.path}:${line}`);
    this.#choose(review.at(key) ?? review.open.find(one => one.id === id));
  }

  /** Returns the hunk that a press is about. Of one of which not all was seen it shows what was not instead. */
  #seen(pressed?: ReviewItem): ReviewItem | null {
    const item = this.#asked(pressed);
    if (!item || this.sight() === 'all') return item;
    this.readOn();
    return null;
  }

  /** Returns the hunk that is chosen on the page, or `null` and a word that there is none. */
  #asked(pressed?: ReviewItem): ReviewItem | null {
    if (pressed) {
      this.choose(pressed);
      return pressed;
    }
    const { chosen } = this;
    const isShown = this.#app.state.view === 'review';
    if (!isShown) this.#app.show('review');
    if (isShown && chosen && this.#live.review.hunk(chosen)) return chosen;
    // Whoever goes on typing types into a window.
    if (isShown && this.#chosen !== null) this.#actions.tell('Not there', GONE);
    return null;
  }

  /** Makes a line of hunks, chooses the next one and sends the answer; a refusal brings them back. */
  async #decide(items: readonly ReviewItem[], verdict: Verdict, asked: Asked, reason = ''): Promise<boolean> {
    const { review } = this.#live;
    const answered = this.#goOn(items, () => review.answer(items, verdict, reason));
    const isDone = await this.#actions.act(asked);
    review.resolve(answered, isDone && this.#actions.done);
    if (isDone) void this.#live.refresh();
    else this.#choose(review.at(items[0]!.key));
    this.#app.onChange();
    return isDone;
  }

  /** Answers hunks and chooses the next one below them. */
  #goOn(items: readonly ReviewItem[], answer: () => Answered[]): Answered[] {
    const { review } = this.#live;
    const keys = new Set(items.map(({ key }) => key));
    const before = review.open;
    const last = before.findLastIndex(({ key }) => keys.has(key));
    const answered = answer();
    const [{ verdict }] = answered as [Answered];
    const next = before.slice(last + 1).find(({ key }) => !keys.has(key)) ?? review.open.at(-1);
    [this.#chosen, this.#id] = [null, 0];
    this.lines = null;
    if (next) this.#choose(review.at(next.key));
    else this.said = `Everything is answered: ${count(review.count('accept'), 'hunk')} accepted.`;
    this.said = `${SAID[verdict]}. ${this.said}`;
    this.#app.onChange();
    return answered;
  }
}

const GONE =
  'The hunk that you were reading is there no more: somebody changed or answered it. Nothing was done; choose another one.';

const ONE_PIECE = 'The old and new lines of this hunk do not stand for each other one by one.';

/** Characters of a hunk beyond which its texts are not sent: the server finds it by its lines and version. */
const LONG = 20_000;

/** Returns a hunk as an action names it. */
function brief(hunk: SeenHunk): SeenHunk {
  const own = { ...hunk, edits: [], comments: [], context: { above: [], below: [] } };
  const none = { line: 0, lines: [] };
  return JSON.stringify(own).length > LONG ? { ...own, before: none, after: none } : own;
}

export function canEdit({ kind, after }: SeenHunk): boolean {
  return kind === 'lines' && after.lines.length > 0;
}

/** Tells whether lines of a hunk can be answered by themselves: each new one stands for an old one, or none is old. */
export function hasParts({ kind, before, after }: SeenHunk): boolean {
  const { length } = after.lines;
  return kind === 'lines' && length > 1 && [0, length].includes(before.lines.length);
}

/** Returns some lines of a hunk as a hunk. */
function partOf(hunk: SeenHunk, { from, to }: LineRange): SeenHunk {
  const { before, after, lines } = hunk;
  const part = ({ line, lines: all }: SeenHunk['after']): SeenHunk['after'] =>
    all.length === 0 ? { line, lines: all } : { line: line + from, lines: all.slice(from, to + 1) };
  const at = { start_line: lines.start_line + from, end_line: lines.start_line + to };
  return { ...hunk, lines: at, before: part(before), after: part(after) };
}
