/** Actions of the reader, sent one after another, each with its answer; and the questions that come before. */

import type { SeenHunk } from '../../listing.ts';
import type { App } from '../app.ts';
import type { Answered } from '../connection/net.ts';
import { firstLine, number, plain } from '../elements/text.ts';
import type { Live } from './live.ts';

const VERDICTS: ReadonlySet<string> = new Set(['accept', 'accept_listed', 'comment', 'reject', 'edit']);

const ACCEPTS: ReadonlySet<string> = new Set(['accept', 'accept_listed', 'edit', 'claim']);

export type Asked = Readonly<Record<string, unknown>>;

/** A question in a window of its own: about one thing, whatever happens behind it. */
export interface Question {
  title: string;
  words: string;
  /** Words on the button; '' for what is only told. */
  does: string;
  /** The key by which what is typed is kept until it is used; '' where nothing is typed. */
  draft: string;
  about?: SeenHunk;
  /** Tells whether what it is about became another one meanwhile. */
  isOther?(): boolean;
  choices?: ReadonlyArray<readonly [value: string, label: string]>;
  /** Asks what a choice would do, and resolves with the answer. */
  preview?(choice: string): Promise<Answered>;
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
  /** The number by which the last action is taken back; `null` where it is not. */
  done: number | null = null;
  /** The numbers of the acceptances that were not taken back: the last one can be. */
  accepted: number[] = [];
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

  /** Asks what is to land: what the reader accepted, unless they choose more. */
  land(): void {
    const { story, index, entry: chosen } = this.app;
    const session = chosen?.session ?? null;
    const { left } = this.live.review;
    const unread = left > 0 ? `, with ${number(left)} hunks that nobody accepted` : '';
    const choices: Array<[string, string]> = [
      ['accepted', 'what you accepted'],
      ['all', `everything that has not landed${unread}`],
    ];
    if (index !== null && story.isEdit(index)) choices.push(['edit', 'the chosen edit alone']);
    if (session !== null) choices.push(['session', `session ${plain(session)}`]);
    const asked = (choice: string): Asked => ({
      act: 'land',
      ...(choice === 'accepted' ? { accepted: true } : {}),
      ...(choice === 'edit' && chosen ? { commits: [chosen.commit] } : {}),
      ...(choice === 'session' && session !== null ? { session } : {}),
    });
    this.ask({
      title: 'Land',
      words: 'The message of your commit:',
      does: 'Land',
      draft: 'land',
      choices,
      preview: choice => this.#wouldBe(asked(choice)),
      answer: (message, choice) => this.act({ ...asked(choice), ...(message === '' ? {} : { message }) }),
    });
  }

  /** Asks whether the newest edit is to be taken back, and says whose it is and what it did. */
  async undo(): Promise<void> {
    const { ok, message } = await this.#wouldBe({ act: 'undo', base: this.live.head });
    const { story } = this.app;
    const at = story.entries.findIndex((_, index) => story.isRevertible(index));
    const why = at < 0 ? '' : firstLine(story.entries[at]!.reason || story.entries[at]!.subject);
    const whose = at < 0 ? '' : `${story.groupOf(at).name}: ${why}`;
    this.ask({
      title: 'Undo the newest edit',
      words: plain([whose, firstLine(message)].filter(one => one !== '').join('. ')),
      does: ok ? 'Undo' : '',
      draft: '',
      answer: () => this.act({ act: 'undo' }),
    });
  }

  /** Asks what an action would do, after those that were asked for before. */
  #wouldBe(asked: Asked): Promise<Answered> {
    return this.#last.then(() => this.live.net.act({ ...asked, dryRun: true }));
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

  /** Tells something in a window, so that who goes on typing presses no keys. */
  tell(title: string, words: string): void {
    this.ask({ title, words, does: '', draft: '', answer: async () => true });
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
    this.done = typeof answered.done === 'number' ? answered.done : null;
    if (ACCEPTS.has(String(asked.act)) && this.done !== null) this.accepted.push(this.done);
    else this.accepted = this.accepted.filter(one => one !== this.done);
    // Verdicts name what they are about, and are seen; all else is decided on what the one before left.
    const isVerdict = VERDICTS.has(String(asked.act));
    if (!isVerdict) await this.live.refresh();
    this.said = isVerdict && answered.ok ? null : { answered, asked };
    this.app.onChange();
    return answered.ok;
  }
}
