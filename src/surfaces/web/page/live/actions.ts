/** Actions of the reader: decided on what is seen when they press, sent one after another, each with its answer. */

import type { App } from '../app.ts';
import type { Answered } from '../connection/net.ts';
import { plain } from '../elements/text.ts';
import type { Live } from './live.ts';
import type { OpenHunk, ReviewFilter, Verdict } from './review-queue.ts';

/** Groups of hunks that can be accepted with one at once. */
export type Group = 'file' | 'session' | 'turn' | 'above';

const VERDICTS: ReadonlySet<string> = new Set(['accept', 'reject', 'edit']);

export type Asked = Readonly<Record<string, unknown>>;

/** A question in a window of its own: about one thing, whatever happens behind it. */
export interface Question {
  title: string;
  words: string;
  does: string;
  /** The key by which what is typed is kept until it is used. */
  draft: string;
  about?: OpenHunk;
  choices?: ReadonlyArray<readonly [value: string, label: string]>;
  /** Resolves with whether it was done: then the draft goes. */
  answer(text: string, choice: string): Promise<boolean>;
}

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
  /** Texts that were typed and not used, by their keys. */
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

  /** Returns the hunk under review; `null` where it is there no more, and nobody chose another. */
  get chosen(): OpenHunk | null {
    const { open } = this.live.review;
    this.#chosen ??= open[0]?.key ?? null;
    return open.find(({ key }) => key === this.#chosen) ?? null;
  }

  get isShown(): boolean {
    return this.app.state.view === 'review' && this.isInSight();
  }

  choose(key: string): void {
    this.#chosen = key;
    this.app.onChange();
  }

  move(by: number): void {
    const { open } = this.live.review;
    const at = open.findIndex(({ key }) => key === this.#chosen);
    const next = open[Math.min(Math.max(at + by, 0), open.length - 1)];
    if (next) this.choose(next.key);
    this.reveal();
  }

  showFile(path: string): void {
    const first = this.live.review.open.find(({ hunk }) => hunk.path === path);
    if (first) this.choose(first.key);
    this.reveal();
  }

  /** Narrows the review; `null` shows all of it. */
  narrow(filter: Partial<ReviewFilter> | null): void {
    this.live.review.narrow(filter);
    this.app.onChange();
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
    this.ask({
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
    const { open } = this.live.review;
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
    const first = this.live.review.split(one);
    if (first) this.choose(first.key);
    else this.#say('This hunk is one piece: its old and new lines do not stand for each other one by one.');
  }

  /** Puts the reader's own lines in the place of the hunk's, and accepts them. */
  edit(pressed?: OpenHunk): void {
    const one = this.#seen(pressed);
    if (one?.hunk.kind !== 'lines' || one.hunk.after.lines.length === 0) return;
    const draft = `edit ${one.key}`;
    if (!this.drafts.has(draft)) this.drafts.set(draft, one.hunk.after.lines.join('\n'));
    this.ask({
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
    if (this.app.state.view !== 'review') this.app.show('review');
    else if (this.live.unclaimed) void this.act({ act: 'claim' });
  }

  /** Returns the hunk that a press is about. A key for one that is not on the screen only shows it. */
  #seen(pressed?: OpenHunk): OpenHunk | null {
    if (pressed) {
      this.#chosen = pressed.key;
      return pressed;
    }
    const { chosen, isShown } = this;
    if (chosen && isShown) return chosen;
    if (this.app.state.view !== 'review') this.app.show('review');
    if (!chosen) this.#chosen = null;
    this.app.onChange();
    this.reveal();
    return null;
  }

  /** Takes hunks out of the list, chooses the next one and sends the answer; a refusal brings them back. */
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
    review.resolve(hunks, verdict, isDone);
    if (isDone) void this.live.refresh();
    this.app.onChange();
    return isDone;
  }

  /** Takes one edit out, by default the chosen one; later ones stay. */
  revert(commit: string | undefined = this.app.entry?.commit): void {
    if (commit !== undefined) void this.act({ act: 'revert', commit });
  }

  restore(): void {
    const { state, story, index, entry } = this.app;
    if (!this.can.restore || entry === null) return;
    const { commit, files } = entry;
    const own = state.onlyFile ?? state.file;
    const at = story.filesOf(index!).findIndex(({ name }) => name === own);
    const { path } = files[Math.max(0, at)]!;
    this.ask({
      title: 'Restore',
      words: `${plain(path)} becomes what it was after this edit. Later edits of it are taken back by one commit. Why?`,
      does: 'Restore',
      draft: `restore ${commit} ${path}`,
      answer: reason => this.act({ act: 'restore', commit, path, reason }),
    });
  }

  land(): void {
    const { state, story, index, entry: chosen } = this.app;
    const session = chosen?.session ?? null;
    const choices: Array<[string, string]> = [
      ['all', 'everything that has not landed'],
      ['accepted', 'what you accepted'],
    ];
    // At the end of a review that is what the button says.
    if (state.view === 'review' && this.live.review.all.length === 0) choices.reverse();
    if (index !== null && story.isEdit(index)) choices.push(['edit', 'the chosen edit alone']);
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
          ...(choice === 'accepted' ? { accepted: true } : {}),
          ...(choice === 'edit' && chosen ? { commits: [chosen.commit] } : {}),
          ...(choice === 'session' && session !== null ? { session } : {}),
        }),
    });
  }

  /** Takes back what the reader did last on the page. */
  back(): void {
    void this.act({ act: 'back' }).then(isDone => isDone && this.live.review.undoLast());
  }

  undo(): void {
    void this.act({ act: 'undo' });
  }

  /** Tells what means anything now. */
  get can(): { revert: boolean; restore: boolean; undo: boolean } {
    const { story, index } = this.app;
    const { view } = this.app.state;
    const isEdit = index !== null && story.isEdit(index) && view !== 'review';
    return {
      revert: isEdit && !story.isBack(index),
      restore: isEdit && story.filesOf(index).length > 0,
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

  #say(message: string): void {
    this.said = { answered: { ok: true, message }, asked: {} };
    this.app.onChange();
  }

  closeAnswer(): void {
    this.said = null;
    this.app.onChange();
  }

  /** Asks the server to act. Resolves to whether that was done. */
  act(asked: Asked): Promise<boolean> {
    const done = this.#last.then(() => this.#send(asked));
    this.#last = done;
    return done;
  }

  async #send(asked: Asked): Promise<boolean> {
    const answered = await this.live.net.act({ base: this.live.head, ...asked });
    // Verdicts name what they are about, and are seen; all else is decided on what the one before left.
    const isVerdict = VERDICTS.has(String(asked.act));
    if (!isVerdict) await this.live.refresh();
    this.said = isVerdict && answered.ok ? null : { answered, asked };
    this.app.onChange();
    return answered.ok;
  }
}
