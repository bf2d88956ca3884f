/** Goes through hunks one by one, with the keys of `git add -p`; `review` and `land -p` say what an answer does. */

import { gitName } from '../../../c-quote.ts';
import type { HunkText } from '../../../review/listing.ts';
import type { Piece } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { startOf } from '../terminal/width.ts';

/** A hunk as the picker needs it. */
export interface PickedHunk {
  path: string;
  before: HunkText;
  after: HunkText;
  /** Up to 3 common lines on each side. */
  context: { above: string[]; below: string[] };
}

/** The command that picks: what it asks, and what its answers do. */
export interface Picking<Hunk extends PickedHunk> {
  /** As `Land this hunk`. */
  question: string;
  /** The words of the help for the keys whose meaning is the command's own. */
  help: Readonly<Record<string, string>>;
  /** True where an accepted hunk is done with, and not shown again. */
  isFinal: boolean;
  pieces(hunk: Hunk, number: number, count: number): Iterable<Piece>;
  /** The answer yes. False: it could not be done, and the hunk is asked about again. */
  accept(hunk: Hunk): Promise<boolean>;
  /** The answer `r`, with a reason that it asks for. */
  reject?(hunk: Hunk): Promise<boolean>;
  /** The answer `z`: takes back the last answer that was done. */
  takeBack?(): Promise<boolean>;
  /** True for a hunk of which `split` makes several. */
  canSplit(hunk: Hunk): boolean;
  split(hunk: Hunk): Promise<Hunk[]>;
  canEdit(hunk: Hunk): boolean;
  /** Lets the person edit it: what stands there then, accepted; `null`: as before. */
  edit(hunk: Hunk): Promise<Hunk[] | null>;
}

export type PickerTerminal = Pick<
  Terminal,
  'askKey' | 'askOn' | 'tell' | 'printLong' | 'columns' | 'quotePath'
>;

/** `answer`: yes, no, or none yet. */
interface Item<Hunk> {
  hunk: Hunk;
  answer: boolean | null;
}

export class Picker<Hunk extends PickedHunk> {
  readonly #terminal: PickerTerminal;
  readonly #picking: Picking<Hunk>;
  readonly #items: Array<Item<Hunk>>;
  /** The hunks that were accepted or rejected, the last at the end. */
  readonly #done: Array<Item<Hunk>> = [];
  #at = 0;

  constructor(terminal: PickerTerminal, picking: Picking<Hunk>, hunks: readonly Hunk[]) {
    this.#terminal = terminal;
    this.#picking = picking;
    this.#items = hunks.map(hunk => ({ hunk, answer: null }));
  }

