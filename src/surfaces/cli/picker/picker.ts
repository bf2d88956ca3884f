/** Goes through hunks one by one, with the keys of `git add -p`; `review` and `land -p` say what an answer does. */

import { gitName } from '../../../c-quote.ts';
import type { ReviewHunk } from '../../../review/listing.ts';
import { capital } from '../../../wording.ts';
import type { Piece } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startOf } from '../terminal/width.ts';

/** A hunk as the picker needs it. */
export type PickedHunk = Pick<ReviewHunk, 'path' | 'before' | 'after' | 'context'>;

/** The command that picks: what it asks, and what its answers do. */
export interface Picking<Hunk extends PickedHunk> {
  /** The word for what a yes does, such as `land`. */
  verb: string;
  /** The words of the help for the keys whose meaning is the command's own. */
  help: Readonly<Record<string, string>>;
  /** True where an accepted hunk is done with, and not shown again. */
  isFinal: boolean;
  /** `count`: the number of all, `5+` where others are still looked for. */
  pieces(hunk: Hunk, number: number, count: string): Promise<Piece[]>;
  /** The answer yes. False: it could not be done, and the hunk is asked about again. */
  accept(hunk: Hunk): Promise<boolean>;
  /** The answer `r`, with a reason that it asks for. */
  reject?(hunk: Hunk): Promise<boolean>;
  /** The answer `c`: says something of it to the agent, which decides nothing. */
  comment?(hunk: Hunk): Promise<unknown>;
  /** True for a hunk that nobody claims. */
  canClaim?(hunk: Hunk): boolean;
  /** The answer `m`: all that nobody claims is the person's. */
  claim?(): Promise<boolean>;
  /** The answer `z`: takes back the last answer, where that was done at once. */
  undoLast?(): Promise<boolean>;
  /** True for a hunk of which `split` makes several. */
  canSplit(hunk: Hunk): boolean;
  split(hunk: Hunk): Promise<Hunk[]>;
  canEdit(hunk: Hunk): boolean;
  /** Lets the person edit it: what stands there then, accepted; `null`: as before. */
  edit(hunk: Hunk): Promise<Hunk[] | null>;
}

export type PickerTerminal = Pick<
  Terminal,
  'askKey' | 'askOn' | 'tell' | 'printLong' | 'progress' | 'columns' | 'quotePath'
>;

/** `answer`: yes, no, or none yet. */
interface Item<Hunk> {
  hunk: Hunk;
  answer: boolean | null;
}

/**
 * A key, what it does with the text typed behind it, and its words in the help. `cannot`: set where it cannot be pressed
 * now, words that say so, or '' where the help is shown instead.
 */
type Key = readonly [
  key: string,
  act: (given: string) => unknown,
  words: string | undefined,
  cannot?: string | undefined,
];

const NO_OTHER = 'No other hunk.';

export class Picker<Hunk extends PickedHunk> {
  readonly #terminal: PickerTerminal;
  readonly #picking: Picking<Hunk>;
  readonly #items: Array<Item<Hunk>>;
  /** The hunks that were accepted or rejected, those of one answer together, the last at the end. */
  readonly #done: Array<ReadonlyArray<Item<Hunk>>> = [];
  #at = 0;
  #rest: (() => Promise<readonly Hunk[]>) | null;
  #found: Promise<readonly Hunk[]> | undefined;

  /** `rest` looks for the hunks after these while the first is read; the first answer waits for them. */
  constructor(
    terminal: PickerTerminal,
    picking: Picking<Hunk>,
    hunks: readonly Hunk[],
    rest: (() => Promise<readonly Hunk[]>) | null = null,
  ) {
    this.#terminal = terminal;
    this.#picking = picking;
    this.#rest = rest;
    this.#items = hunks.map(hunk => ({ hunk, answer: null }));
  }

