/** What is not reviewed yet: hunks of the accepted text against the present one, each with the edits behind it. */

import type { ReviewHunk } from '../../../../workspace/review/listing.ts';
import type { App } from '../app.ts';
import type { Row } from '../contract.ts';
import type { Live } from '../live/live.ts';
import type { Diff } from '../model/diff.ts';

export class Review {
  readonly #app: App;
  readonly #live: Live | null;
  readonly #diff: Diff;
  #at = 0;
  /** What is drawn, by what it was drawn of: a hunk that stays keeps its element. */
  #drawn = new Map<string, HTMLElement>();
  #nobodys: { key: string; element: HTMLElement } | null = null;

  constructor(app: App, live: Live | null, diff: Diff) {
    this.#app = app;
    this.#live = live;
    this.#diff = diff;
  }

  /** The hunk that the keys are about. */
  get chosen(): ReviewHunk | null {
    return this.#hunks[this.#at] ?? null;
  }

  get #hunks(): readonly ReviewHunk[] {
    return this.#live?.hunks ?? [];
  }

  /** The next hunk, or the one before. */
  move(by: number): void {
    this.#choose(Math.min(Math.max(this.#at + by, 0), this.#hunks.length - 1));
    this.#drawn.get(this.#keyOf(this.chosen))?.scrollIntoView({ block: 'nearest' });
  }

  render(): Node[] {
    const { dom, words } = this.#app;
    this.#at = Math.max(0, Math.min(this.#at, this.#hunks.length - 1));
    const drawn = new Map<string, HTMLElement>();
    for (const [at, hunk] of this.#hunks.entries()) {
      const key = this.#keyOf(hunk);
      drawn.set(key, this.#drawn.get(key) ?? this.#section(hunk, key));
      drawn.get(key)!.querySelector('.hunk-number')!.textContent = String(at + 1);
    }
    this.#drawn = drawn;
    this.#mark();
    const files = new Set(this.#hunks.map(({ path }) => path)).size;
    const text =
      this.#hunks.length === 0
        ? 'Everything that agents wrote is reviewed.'
        : `${words.count(this.#hunks.length, 'hunk')} of ${words.count(files, 'file')} to review`;
    const nobodys = this.#unclaimed();
    return [dom.el('h2', { class: 'lead' }, text), ...drawn.values(), ...(nobodys ? [nobodys] : [])];
  }

  /** Text that nobody claims, in one line that opens; drawn anew only when it is another. */
  #unclaimed(): HTMLElement | null {
    const live = this.#live;
    const unclaimed = live?.unclaimed;
    if (!live || !unclaimed) return null;
    const { dom, words, code } = this.#app;
    const key = JSON.stringify([unclaimed.words, ...unclaimed.hunks.map(hunk => this.#keyOf(hunk))]);
    if (this.#nobodys?.key === key) return this.#nobodys.element;
    const claim = { type: 'button', click: () => live.actions.claim() };
    const element = dom.el(
      'details',
      { class: 'file unclaimed' },
      dom.el('summary', {}, ...words.visible(unclaimed.words)),
      !live.readOnly &&
        dom.el('p', {}, dom.el('button', claim, 'All of it is mine ', dom.el('kbd', {}, 'c'))),
      ...unclaimed.hunks.flatMap(hunk => [
        dom.el('h3', {}, words.path(hunk.path), ` line ${words.number(hunk.lines.start_line)}`),
        code.block(`${hunk.path}, line ${hunk.lines.start_line}`, this.#rows(hunk)),
      ]),
    );
    this.#nobodys = { key, element };
    return element;
  }

  #keyOf(hunk: ReviewHunk | null): string {
    if (!hunk) return '';
    const { number: _number, commit: _commit, version: _version, ...rest } = hunk;
    return JSON.stringify(rest);
  }

  #choose(at: number): void {
    this.#at = Math.max(0, at);
    this.#mark();
    this.#app.onRender?.();
  }

  #mark(): void {
    const key = this.#keyOf(this.chosen);
    for (const [one, element] of this.#drawn) {
      element.classList.toggle('chosen', one === key);
      if (one === key) element.setAttribute('aria-current', 'true');
      else element.removeAttribute('aria-current');
    }
  }

  #section(hunk: ReviewHunk, key: string): HTMLElement {
    const { dom, words, code } = this.#app;
    const { path, kind, lines, mixed } = hunk;
    const word = hunk.renamed ? this.#renamedWords(hunk) : kind;
    const whole = kind !== 'lines' && dom.el('span', { class: 'badge' }, ...words.visible(word));
    const section = dom.el(
      'section',
      { class: 'file review-hunk', 'aria-label': `${words.plain(path)}, line ${lines.start_line}` },
      dom.el(
        'h3',
        {},
        dom.el('span', { class: 'hunk-number badge' }),
        words.path(path),
        kind === 'lines' && dom.el('span', { class: 'dim' }, ` line ${words.number(lines.start_line)} `),
        ' ',
        whole,
        mixed && dom.el('span', { class: 'badge' }, 'with text of a person'),
      ),
      ...this.#edits(hunk),
      ...(hunk.renamed
        ? this.#changed(hunk.renamed.diff, path)
        : [code.block(`${path}, line ${lines.start_line}`, this.#rows(hunk))]),
    );
    section.addEventListener('click', () => {
      const at = this.#hunks.findIndex(one => this.#keyOf(one) === key);
      if (at >= 0) this.#choose(at);
    });
    return section;
  }

  /** As git words it. */
  #renamedWords({ kind, renamed }: ReviewHunk): string {
    return `renamed ${kind === 'create' ? 'from' : 'to'} ${renamed!.path}, similarity ${renamed!.similarity}%`;
  }

  /** Draws the lines that changed in a file that was renamed. */
  #changed(diff: string, path: string): Node[] {
    const { code } = this.#app;
    return this.#diff.parse(diff).map(({ newStart, rows }) => code.block(`${path}, line ${newStart}`, rows));
  }

  #edits({ edits, rejected_before: overridden, accepted_by: others }: ReviewHunk): Node[] {
    const { dom, words } = this.#app;
    const items = edits.slice(0, 5).map(({ commit, subject, reason, agent, author, person }) => {
      const name = person ? author : (agent ?? author);
      const show = { type: 'button', class: 'link', click: () => commit && this.#app.chooseCommit(commit) };
      const about = words.visible((reason || subject).split('\n')[0]!);
      return dom.el(
        'li',
        {},
        dom.el('strong', {}, ...words.visible(name)),
        ' ',
        commit === null
          ? dom.el('span', { class: 'dim' }, 'not recorded yet')
          : dom.el('button', show, ...about),
      );
    });
    const notes = overridden.map(one => dom.el('p', { class: 'overridden' }, ...words.visible(one.words)));
    const accepted =
      others.length > 0 &&
      dom.el('p', { class: 'dim' }, ...words.visible(`accepted by ${others.join(', ')}`));
    return [dom.el('ul', { class: 'relations' }, ...items), ...notes, ...(accepted ? [accepted] : [])];
  }

  #rows({ before, after, context }: ReviewHunk): Row[] {
    const shift = { old: before.line - context.above.length, now: after.line - context.above.length };
    const same = (texts: readonly string[], old: number, now: number): Row[] =>
      texts.map((text, at) => ({ sign: ' ', old: old + at, now: now + at, text: `${text}\n` }));
    const old = before.lines.map((text, at): Row => {
      return { sign: '-', old: before.line + at, now: null, text: `${text}\n` };
    });
    const now = after.lines.map((text, at): Row => {
      return { sign: '+', old: null, now: after.line + at, text: `${text}\n` };
    });
    const end = { old: before.line + before.lines.length, now: after.line + after.lines.length };
    return [
      ...same(context.above, shift.old, shift.now),
      ...old,
      ...now,
      ...same(context.below, end.old, end.now),
    ];
  }
}
