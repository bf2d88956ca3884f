/** Actions of the reader, sent one after another, each with its answer; and the questions that come before. */

import type { App } from '../app.ts';
import type { Answered } from '../connection/net.ts';
import { plain } from '../elements/text.ts';
import type { Live } from './live.ts';
import type { OpenHunk } from './review-queue.ts';

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
  /** One after another: each is decided on what the one before left. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(app: App, live: Live, readOnly: boolean) {
    this.app = app;
    this.live = live;
    this.readOnly = readOnly;
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

  say(message: string): void {
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
