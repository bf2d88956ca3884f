/** Which edit wrote each line of a file, at any step of its life. */

import type { App } from '../app.ts';
import type { State } from '../contract.ts';
import type { FileStory } from '../model/file-story.ts';
import type { Story } from '../model/story.ts';

export class Blame {
  readonly #app: App;
  /** That of the last drawing: lines that are drawn later belong to it. */
  #story: Story;

  constructor(app: App) {
    this.#app = app;
    this.#story = app.story;
  }

  render({ file, step }: State): Node[] {
    const { dom, story } = this.#app;
    this.#story = story;
    const told = file === null ? null : story.files[file]!;
    if (told === null) return [dom.el('p', { class: 'dim' }, 'Choose an edit of a file.')];
    if (!told.exists(step)) return [dom.el('p', { class: 'dim' }, 'There is no such file at this step.')];
    const [lines, origins] = [told.after(step), told.origins(step)];
    if (lines === null || origins === null) {
      return [
        dom.el(
          'p',
          { class: 'dim' },
          'This text is not in the page: it is binary, or was left out as too large.',
        ),
      ];
    }
    if (lines.length === 0) return [dom.el('p', { class: 'dim' }, 'The file is empty.')];
    return [this.#block(told, lines, origins)];
  }

  #block(file: FileStory, lines: readonly string[], origins: readonly number[]): HTMLElement {
    const { code } = this.#app;
    const block = code.empty(`${file.name}, with the edit behind each line`);
    block.classList.add('blame');
    const hideReturn = lines.every(line => !line.endsWith('\n') || line.endsWith('\r\n'));
    code.portions(block, lines, (text, at) => {
      const origin = origins[at]!;
      const row = { sign: ' ', old: null, now: at + 1, text } as const;
      const line = code.line(row, hideReturn, this.#source(file, origin, origins[at - 1] !== origin));
      const entry = this.#entryOf(file, origin);
      line.classList.add(entry === null ? 'tint-none' : this.#story.groupOf(entry).tint);
      return line;
    });
    return block;
  }

  /** The entry that a line is drawn as: what wrote it, or the sync that brought it. */
  #entryOf(file: FileStory, origin: number): number | null {
    if (origin >= 0) return file.steps[origin]!.entry;
    const source = file.sourceOf(origin);
    if (!source || source.entry !== null) return source?.entry ?? null;
    const { entry } = file.steps[source.step]!;
    return this.#story.kindOf(entry) === 'sync' ? entry : null;
  }

  /** What stands beside a line: words where a new origin begins, else the colour alone. */
  #source(file: FileStory, origin: number, isFirst: boolean): HTMLElement {
    const { dom, words } = this.#app;
    const story = this.#story;
    if (!isFirst) return dom.el('span', { class: 'source' });
    const source = file.sourceOf(origin);
    if (origin < 0 && !source) {
      return dom.el(
        'span',
        { class: 'source dim' },
        origin === -1 ? 'before these edits' : 'not in this page',
      );
    }
    const entry = source?.entry ?? file.steps[source?.step ?? origin]!.entry;
    const isEntry = source === null || source.entry !== null;
    const { time, reason, subject } = isEntry ? story.entries[entry]! : { ...source, reason: '' };
    const title = words.plain(reason || subject);
    const { commit } = story.entries[entry]!;
    const choose = (): void => this.#app.chooseCommit(commit, 'changes');
    const show = { type: 'button', class: 'source', title, click: choose };
    const who = isEntry ? story.groupOf(entry).name : source.author;
    const name = dom.el('span', { class: 'name' }, ...words.visible(who));
    const why = dom.el('span', { class: 'dim' }, ...words.visible((reason || subject).split('\n')[0]!));
    return dom.el('button', show, words.brief(time), ' ', name, ' ', why);
  }
}
