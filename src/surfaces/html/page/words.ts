/** Texts for people: hidden characters made visible, times, counts. */

import type { Dom } from './dom.ts';

export class Words {
  /**
   * Control characters but tab, zero-width and directional ones, line and paragraph separators, tag characters: what
   * a reviewer could overlook, or be misled by. Joiners have their place inside words that are not of ASCII letters.
   */
  readonly #hidden: RegExp =
    /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]|(?<=^|[\0-\x7f])[\u200c\u200d]|[\u200c\u200d](?=$|[\0-\x7f])/gu;
  readonly #longest = 5000;

  readonly #dom: Dom;
  readonly #day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
  readonly #clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
  readonly #brief = new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  readonly #moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

  constructor(dom: Dom) {
    this.#dom = dom;
  }

  /** A text as nodes, each hidden character as a mark with its number. The end of a very long one is left out. */
  visible(text: string): Node[] {
    const shown = text.length > this.#longest ? text.slice(0, this.#longest) : text;
    const nodes: Node[] = [];
    let at = 0;
    for (const { 0: character, index } of shown.matchAll(this.#hidden)) {
      if (index > at) nodes.push(new Text(shown.slice(at, index)));
      nodes.push(this.#mark(character));
      at = index + character.length;
    }
    if (at < shown.length) nodes.push(new Text(shown.slice(at)));
    if (shown.length < text.length) {
      const rest = this.count(text.length - shown.length, 'more character');
      nodes.push(this.#dom.el('span', { class: 'note' }, ` … ${rest}`));
    }
    return nodes;
  }

  /** The same where marks cannot be shown: in labels and options. */
  plain(text: string): string {
    return text.replace(this.#hidden, character => this.#code(character));
  }

  #mark(character: string): HTMLElement {
    const code = this.#code(character);
    return this.#dom.el('span', { class: 'hidden-character', title: `hidden character ${code}` }, code);
  }

  #code(character: string): string {
    const names: Record<string, string> = { '\r': 'CR', '\u001b': 'ESC', '\ufeff': 'BOM' };
    const number = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return names[character] ?? `U+${number}`;
  }

  /** A path, its folder dimmed. */
  path(path: string): HTMLElement {
    const cut = path.lastIndexOf('/') + 1;
    const folder = cut > 0 && this.#dom.el('span', { class: 'folder' }, ...this.visible(path.slice(0, cut)));
    return this.#dom.el('span', { class: 'path' }, folder, ...this.visible(path.slice(cut)));
  }

  /** `+3 −1`, nothing for nothing. */
  stat({ added, removed }: { added: number; removed: number }): HTMLElement {
    if (added === 0 && removed === 0) return this.#dom.el('span', { class: 'stat' });
    return this.#dom.el(
      'span',
      { class: 'stat' },
      this.#dom.el('span', { class: 'plus' }, `+${this.number(added)}`),
      ' ',
      this.#dom.el('span', { class: 'minus' }, `−${this.number(removed)}`),
    );
  }

  number(number: number): string {
    return number.toLocaleString();
  }

  /** `1 edit`, `12 edits` */
  count(number: number, one: string, many: string = `${one}s`): string {
    return `${this.number(number)} ${number === 1 ? one : many}`;
  }

  day(time: string): string {
    return this.#day.format(new Date(time));
  }

  clock(time: string): HTMLElement {
    return this.#time(time, this.#clock.format(new Date(time)));
  }

  /** Without the year. */
  brief(time: string): HTMLElement {
    return this.#time(time, this.#brief.format(new Date(time)));
  }

  moment(time: string): HTMLElement {
    return this.#time(time, this.#moment.format(new Date(time)));
  }

  #time(time: string, words: string): HTMLElement {
    return this.#dom.el('time', { datetime: time, title: time }, words);
  }

  /** `20 Nov 2026, 10:02 – 11:40` */
  span(first: string, last: string): string {
    const clock = (time: string): string => this.#clock.format(new Date(time));
    const [from, to] = [this.day(first), this.day(last)];
    const start = `${from}, ${clock(first)}`;
    if (from === to && clock(first) === clock(last)) return start;
    return from === to ? `${start} – ${clock(last)}` : `${start} – ${to}, ${clock(last)}`;
  }
}
