/** The review as the reader goes through it: each answer is about the hunk that is seen when they press. */

import type { App } from '../app.ts';
import type { Actions, Asked } from './actions.ts';
import type { Live } from './live.ts';
import type { OpenHunk, ReviewFilter, Verdict } from './review-queue.ts';

/** Groups of hunks that can be accepted with one at once. */
export type Group = 'file' | 'session' | 'turn' | 'above';

export class Reviewing {
  readonly #app: App;
  readonly #live: Live;
  readonly #actions: Actions;
  /** The hunk that the keys are about. */
  #chosen: string | null = null;
  /** Tells whether the chosen hunk is on the screen; `reveal` brings it there. */
  isInSight: () => boolean = () => false;
  reveal: () => void = () => {};

  constructor(app: App, live: Live, actions: Actions) {
    this.#app = app;
    this.#live = live;
    this.#actions = actions;
    app.onReviewMove = by => this.move(by);
  }

  /** Returns the hunk under review; `null` where it is there no more, and nobody chose another. */
  get chosen(): OpenHunk | null {
    const { open } = this.#live.review;
    this.#chosen ??= open[0]?.key ?? null;
    return open.find(({ key }) => key === this.#chosen) ?? null;
  }

  get isShown(): boolean {
    return this.#app.state.view === 'review' && this.isInSight();
  }

  choose(key: string): void {
    this.#chosen = key;
    this.#app.onChange();
  }

  move(by: number): void {
    const { open } = this.#live.review;
    const at = open.findIndex(({ key }) => key === this.#chosen);
    const next = open[Math.min(Math.max(at + by, 0), open.length - 1)];
    if (next) this.choose(next.key);
    this.reveal();
  }

  showFile(path: string): void {
    const first = this.#live.review.open.find(({ hunk }) => hunk.path === path);
    if (first) this.choose(first.key);
    this.reveal();
  }

  /** Narrows the review; `null` shows all of it. */
  narrow(filter: Partial<ReviewFilter> | null): void {
    this.#live.review.narrow(filter);
    this.#app.onChange();
  }

  /** Accepts the hunk whose button was pressed, or for a key the one that is seen. */
  accept(pressed?: OpenHunk): void {
    const one = this.#seen(pressed);
    if (one) void this.#decide([one], 'accept', { act: 'accept', hunks: [one.hunk] });
  }

  /** Asks why, and rejects the hunk that was seen when it was asked. */
  reject(pressed?: OpenHunk): void {
    const one = this.#seen(pressed);
    if (!one) return;
    this.#actions.ask({
      title: 'Reject',
      words: 'Why? The agent is told with its next answer.',
      does: 'Reject',
      draft: one.key,
      about: one,
      answer: reason => this.#decide([one], 'reject', { act: 'reject', hunk: one.hunk, reason }),
    });
  }

  /** Accepts all hunks of the list that are of the same file, session or turn, or stand above. */
  acceptAll(one: OpenHunk, group: Group): void {
    const hunks = this.groupOf(one, group);
    void this.#decide(hunks, 'accept', { act: 'accept', hunks: hunks.map(({ hunk }) => hunk) });
  }

  /** Accepts all hunks of the chosen one's file, where that is seen. */
  acceptFile(): void {
    const { chosen } = this;
    if (chosen && this.isShown) this.acceptAll(chosen, 'file');
  }

  /** Returns the hunks of a group; of a session or turn, only those that hold no lines of others. */
  groupOf(one: OpenHunk, group: Group): readonly OpenHunk[] {
    const { open } = this.#live.review;
    if (group === 'above') return open.slice(0, open.findIndex(({ key }) => key === one.key) + 1);
    if (group === 'file') return open.filter(({ hunk }) => hunk.path === one.hunk.path);
    const own = one.hunk.edits.find(({ person }) => !person)?.[group] ?? null;
    if (own === null) return [];
    return open.filter(({ hunk }) => hunk.edits.every(edit => edit.person || edit[group] === own));
  }

  /** Splits a hunk at its empty lines, or line by line. */
  split(pressed?: OpenHunk): void {
    const one = this.#seen(pressed);
    if (!one) return;
    const first = this.#live.review.split(one);
    if (first) this.choose(first.key);
    else
      this.#actions.say(
        'This hunk is one piece: its old and new lines do not stand for each other one by one.',
      );
  }

  /** Puts the reader's own lines in the place of the hunk's, and accepts them. */
  edit(pressed?: OpenHunk): void {
    const one = this.#seen(pressed);
    if (one?.hunk.kind !== 'lines' || one.hunk.after.lines.length === 0) return;
    const draft = `edit ${one.key}`;
    if (!this.#actions.drafts.has(draft)) this.#actions.drafts.set(draft, one.hunk.after.lines.join('\n'));
    this.#actions.ask({
      title: 'Edit',
      words: 'These lines as you want them. They are accepted as yours.',
      does: 'Save and accept',
      draft,
      about: one,
      answer: text => this.#decide([one], 'accept', { act: 'edit', hunk: one.hunk, text }),
    });
  }

  /** Claims the text from outside that the review lists at its end. */
  claim(): void {
    if (this.#app.state.view !== 'review') this.#app.show('review');
    else if (this.#live.unclaimed) void this.#actions.act({ act: 'claim' });
  }

  /** Returns the hunk that a press is about. A key for one that is not on the screen only shows it. */
  #seen(pressed?: OpenHunk): OpenHunk | null {
    if (pressed) {
      this.#chosen = pressed.key;
      return pressed;
    }
    const { chosen, isShown } = this;
    if (chosen && isShown) return chosen;
    if (this.#app.state.view !== 'review') this.#app.show('review');
    if (!chosen) this.#chosen = null;
    this.#app.onChange();
    this.reveal();
    return null;
  }

  /** Takes hunks out of the list, chooses the next one and sends the answer; a refusal brings them back. */
  async #decide(hunks: readonly OpenHunk[], verdict: Verdict, asked: Asked): Promise<boolean> {
    const { review } = this.#live;
    const before = review.open;
    const answered = new Set(hunks.map(({ key }) => key));
    const last = before.findLastIndex(({ key }) => answered.has(key));
    review.answer(hunks);
    const next = before.slice(last + 1).find(({ key }) => !answered.has(key)) ?? review.open.at(-1);
    this.#chosen = next?.key ?? null;
    this.#app.onChange();
    this.reveal();
    const isDone = await this.#actions.act(asked);
    review.resolve(hunks, verdict, isDone);
    if (isDone) void this.#live.refresh();
    this.#app.onChange();
    return isDone;
  }
}
