/** What the reader does: decided on what is seen when they press, sent one after another, each with its answer. */

import type { App } from '../app.ts';
import type { Answered } from '../connection/net.ts';
import { plain } from '../elements/text.ts';
import type { Live } from './live.ts';
import type { OpenHunk, Verdict } from './review-queue.ts';

export type Asked = Readonly<Record<string, unknown>>;

/** A question in a window of its own: about one thing, whatever happens behind it. */
export interface Question {
  title: string;
  words: string;
  does: string;
  /** What is typed is kept by this until it is used. */
  draft: string;
  /** The hunk that it is about. */
  about?: OpenHunk;
  choices?: ReadonlyArray<readonly [value: string, label: string]>;
  /** Resolves with whether it was done: then the draft goes. */
  answer(text: string, choice: string): Promise<boolean>;
}

/** What the server said of something that the reader did. */
export interface Said {
  answered: Answered;
  asked: Asked;
}

export class Actions {
  readonly app: App;
  readonly live: Live;
  readonly readOnly: boolean;
  question: Question | null = null;
  said: Said | null = null;
  /** What was typed and not used, by what it is about. */
  readonly drafts: Map<string, string> = new Map();
  /** The hunk that the keys are about. */
  #chosen: string | null = null;
  /** Tells whether the chosen hunk is on the screen; `reveal` brings it there. */
  isInSight: () => boolean = () => false;
  reveal: () => void = () => {};
  /** One after another: each is decided on what the one before left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(app: App, live: Live, readOnly: boolean) {
    this.app = app;
    this.live = live;
    this.readOnly = readOnly;
    app.onReviewMove = by => this.move(by);
  }

  /** The hunk under review; `null` where it is there no more, and nobody chose another. */
  get chosen(): OpenHunk | null {
    const { open } = this.live.review;
    this.#chosen ??= open[0]?.key ?? null;
    return open.find(({ key }) => key === this.#chosen) ?? null;
  }

  choose(key: string): void {
    this.#chosen = key;
    this.app.onChange();
  }

  /** Chooses the next hunk, or the one before. */
  move(by: number): void {
    const { open } = this.live.review;
    const at = open.findIndex(({ key }) => key === this.#chosen);
    const next = open[Math.min(Math.max(at + by, 0), open.length - 1)];
    if (next) this.choose(next.key);
    this.reveal();
  }

  accept(): void {
    const seen = this.#seen();
    if (seen) void this.#decide([seen], 'accept', { act: 'accept', hunk: seen.hunk });
  }

  /** Asks why, and rejects the hunk that was seen when it was asked. */
  reject(): void {
    const seen = this.#seen();
    if (!seen) return;
    this.ask({
      title: 'Reject',
      words: 'Why? The agent is told with its next answer.',
      does: 'Reject',
      draft: seen.key,
      about: seen,
      answer: reason => this.#decide([seen], 'reject', { act: 'reject', hunk: seen.hunk, reason }),
    });
  }

  /** Claims all that the review tells at its end. */
  claim(): void {
    if (this.app.state.view !== 'review') this.app.show('review');
    else if (this.live.unclaimed) void this.act({ act: 'claim' });
  }

  /** The hunk that a press is about. A press on one that is not on the screen only shows it. */
  #seen(): OpenHunk | null {
    const isShown = this.app.state.view === 'review';
    if (!isShown) this.app.show('review');
    const { chosen } = this;
    if (chosen && isShown && this.isInSight()) return chosen;
    if (!chosen) this.#chosen = null;
    this.app.onChange();
    this.reveal();
    return null;
  }

  /** The hunks leave, the next one is chosen, and the answer is sent; a refusal brings them back. */
  async #decide(hunks: readonly OpenHunk[], verdict: Verdict, asked: Asked): Promise<boolean> {
    const { review } = this.live;
    const before = review.open;
    const answered = new Set(hunks.map(({ key }) => key));
    const last = before.findLastIndex(({ key }) => answered.has(key));
    review.answer(hunks);
    const next = before.slice(last + 1).find(({ key }) => !answered.has(key)) ?? review.open.at(-1);
    this.#chosen = next?.key ?? null;
    this.app.onChange();
    this.reveal();
    const isDone = await this.act(asked);
    review.settle(hunks, verdict, isDone);
    if (isDone) void this.live.refresh();
    this.app.onChange();
    return isDone;
  }

  /** Takes one edit out of the middle; later ones stay. */
  revert(commit: string | undefined): void {
    if (commit !== undefined) void this.act({ act: 'revert', commit });
  }

  restore(): void {
    const { state, story } = this.app;
    if (!this.can.restore) return;
    const { commit, files } = story.entries[state.chosen!]!;
    const own = state.onlyFile ?? state.file;
    const { path } = files[own === null ? 0 : Math.max(0, story.filesOf(state.chosen!).indexOf(own))]!;
    this.ask({
      title: 'Restore',
      words: `${plain(path)} becomes what it was after this edit. Later edits of it are taken back by one commit. Why?`,
      does: 'Restore',
      draft: `restore ${commit} ${path}`,
      answer: reason => this.act({ act: 'restore', commit, path, reason }),
    });
  }

  land(): void {
    const { state, story } = this.app;
    const chosen = state.chosen === null ? null : story.entries[state.chosen]!;
    const session = chosen?.session ?? null;
    const choices: Array<[string, string]> = [['all', 'everything that has not landed']];
    if (chosen && story.isEdit(state.chosen!)) choices.push(['edit', 'the chosen edit alone']);
    if (session !== null) choices.push(['session', `session ${plain(session)}`]);
    this.ask({
      title: 'Land',
      words: 'The message of your commit:',
      does: 'Land',
      draft: 'land',
      choices,
      answer: (message, choice) =>
        this.act({
          act: 'land',
          ...(message === '' ? {} : { message }),
          ...(choice === 'edit' && chosen ? { commits: [chosen.commit] } : {}),
          ...(choice === 'session' && session !== null ? { session } : {}),
        }),
    });
  }

  /** Takes back what the reader did last on the page. */
  back(): void {
    void this.act({ act: 'back' }).then(isDone => isDone && this.live.review.unsettle());
  }

  undo(): void {
    void this.act({ act: 'undo' });
  }

  /** Tells what means anything now. */
  get can(): { revert: boolean; restore: boolean; undo: boolean } {
    const { story, state } = this.app;
    const { chosen, view } = state;
    const isEdit = chosen !== null && story.isEdit(chosen) && view !== 'overview' && view !== 'review';
    return {
      revert: isEdit && !story.isBack(chosen),
      restore: isEdit && story.entries[chosen]!.files.length > 0,
      undo: story.entries.length > 0,
    };
  }

  ask(question: Question): void {
    this.question = question;
    this.app.onChange();
  }

  /** Closes the question. What was typed is there when it is asked again. */
  putOff(): void {
    this.question = null;
    this.app.onChange();
  }

  closeAnswer(): void {
    this.said = null;
    this.app.onChange();
  }

  /** Resolves with whether it was done. */
  act(asked: Asked): Promise<boolean> {
    const done = this.#last.then(() => this.#send(asked));
    this.#last = done;
    return done;
  }

  async #send(asked: Asked): Promise<boolean> {
    const isVerdict = asked.act === 'accept' || asked.act === 'reject';
    const answered = await this.live.net.act({ base: this.live.head, ...asked });
    // Verdicts name what they are about; all else is decided on what the one before left.
    if (!isVerdict) await this.live.refresh();
    this.said = { answered, asked };
    this.app.onChange();
    return answered.ok;
  }
}
