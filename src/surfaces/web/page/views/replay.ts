/** The whole file at one step of its life, with what that step added and removed. */

import type { App } from '../app.ts';
import type { Row, State } from '../contract.ts';
import type { Diff } from '../model/diff.ts';
import type { FileStory } from '../model/file-story.ts';

export class Replay {
  /** Longer files show only this many lines beside each change. */
  readonly #long = 3000;
  readonly #near = 100;

  readonly #app: App;
  readonly #diff: Diff;

  constructor(app: App, diff: Diff) {
    this.#app = app;
    this.#diff = diff;
  }

  render({ file, step }: State): Node[] {
    const { dom, code, story } = this.#app;
    const told = file === null ? null : story.files[file]!;
    if (told === null) return [dom.el('p', { class: 'dim' }, 'Choose an edit of a file.')];
    const rows = step === 0 ? this.#start(told) : this.#rows(told, step - 1);
    const notes = this.#notes(told, step, rows);
    if (rows === null || rows.length === 0) return notes;
    const shown = rows.length > this.#long ? this.#diff.fold(rows, this.#near) : rows;
    return [...notes, code.block(`${told.name} after ${step} of its edits`, shown)];
  }

  #start(file: FileStory): Row[] | null {
    const lines = file.before(0);
    return lines && this.#diff.whole(lines, []);
  }

  #rows(file: FileStory, step: number): Row[] | null {
    const [before, hunks, after] = [file.before(step), file.hunks(step), file.after(step + 1)];
    if (before && hunks) return this.#diff.whole(before, hunks);
    return after && this.#diff.whole(after, []);
  }

  #notes(file: FileStory, step: number, rows: readonly Row[] | null): Node[] {
    const { dom } = this.#app;
    const note = (text: string): Node => dom.el('p', { class: 'dim' }, text);
    const change = step === 0 ? null : file.steps[step - 1]!.change;
    if (step === 0 && !file.exists(0)) return [note('There was no such file yet.')];
    if (change?.binary) return [note('Binary content: no lines to show.')];
    if (rows === null) return [note('This text was left out to keep the page small.')];
    const notes: Node[] = [];
    if (change && step > 1 && change.since !== '') {
      notes.push(note('Since the step before, commits that are not in this page changed the file too.'));
    }
    if (rows.length === 0) notes.push(note('The file is empty.'));
    return notes;
  }
}
