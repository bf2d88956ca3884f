/** The diff of the chosen entry, file by file. */

import type { TimelineFile } from '../../../../workspace/queries/timeline/files.ts';
import type { App } from '../app.ts';
import type { State } from '../contract.ts';
import type { Diff } from '../model/diff.ts';

export class Changes {
  readonly #app: App;
  readonly #diff: Diff;

  constructor(app: App, diff: Diff) {
    this.#app = app;
    this.#diff = diff;
  }

  render({ chosen, onlyFile }: State): Node[] {
    const { dom, story, words } = this.#app;
    if (chosen === null) return [dom.el('p', { class: 'dim' }, 'Choose an edit.')];
    const { files, other_files: others } = story.entries[chosen]!;
    const sections = files.map((file, at) => {
      const index = story.filesOf(chosen)[at]!;
      return this.#section(file, index, onlyFile === null || onlyFile === index);
    });
    if (others > 0) sections.push(dom.el('p', { class: 'dim' }, `and ${words.count(others, 'other file')}`));
    return sections.length > 0
      ? sections
      : [dom.el('p', { class: 'dim' }, 'No file of this page was changed.')];
  }

  #section(file: TimelineFile, index: number, isOpen: boolean): HTMLElement {
    const { dom, words } = this.#app;
    const moved = file.from !== null && [words.path(file.from), ' → '];
    const kind = file.kind !== 'modify' && dom.el('span', { class: 'badge' }, this.#kindWord(file.kind));
    const { name } = this.#app.story.files[index]!;
    const show = { type: 'button', click: () => this.#app.replayNamed(name) };
    const replay = dom.el('button', show, 'Replay');
    const heading = dom.el(
      'summary',
      {},
      ...(moved || []),
      words.path(file.path),
      ' ',
      kind,
      words.stat(file),
    );
    const copy = file.diff ? words.copyButton(file.diff, `the diff of ${file.path}`) : null;
    const actions = dom.el('div', { class: 'actions' }, copy, replay);
    const body = dom.el('details', { open: isOpen }, heading, actions);
    body.append(...this.#body(file));
    return dom.el('section', { class: 'file', 'aria-label': words.plain(file.path) }, body);
  }

  #kindWord(kind: TimelineFile['kind']): string {
    return { create: 'new', delete: 'deleted', move: 'moved', modify: '' }[kind];
  }

  #body(file: TimelineFile): Node[] {
    const { dom, code, words } = this.#app;
    const note = (text: string): Node[] => [dom.el('p', { class: 'dim' }, text)];
    if (file.binary) return note('Binary content: no lines to show.');
    if (file.diff === null) return note('This diff was left out to keep the page small.');
    const modes = /\nold mode (\d+)\nnew mode (\d+)\n/.exec(file.diff.split('\n@@ ')[0]!);
    const mode = modes ? note(`Mode ${modes[1]} became ${modes[2]}.`) : [];
    const hunks = this.#diff.parse(file.diff);
    if (hunks.length === 0 && mode.length === 0) return note('No line was changed.');
    const blocks = hunks.flatMap(hunk => [
      dom.el(
        'div',
        { class: 'hunk' },
        `line ${words.number(hunk.newStart)}`,
        ...words.visible(hunk.heading && ` · ${hunk.heading}`),
      ),
      code.block(`${file.path}, line ${hunk.newStart}`, hunk.rows),
    ]);
    return [...mode, ...blocks];
  }
}
