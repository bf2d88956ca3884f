/** What narrows the list: a file, a session, words. */

import type { App } from '../app.ts';
import type { State } from '../contract.ts';

export class Filters {
  readonly #app: App;
  readonly #files: HTMLSelectElement;
  readonly #groups: HTMLSelectElement;
  readonly #words: HTMLInputElement;
  /** What the words are looked for in, by commit; made when words are first typed. */
  readonly #haystacks = new Map<string, string>();

  constructor(app: App) {
    this.#app = app;
    this.#files = app.dom.get<HTMLSelectElement>('only-file');
    this.#groups = app.dom.get<HTMLSelectElement>('only-group');
    this.#words = app.dom.get<HTMLInputElement>('only-words');
    this.offer();
    this.#files.addEventListener('change', () => app.narrow({ onlyFile: this.#chosen(this.#files) }));
    this.#groups.addEventListener('change', () => app.narrow({ onlyGroup: this.#chosen(this.#groups) }));
    this.#words.addEventListener('input', () => app.narrow({ words: this.#words.value }));
    app.dom.get('show-all').addEventListener('click', () => this.clear());
  }

  clear(): void {
    this.#app.narrow({ onlyFile: null, onlyGroup: null, words: '' });
  }

  focusFiles(): void {
    this.#files.focus();
  }

  focusWords(): void {
    this.#words.focus();
    this.#words.select();
  }

  /** The entries that fit, newest first. */
  entries({ onlyFile, onlyGroup, words }: State): number[] {
    const { story } = this.#app;
    const wanted = words
      .toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '');
    return [...story.entries.keys()].filter(
      index =>
        (onlyFile === null || story.filesOf(index).includes(onlyFile)) &&
        (onlyGroup === null || story.groups[onlyGroup] === story.groupOf(index)) &&
        wanted.every(word => this.#haystack(index).includes(word)),
    );
  }

  render({ onlyFile, onlyGroup, words }: State, shown: readonly number[]): void {
    const { dom, story, words: say } = this.#app;
    this.#files.value = onlyFile === null ? '' : String(onlyFile);
    this.#groups.value = onlyGroup === null ? '' : String(onlyGroup);
    if (this.#words.value !== words) this.#words.value = words;
    const all = say.count(story.entries.length, 'entry', 'entries');
    const isNarrow = shown.length !== story.entries.length;
    dom.get('count').textContent = isNarrow ? `${say.number(shown.length)} of ${all}` : all;
    dom.get('show-all').hidden = onlyFile === null && onlyGroup === null && words === '';
  }

  #chosen(select: HTMLSelectElement): number | null {
    return select.value === '' ? null : Number(select.value);
  }

  /** An open list is left alone: what is being read does not move. */
  #offerIn(select: HTMLSelectElement, options: readonly HTMLElement[]): void {
    this.#app.dom.patch(select, [select.firstElementChild!, ...options]);
  }

  /** All files and sessions that there are by now. */
  offer(): void {
    const { dom, story, words } = this.#app;
    const option = (value: number, name: string, count: number): HTMLElement =>
      dom.el('option', { value }, `${name} (${words.number(count)})`);
    const files = story.files.map((file, index) =>
      option(index, words.shortPath(file.name), file.steps.length),
    );
    const groups = story.groups.map(({ name, session, entries }, index) => {
      const whose = session !== null && name !== `session ${session}` ? `${name}, ${session}` : name;
      return option(index, words.plain(whose), entries.length);
    });
    this.#offerIn(this.#files, files);
    this.#offerIn(this.#groups, groups);
  }

  #haystack(index: number): string {
    const { commit, subject, reason, agent, author, session, files } = this.#app.story.entries[index]!;
    const known = this.#haystacks.get(commit);
    if (known !== undefined) return known;
    const parts = [
      commit,
      subject,
      reason,
      agent,
      author,
      session,
      ...files.flatMap(file => [file.path, file.diff]),
    ];
    const text = parts.join('\n').toLowerCase();
    this.#haystacks.set(commit, text);
    return text;
  }
}