  /** Asks until all are answered, or the person quits, or the input ends. */
  async run(): Promise<void> {
    while (this.#items.some(({ answer }) => answer === null)) {
      const item = this.#items[this.#at]!;
      const [number, count] = [this.#at + 1, `${this.#items.length}${this.#rest ? '+' : ''}`];
      const pieces = await this.#picking.pieces(item.hunk, number, count);
      await this.#terminal.printLong(pieces, () => this.#lookForRest());
      const letters = offered(this.#keys(item)).map(([key]) => key);
      const question = `(${number}/${count}) ${capital(this.#picking.verb)} this hunk [${letters.join(',')}]? `;
      const answer = await this.#terminal.askKey(question);
      if (answer === null || answer === 'q') return;
      await this.#takeRest();
      if (answer !== '') await this.#answered(answer, this.#keys(item));
    }
  }

  #lookForRest(): void {
    this.#found ??= this.#rest?.();
    // Whoever leaves before is told nothing of it.
    this.#found?.catch(() => {});
  }

  async #takeRest(): Promise<void> {
    if (!this.#rest) return;
    await this.#terminal.progress('Looking for the other hunks ...');
    const hunks = await this.#found!.finally(() => this.#terminal.progress(''));
    this.#rest = null;
    this.#items.push(...hunks.map(hunk => ({ hunk, answer: null })));
  }

  /** The hunks that were answered with yes, and those that were edited. */
  get accepted(): Hunk[] {
    return this.#items.filter(({ answer }) => answer === true).map(({ hunk }) => hunk);
  }

  /** All keys in git's order, also those that cannot be pressed now. */
  #keys(item: Item<Hunk>): Key[] {
    const picking = this.#picking;
    const { help, verb } = picking;
    const { hunk } = item;
    const later = [item, ...this.#laterOf(item)];
    const accept = (one: Hunk): Promise<boolean> => picking.accept(one);
    const split = async (): Promise<void> => this.#replace(item, await picking.split(hunk), null);
    const unless = (can: unknown, words: string): string | undefined => (can ? undefined : words);
    const alone = unless(this.#rest || this.#items.length > 1, NO_OTHER);
    const whole = unless(picking.canSplit(hunk), 'Sorry, cannot split this hunk');
    const fixed = unless(picking.canEdit(hunk), 'Sorry, cannot edit this hunk');
    return [
      ['y', () => this.#decide([item], accept), `${verb} this hunk`],
      ['n', () => this.#decide([item], null), `do not ${verb} this hunk: ${help.n}`],
      ['q', () => {}, `quit; do not ${verb} this hunk or any of the remaining ones`],
      ['a', () => this.#decide(later, accept), `${verb} this hunk and all later hunks in the file`],
      [
        'd',
        () => this.#decide(later, null),
        `do not ${verb} this hunk or any of the later hunks in the file`,
      ],
      this.#move('k', -1, 'previous undecided hunk'),
      this.#move('K', -1, 'previous hunk'),
      this.#move('j', 1, 'next undecided hunk'),
      this.#move('J', 1, 'next hunk'),
      this.#move('P', -1, 'previous undecided file'),
      this.#move('N', 1, 'next undecided file'),
      ['g', given => this.#goTo(given), 'select a hunk to go to', alone],
      ['/', given => this.#find(given), 'search for a hunk matching the given regex', alone],
      ['s', split, 'split the current hunk into smaller hunks', whole],
      ['e', () => this.#edit(item), help.e, fixed],
      ['r', () => this.#decide([item], one => picking.reject!(one)), help.r, unless(picking.reject, '')],
      ['c', () => picking.comment!(hunk), help.c, unless(picking.comment, '')],
      ['m', () => this.#claim(), help.m, unless(picking.canClaim?.(hunk), '')],
      ['z', () => this.#undoLast(), help.z, unless(picking.undoLast ?? this.#done[0], '')],
      ['?', () => this.#help(this.#keys(item)), 'print help'],
    ];
  }

  #move(key: string, step: 1 | -1, where: string): Key {
    const at = this.#next(step, where.includes('undecided'), where.includes('file'));
    const words = `leave this hunk undecided, see ${where}`;
    return [key, () => (this.#at = at!), words, at === null && !this.#rest ? NO_OTHER : undefined];
  }

  async #answered(answer: string, keys: readonly Key[]): Promise<void> {
    const [first = '', given] = [answer[0], answer.slice(1).trim()];
    if (given !== '' && first !== 'g' && first !== '/')
      return this.#terminal.tell(`Only one letter is expected, got ${JSON.stringify(answer)}`);
    const [, act, , cannot] = keys.find(([key]) => key === first) ?? keys.at(-1)!;
    if (cannot === undefined) await act(given);
    else await (cannot === '' ? this.#help(keys) : this.#terminal.tell(cannot));
  }

  async #help(keys: readonly Key[]): Promise<void> {
    const lines = offered(keys).map(([key, , words]) => `${key} - ${words}`);
    await this.#terminal.tell(lines.join('\n'));
  }

  /** Does it with each, or leaves them; stops at the first that cannot be done, which is asked about again. */
  async #decide(
    items: ReadonlyArray<Item<Hunk>>,
    done: ((hunk: Hunk) => Promise<boolean>) | null,
  ): Promise<void> {
    for (const item of items) {
      if (done && !(await done(item.hunk))) {
        this.#at = this.#items.indexOf(item);
        return;
      }
      item.answer = done !== null;
      if (done) this.#done.push([item]);
    }
    this.#at = this.#next(1, true) ?? this.#at;
  }

  async #claim(): Promise<void> {
    const items = this.#items.filter(({ hunk, answer }) => answer === null && this.#picking.canClaim!(hunk));
    if (!(await this.#picking.claim!())) return;
    for (const item of items) item.answer = true;
    this.#done.push(items);
    this.#at = this.#next(1, true) ?? this.#at;
  }

  /** Those of the same file below it that have no answer; what nobody claims is apart from the rest. */
  #laterOf({ hunk }: Item<Hunk>): Array<Item<Hunk>> {
    const later = this.#items.slice(this.#at + 1).filter(({ answer }) => answer === null);
    const isNobodys = (one: Hunk): boolean => this.#picking.canClaim?.(one) ?? false;
    return later.filter(one => one.hunk.path === hunk.path && isNobodys(one.hunk) === isNobodys(hunk));
  }

  /** The nearest one in this direction, round the end, that can be shown; `null`: there is no other. */
  #next(step: 1 | -1, isUnanswered: boolean, isOtherFile = false): number | null {
    const count = this.#items.length;
    const { path } = this.#items[this.#at]!.hunk;
    for (let n = 1; n < count; n++) {
      const at = (this.#at + step * n + count) % count;
      if (isOtherFile && this.#items[at]!.hunk.path === path) continue;
      if (isUnanswered ? this.#items[at]!.answer === null : this.#isShown(at)) return at;
    }
    return null;
  }

  #isShown(at: number): boolean {
    return !this.#picking.isFinal || this.#items[at]!.answer !== true;
  }

  async #goTo(given: string): Promise<void> {
    const typed = given || (await this.#asked());
    const at = Number(typed) - 1;
    const count = this.#items.length;
    if (typed === '') return;
    if (!/^\d+$/.test(typed)) return this.#terminal.tell(`Invalid number: ${JSON.stringify(typed)}`);
    if (!(at in this.#items))
      return this.#terminal.tell(`Only ${count} hunks are there: give 1 to ${count}.`);
    if (!this.#isShown(at)) return this.#terminal.tell(`Hunk ${typed} is answered already.`);
    this.#at = at;
  }

  /** Lists the hunks around this one, as git does: with `+` or `-` where there is an answer. */
  async #asked(): Promise<string> {
    const from = Math.max(0, Math.min(this.#at - LISTED / 2, this.#items.length - LISTED));
    const { columns, quotePath } = this.#terminal;
    for (const [n, { hunk, answer }] of this.#items.slice(from, from + LISTED).entries()) {
      const mark = answer === null ? ' ' : answer ? '+' : '-';
      const line = `${mark}${String(from + n + 1).padStart(2)}: ${gitName(hunk.path, quotePath)} ${headOf(hunk)}`;
      await this.#terminal.tell(startOf(line, columns - 1));
    }
    return (await this.#terminal.askOn('go to which hunk? ')) ?? '';
  }

  async #find(given: string): Promise<void> {
    const pattern = given || (await this.#terminal.askOn('search for regex? ')) || '';
    const wanted = patternOf(pattern);
    if (pattern === '') return;
    if (!wanted) return this.#terminal.tell(`That is no regular expression: ${pattern}`);
    const count = this.#items.length;
    const order = this.#items.map((_, n) => (this.#at + 1 + n) % count).filter(at => this.#isShown(at));
    const found = order.find(at => wanted.test(textOf(this.#items[at]!.hunk)));
    if (found === undefined) return this.#terminal.tell(`No hunk matches ${pattern}`);
    this.#at = found;
  }

  async #edit(item: Item<Hunk>): Promise<void> {
    const hunks = await this.#picking.edit(item.hunk);
    if (hunks === null) return;
    this.#replace(item, hunks, true);
    this.#at = Math.min(this.#at, Math.max(0, this.#items.length - 1));
    this.#at = this.#next(1, true) ?? this.#at;
  }

  #replace(item: Item<Hunk>, hunks: readonly Hunk[], answer: true | null): void {
    const items = hunks.map(hunk => ({ hunk, answer }));
    this.#items.splice(this.#items.indexOf(item), 1, ...items);
    if (answer) this.#done.push(items);
  }

  async #undoLast(): Promise<void> {
    if (this.#picking.undoLast && !(await this.#picking.undoLast())) return;
    const items = this.#done.pop() ?? [];
    for (const item of items) item.answer = null;
    if (items[0]) this.#at = this.#items.indexOf(items[0]);
  }
}

function offered(keys: readonly Key[]): Key[] {
  return keys.filter(([, , , cannot]) => cannot === undefined);
}

/** The most hunks listed by `g`. */
const LISTED = 20;

function patternOf(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'm');
  } catch {
    return null;
  }
}

function textOf({ path, before, after }: PickedHunk): string {
  return [path, ...before.lines, ...after.lines].join('\n');
}

function headOf({ before, after }: PickedHunk): string {
  const [line = ''] = after.lines.length > 0 ? after.lines : before.lines;
  const mark = after.lines.length > 0 ? '+' : '-';
  return `-${before.line},${before.lines.length} +${after.line},${after.lines.length} ${mark}${line}`;
}
