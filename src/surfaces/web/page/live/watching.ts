/** What is new: who works now, what is not recorded yet, what came since the reader last looked, and that it is said aloud. */

import type { TrailEvent } from '../../../../workspace/events/trail-event.ts';
import type { App } from '../app.ts';
import type { Live } from './live.ts';

interface Worker {
  name: string;
  what: string;
  at: number;
}

export class Watching {
  /** Milliseconds for which somebody counts as working. */
  readonly #recent = 90_000;
  /** Milliseconds between two announcements: what came meanwhile is said together. */
  readonly #quiet = 3_000;
  readonly #key = 'vedit-looked';

  readonly #app: App;
  readonly #live: Live;
  /** By session. */
  readonly #workers = new Map<string, Worker>();
  #unsaid: TrailEvent[] = [];
  #saying: ReturnType<typeof setTimeout> | null = null;
  /** The newest commit when the reader last looked. */
  #looked: string | null;

  constructor(app: App, live: Live) {
    this.#app = app;
    this.#live = live;
    this.#looked = this.#remembered();
    app.dom.get('new-count').addEventListener('click', () => this.#goToNew());
    setInterval(() => this.#showWorkers(), 10_000);
    this.#remember();
  }

  hear(event: TrailEvent): void {
    const { session, agent, kind, code, paths } = event;
    if (session !== null && session !== this.#live.me) {
      const file = paths[0] === undefined ? '' : ` ${this.#app.words.shortPath(paths[0])}`;
      const what = kind === 'refusal' ? `refused: ${code}` : `${event.op ?? kind}${file}`;
      this.#workers.set(session, { name: agent ?? `session ${session}`, what, at: Date.now() });
    }
    this.#unsaid.push(event);
    this.#saying ??= setTimeout(() => this.#say(), this.#unsaid.length > 1 ? this.#quiet : 300);
  }

  /** The reader looks, or does not any more. */
  seen(isSeen: boolean): void {
    if (isSeen) this.#looked = this.#remembered();
    else this.#remember();
  }

  render(): void {
    this.#showWorkers();
    this.#showOutside();
    this.#showNew();
    this.#app.dom.get('older-entries').hidden = !this.#app.story.timeline.more;
  }

  /** Where the entries end that came since, as an index; `null` where none did. */
  get boundary(): number | null {
    const at = this.#looked === null ? null : this.#app.story.find(this.#looked);
    return at === null || at === 0 ? null : at;
  }

  #showWorkers(): void {
    const { dom, words } = this.#app;
    const now = Date.now();
    const active = [...this.#workers].filter(([, { at }]) => now - at < this.#recent);
    const items = active.map(([session, { name, what }]) => {
      const group = this.#app.story.groups.find(one => one.session === session);
      return dom.el(
        'li',
        { class: `worker ${group?.tint ?? 'tint-other'}` },
        dom.el('span', { class: 'swatch' }),
        dom.el('strong', {}, ...words.visible(name)),
        dom.el('span', { class: 'dim' }, ' ', ...words.visible(what)),
      );
    });
    dom.patch(dom.get('workers'), items);
    dom.get('workers').hidden = items.length === 0;
  }

  #showOutside(): void {
    const { dom, words } = this.#app;
    const { outside } = this.#live;
    const place = dom.get('unrecorded');
    place.hidden = outside.length === 0;
    const names = outside.map(({ path, kind }) => `${words.plain(path)} (${kind})`).join('\n');
    if (place.title !== names) place.title = names;
    const text = `${words.count(outside.length, 'file differs', 'files differ')}, not recorded yet`;
    if (place.textContent !== text) place.textContent = text;
  }

  #showNew(): void {
    const { dom, words } = this.#app;
    const { boundary } = this;
    const place = dom.get('new-count');
    place.hidden = boundary === null;
    if (boundary !== null) place.textContent = `${words.number(boundary)} new since you last looked`;
  }

  #goToNew(): void {
    const { boundary } = this;
    if (boundary !== null) this.#app.choose(boundary - 1, 'changes');
  }

  /** `3 new edits: 2 by fixer, 1 by writer` */
  #say(): void {
    const { words, dom } = this.#app;
    this.#saying = null;
    const events = this.#unsaid.splice(0).filter(one => one.session !== this.#live.me);
    if (events.length === 0) return;
    const [first] = events;
    const whose = ({ agent, person, session }: TrailEvent): string =>
      words.plain(agent ?? person ?? session ?? 'somebody');
    const counts = new Map<string, number>();
    for (const one of events) counts.set(whose(one), (counts.get(whose(one)) ?? 0) + 1);
    const by = [...counts].map(([name, count]) => `${count} by ${name}`).join(', ');
    dom.get('announce').textContent =
      events.length === 1
        ? `${whose(first!)}: ${words.plain(first!.code ?? first!.subject)}`
        : `${words.count(events.length, 'change')}: ${by}`;
  }

  #remembered(): string | null {
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return null;
    }
  }

  #remember(): void {
    try {
      if (this.#live.head !== null) localStorage.setItem(this.#key, this.#live.head);
    } catch {
      // A browser that keeps nothing shows nothing as new.
    }
  }
}
