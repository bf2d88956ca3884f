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
  /** Characters at the end of a name that are always shown. */
  readonly #tail = 10;
  /** Characters of a path in a list to choose from. */
  readonly #longestPath = 36;
  /** Milliseconds for which a button says what it has done. */
  readonly #toldFor = 1500;

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

  /** A path, its folder dimmed. Where there is no room, the folder is cut: its name tells a file. */
  path(path: string): HTMLElement {
    const cut = path.lastIndexOf('/') + 1;
    const folder = cut > 0 && this.#dom.el('span', { class: 'folder' }, ...this.visible(path.slice(0, cut)));
    const base = this.#dom.el('span', { class: 'base' }, ...this.#name(path.slice(cut)));
    return this.#dom.el('span', { class: 'path' }, folder, base);
  }

  /** Of a name that is too long by itself, what is before its end can be cut. */
  #name(name: string): Node[] {
    if (name.length < 2 * this.#tail || !/^[ -~]+$/.test(name)) return this.visible(name);
    const part = (words: string, text: string): Node => this.#dom.el('span', { class: words }, text);
    return [part('stem', name.slice(0, -this.#tail)), part('tail', name.slice(-this.#tail))];
  }

  /** A path where only plain text can be: of a long one, the end. */
  shortPath(path: string): string {
    const text = this.plain(path);
    const characters = [...text];
    return characters.length <= this.#longestPath
      ? text
      : `…${characters.slice(1 - this.#longestPath).join('')}`;
  }

  /** A text to be used elsewhere, such as an id or a command, with a button that copies it. */
  copyable(text: string): Node[] {
    return [this.#dom.el('code', { class: 'id' }, ...this.visible(text)), this.copyButton(text, text)];
  }

  /** A button that copies a text; `what` says to those who cannot see it which one. */
  copyButton(text: string, what: string): HTMLElement {
    const label = `Copy ${this.plain(what)}`;
    const button = this.#dom.el('button', { type: 'button', class: 'copy', 'aria-label': label }, 'Copy');
    const tell = (words: string): void => {
      button.textContent = words;
      setTimeout(() => {
        button.textContent = 'Copy';
      }, this.#toldFor);
    };
    button.addEventListener('click', () => {
      // A frame of another's page has none.
      const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
      copied.then(
        () => tell('Copied'),
        () => tell('Not allowed'),
      );
    });
    return button;
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