  /** Asks until all are answered (true), or the person quits or the input ends (false). */
  async run(): Promise<boolean> {
    while (this.#items.some(({ answer }) => answer === null)) {
      const item = this.#items[this.#at]!;
      const count = this.#items.length;
      await this.#terminal.printLong([...this.#picking.pieces(item.hunk, this.#at + 1, count)]);
      const keys = [...this.#keys(item)].map(([key]) => key);
      const question = `(${this.#at + 1}/${count}) ${this.#picking.question} [${keys.join(',')}]? `;
      const answer = await this.#terminal.askKey(question);
      if (answer === null || answer === 'q') return false;
      if (answer !== '') await this.#answered(answer, item, keys);
    }
    return true;
  }

  /** The hunks that were answered with yes, and those that were edited. */
  get accepted(): Hunk[] {
    return this.#items.filter(({ answer }) => answer === true).map(({ hunk }) => hunk);
  }

  /** The keys that can be pressed now, in git's order, with the help for each. */
  *#keys(item: Item<Hunk>): Generator<[key: string, words: string]> {
    const { help } = this.#picking;
    for (const key of ['y', 'n', 'q', 'a', 'd']) yield [key, help[key]!];
    for (const [key, step] of MOVES)
      if (this.#next(step, UNANSWERED.has(key)) !== null) yield [key, MOVE_WORDS[key]!];
    if (this.#items.length > 1) {
      yield ['g', 'select a hunk to go to'];
      yield ['/', 'search for a hunk matching the given regex'];
    }
    if (this.#picking.canSplit(item.hunk)) yield ['s', 'split the current hunk into smaller hunks'];
    if (this.#picking.canEdit(item.hunk)) yield ['e', help.e!];
    if (this.#picking.reject) yield ['r', help.r!];
    if (this.#picking.takeBack) yield ['z', help.z!];
    yield ['?', 'print help'];
  }

  async #answered(answer: string, item: Item<Hunk>, keys: readonly string[]): Promise<void> {
    const [key = '', given] = [answer[0], answer.slice(1).trim()];
    if (given !== '' && key !== 'g' && key !== '/')
      return this.#terminal.tell(`Only one letter is expected, got ${JSON.stringify(answer)}`);
    if (!keys.includes(key)) return this.#cannot(key, item);
    const accept = (hunk: Hunk): Promise<boolean> => this.#picking.accept(hunk);
    switch (key) {
      case 'y':
      case 'n':
        return this.#decide([item], key === 'y' ? accept : null);
      case 'a':
      case 'd':
        return this.#decide([item, ...this.#laterOf(item)], key === 'a' ? accept : null);
      case 'g':
        return this.#goTo(given);
      case '/':
        return this.#find(given);
      case 's':
        return this.#replace(item, await this.#picking.split(item.hunk), null);
      case 'e':
        return this.#edit(item);
      case 'r':
        return this.#decide([item], hunk => this.#picking.reject!(hunk));
      case 'z':
        return this.#takeBack();
      case '?':
        return this.#help(item);
      default:
        this.#at = this.#next(new Map(MOVES).get(key)!, UNANSWERED.has(key))!;
    }
  }

  async #cannot(key: string, item: Item<Hunk>): Promise<void> {
    const words = CANNOT[key];
    return words === undefined ? this.#help(item) : this.#terminal.tell(words);
  }

  async #help(item: Item<Hunk>): Promise<void> {
    const lines = Array.from(this.#keys(item), ([key, words]) => `${key} - ${words}`);
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
      if (done) this.#done.push(item);
    }
    this.#at = this.#next(1, true) ?? this.#at;
  }

  /** Those of the same file below it that have no answer. */
  #laterOf({ hunk }: Item<Hunk>): Array<Item<Hunk>> {
    const later = this.#items.slice(this.#at + 1);
    return later.filter(one => one.hunk.path === hunk.path && one.answer === null);
  }

  /** The nearest one in this direction, round the end, that can be shown; `null`: there is no other. */
  #next(step: 1 | -1, isUnanswered: boolean): number | null {
    const count = this.#items.length;
    for (let n = 1; n < count; n++) {
      const at = (this.#at + step * n + count) % count;
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
    if (answer) this.#done.push(...items);
  }

  async #takeBack(): Promise<void> {
    if (!(await this.#picking.takeBack!())) return;
    const item = this.#done.pop();
    if (!item) return;
    item.answer = null;
    this.#at = this.#items.indexOf(item);
  }
}

const MOVES: ReadonlyArray<readonly [key: string, step: 1 | -1]> = [
  ['k', -1],
  ['K', -1],
  ['j', 1],
  ['J', 1],
];

/** The moves to those that have no answer yet. */
const UNANSWERED: ReadonlySet<string> = new Set(['j', 'k']);

const MOVE_WORDS: Readonly<Record<string, string>> = {
  k: 'leave this hunk undecided, see previous undecided hunk',
  K: 'leave this hunk undecided, see previous hunk',
  j: 'leave this hunk undecided, see next undecided hunk',
  J: 'leave this hunk undecided, see next hunk',
};

const CANNOT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['k', 'K', 'j', 'J', 'g', '/'].map(key => [key, 'No other hunk.'])),
  s: 'Sorry, cannot split this hunk',
  e: 'Sorry, cannot edit this hunk',
};

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
