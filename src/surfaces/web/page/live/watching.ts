/** Tells the news: who works now, what came since the reader last looked, and that it is said aloud. */

import type { TrailEvent } from '../../../../events/trail-event.ts';
import type { App } from '../app.ts';
import { keep, recall } from '../choices.ts';
import { count, plain, shortPath } from '../elements/text.ts';
import { verbOf } from '../model/story.ts';

export interface Worker {
  session: string;
  name: string;
  what: string;
  at: number;
}

/** Milliseconds for which somebody counts as working. */
const RECENT_MS = 90_000;
/** Milliseconds between two announcements: what came meanwhile is said together. */
const QUIET_MS = 3_000;
const KEY = 'vedit-looked';

export class Watching {
  /** The announcement to those who hear the page. */
  said = '';
  /** The session of whoever looks. */
  me = '';
  readonly #app: App;
  readonly #workers = new Map<string, Worker>();
  #unsaid: TrailEvent[] = [];
  #saying: ReturnType<typeof setTimeout> | null = null;
  /** When the reader last looked: ISO 8601, to the second, as commits have it. */
  looked: string | null = recall(KEY);
  #hasBegun = false;

  constructor(app: App) {
    this.#app = app;
    setInterval(() => this.#workers.size > 0 && app.onChange(), 10_000);
  }

  hear(event: TrailEvent): void {
    const { session, agent, kind, code, paths } = event;
    if (session !== null && session !== this.me) {
      const file = paths[0] === undefined ? '' : `${shortPath(paths[0])} `;
      const what = kind === 'refusal' ? `refused: ${code}` : `${file}${verbOf(event.op)}`;
      this.#workers.set(session, { session, name: agent ?? `session ${session}`, what, at: Date.now() });
    }
    this.#unsaid.push(event);
    this.#saying ??= setTimeout(() => this.#say(), this.#unsaid.length > 1 ? QUIET_MS : 300);
  }

  /** Lists the sessions that did anything lately, the last one first. */
  get workers(): Worker[] {
    const recent = [...this.#workers.values()].filter(({ at }) => Date.now() - at < RECENT_MS);
    return recent.sort((a, b) => b.at - a.at);
  }

  /** Notes the first reading: it counts as looked at when the reader comes back. */
  began(): void {
    if (!this.#hasBegun) keep(KEY, now());
    this.#hasBegun = true;
  }

  /** Notes that the reader looks, or does not any more. */
  seen(isSeen: boolean): void {
    if (isSeen) this.looked = recall(KEY);
    else keep(KEY, now());
  }

  /** Returns where the entries end that came since the reader looked, as an index; `null` where none did. */
  get boundary(): number | null {
    const { looked } = this;
    if (looked === null) return null;
    const at = this.#app.story.entries.findIndex(({ time }) => Date.parse(time) < Date.parse(looked));
    return at <= 0 ? null : at;
  }

  /** Says what came meanwhile: `3 changes: 2 by fixer, 1 by writer`. */
  #say(): void {
    this.#saying = null;
    const isNews = ({ session, kind, agent }: TrailEvent): boolean =>
      session !== this.me && (kind !== 'review' || agent !== null);
    const events = this.#unsaid.splice(0).filter(isNews);
    const [first] = events;
    if (!first) return;
    const whose = ({ agent, person, session }: TrailEvent): string =>
      plain(agent ?? person ?? session ?? 'somebody');
    const counts = new Map<string, number>();
    for (const one of events) counts.set(whose(one), (counts.get(whose(one)) ?? 0) + 1);
    const by = [...counts].map(([name, times]) => `${times} by ${name}`).join(', ');
    this.said =
      events.length === 1
        ? `${whose(first)}: ${plain(first.code ?? first.subject)}`
        : `${count(events.length, 'change')}: ${by}`;
    this.#app.onChange();
  }
}

function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
