/** Whom the page asks: its server, over HTTP, with a token that is kept for this tab alone; or nobody, where it was saved. */

import type { Timeline } from '../../../../queries/timeline.ts';
import type { ReviewData } from '../../../../review/listing.ts';
import { ALL_HUNKS, type ListFilter, Listing } from '../../listing.ts';
import { timeWords } from '../elements/text.ts';

/** An answer of the server: of a refusal, `ok` is false. */
export interface Answered {
  ok: boolean;
  message: string;
  code?: string;
  data?: unknown;
  [key: string]: unknown;
}

/** Names what is read, and narrows it. */
export type Reading = 'history' | 'open' | 'hunks' | 'lines' | 'image' | 'events';
export type Query = Readonly<Record<string, string | number>>;

/** Whom the page asks: its server, the host that shows it as an MCP App, or the answers that were saved with it. */
export interface Connection {
  readonly kind: 'tab' | 'app' | 'saved';
  /** Milliseconds between two questions of what happened, and where nothing has for long. */
  readonly pace: readonly [soon: number, late: number];
  /** Words for a page that is answered, for one that is not let in, and for one that nobody answers. */
  readonly here: string;
  readonly notIn: string;
  readonly gone: string;
  /** Resolves with whether the page is let in. Nothing else is called before it is. */
  enter(): Promise<boolean>;
  /** Reads the newest entries, so many (`limit`); what is not reviewed, as a list; hunks of it by their numbers; lines of a file; or what is not recorded. */
  read(what: Reading, asked?: Query): Promise<Answered>;
  act(asked: Readonly<Record<string, unknown>>): Promise<Answered>;
  onVisible(look: (isSeen: boolean) => void): void;
  /** Opens another tab, where pages have tabs. */
  openTab?(): Promise<void>;
}

export class Net implements Connection {
  readonly kind = 'tab';
  readonly pace = [250, 750] as const;
  readonly here = 'Live';
  readonly notIn =
    'This page needs an address that vedit watch printed, and each address opens one tab, once. Press Enter in the terminal where vedit watch runs for a new one.';
  readonly gone =
    'vedit watch does not answer. What you see is how it was. Is it still running? If not, start it again and open the address that it prints.';
  readonly #key = 'vedit-bearer';
  #bearer: string | null = null;

  /** Gives the ticket of the address in for a token, and takes it out of the address. False where there is neither. */
  async enter(): Promise<boolean> {
    const [, ticket] = /^#ticket=([\w-]+)$/.exec(location.hash) ?? [];
    this.#bearer = sessionStorage.getItem(this.#key);
    if (ticket === undefined) return this.#bearer !== null;
    history.replaceState(null, '', location.pathname);
    const { ok, bearer } = await this.#json('POST', '/api/enter', { ticket });
    if (!ok) return this.#bearer !== null;
    this.#bearer = String(bearer);
    sessionStorage.setItem(this.#key, this.#bearer);
    return true;
  }

  read(what: Reading, asked: Query = {}): Promise<Answered> {
    const query = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)]));
    return this.#json('GET', `/api/${what}?${query}`);
  }

  act(asked: Readonly<Record<string, unknown>>): Promise<Answered> {
    return this.#json('POST', '/api/act', asked);
  }

  /** Calls back when the reader begins to look, and when they look away. */
  onVisible(look: (isSeen: boolean) => void): void {
    document.addEventListener('visibilitychange', () => look(!document.hidden));
  }

  /** Opens another tab, which gets a token of its own. */
  async openTab(): Promise<void> {
    const { ok, ticket } = await this.#json('POST', '/api/ticket', {});
    if (ok) open(`/#ticket=${String(ticket)}`, '_blank', 'noopener');
  }

  async #json(method: string, path: string, value?: object): Promise<Answered> {
    const headers: Record<string, string> = { Accept: 'application/json' };
    if (this.#bearer !== null) headers.Authorization = `Bearer ${this.#bearer}`;
    if (value !== undefined) headers['Content-Type'] = 'application/json';
    const body = value === undefined ? null : JSON.stringify(value);
    try {
      const answer = await fetch(path, { method, headers, body, credentials: 'omit', cache: 'no-store' });
      return await answer.json();
    } catch {
      return { ok: false, code: 'AWAY', message: 'vedit watch does not answer. Is it still running?' };
    }
  }
}

const LEFT_OUT: Answered = {
  ok: false,
  message: 'This text was left out to keep the page small. vedit watch shows the file at each of its edits.',
};

/** The answers that were saved with a page, which asks nobody. */
export class Saved implements Connection {
  readonly kind = 'saved';
  readonly pace = [0, 0] as const;
  readonly here: string;
  readonly notIn = '';
  readonly gone = '';
  readonly #answers: Readonly<Record<string, Answered>>;
  readonly #listing = new Listing();

  constructor(answers: Readonly<Record<string, Answered>>) {
    this.#answers = answers;
    this.#listing.take(answers.open as unknown as ReviewData);
    this.here = `As of ${timeWords((answers.history!.timeline as Timeline).time, 'moment')}`;
  }

  async enter(): Promise<boolean> {
    return true;
  }

  async read(what: Reading, asked: Query = {}): Promise<Answered> {
    const ok = { ok: true, message: '' };
    if (what === 'hunks')
      return { ...ok, hunks: this.#listing.hunks(String(asked.ids).split(',').map(Number)) };
    if (what === 'lines') return this.#answers[`${asked.commit} ${asked.path}`] ?? LEFT_OUT;
    if (what !== 'open') return this.#answers[what] ?? LEFT_OUT;
    const listed = this.#listing.list({ ...ALL_HUNKS, ...(asked as Partial<ListFilter>) });
    const { outside } = this.#answers.outside!;
    return { ...ok, ...listed, outside, hunks: this.#listing.first(listed, String(asked.at ?? '')) };
  }

  async act(): Promise<Answered> {
    return { ok: false, code: 'READ_ONLY', message: 'This page was saved: it only shows.' };
  }

  onVisible(): void {}
}
