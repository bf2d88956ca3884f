/** `vedit land -p`: the places of a landing, hunk by hunk, with the keys of `git add -p`. */

import { gitName } from '../../c-quote.ts';
import type { LandHunk } from '../../workspace/land/hunks.ts';
import { styled } from './terminal/style.ts';
import type { Terminal } from './terminal/terminal.ts';

const HELP = `y - land this hunk
n - leave it in the file
q - quit: leave this hunk and all that are undecided
a - land this hunk and all later ones of the file
d - leave this hunk and all later ones of the file
/ - look for a hunk that matches a pattern
j - leave it undecided, go on to the next undecided one
k - leave it undecided, go back to the undecided one before
s - split it
? - this help`;

/** Holds what is asked about at once: places that are beside each other. */
interface Asked {
  places: LandHunk[];
  taken: boolean | null;
}

export class LandWalk {
  readonly #terminal: Terminal;
  readonly #asked: Asked[];
  #at = 0;

  constructor(terminal: Terminal, hunks: readonly LandHunk[]) {
    this.#terminal = terminal;
    this.#asked = grouped(hunks).map(places => ({ places, taken: null }));
  }

  /** Answers the ids of the places that are to land. What is undecided at the end stays. */
  async run(): Promise<string[]> {
    while (this.#asked.some(({ taken }) => taken === null)) {
      const one = this.#asked[this.#at]!;
      for (const piece of piecesOf(one.places, this.#terminal.quotePath)) await this.#terminal.print(piece);
      const answer = await this.#terminal.askOn(
        `(${this.#at + 1}/${this.#asked.length}) Land this hunk [y,n,q,a,d,/,j,k${one.places.length > 1 ? ',s' : ''},?]? `,
      );
      if (answer === null || answer === 'q') break;
      await this.#answered(answer, one);
    }
    return this.#asked.flatMap(({ places, taken }) => (taken === true ? places.map(({ id }) => id) : []));
  }

  async #answered(answer: string, one: Asked): Promise<void> {
    const isFor = { y: true, n: false, a: true, d: false }[answer];
    if (isFor !== undefined) {
      const path = one.places[0]!.path;
      const later = this.#asked.slice(this.#at + 1).filter(({ places }) => places[0]!.path === path);
      for (const each of answer === 'a' || answer === 'd' ? [one, ...later] : [one]) each.taken = isFor;
      return this.#go(1);
    }
    if (answer === 'j' || answer === 'k') return this.#go(answer === 'j' ? 1 : -1);
    if (answer.startsWith('/')) return this.#find(answer.slice(1));
    if (answer === 's' && one.places.length > 1)
      this.#asked.splice(this.#at, 1, ...one.places.map(place => ({ places: [place], taken: null })));
    else await this.#terminal.tell(answer === 's' ? 'This hunk cannot be split.' : HELP);
  }

  /** To the nearest undecided one in this direction, round the end. */
  #go(step: 1 | -1): void {
    const count = this.#asked.length;
    for (let n = 1; n <= count; n++) {
      const at = (this.#at + step * n + count * n) % count;
      if (this.#asked[at]!.taken !== null) continue;
      this.#at = at;
      return;
    }
  }

  async #find(given: string): Promise<void> {
    const pattern = given || (await this.#terminal.askOn('Pattern: ')) || '';
    let wanted: RegExp;
    try {
      wanted = new RegExp(pattern, 'm');
    } catch {
      return this.#terminal.tell(`That is no regular expression: ${pattern}`);
    }
    const { length } = this.#asked;
    const order = Array.from({ length }, (_, n) => (this.#at + 1 + n) % length);
    const found = order.find(at => wanted.test(textOf(this.#asked[at]!.places)));
    if (found === undefined) return this.#terminal.tell(`No hunk matches ${pattern}`);
    this.#at = found;
  }
}

/** Places of which one begins where the other ends are one hunk at first. */
function grouped(hunks: readonly LandHunk[]): LandHunk[][] {
  const groups: LandHunk[][] = [];
  const sorted = [...hunks].sort((a, b) => (a.path === b.path ? a.before.line - b.before.line : 0));
  for (const hunk of sorted) {
    const last = groups.at(-1)?.at(-1);
    const isBeside =
      last?.path === hunk.path && last.before.line + last.before.lines.length === hunk.before.line;
    if (isBeside && last.about === '' && hunk.about === '') groups.at(-1)!.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

const textOf = (places: readonly LandHunk[]): string =>
  places.flatMap(({ path, before, after }) => [path, ...before.lines, ...after.lines]).join('\n');

function* piecesOf(
  places: readonly LandHunk[],
  quotePath: boolean,
): Generator<Parameters<Terminal['print']>[0]> {
  const [first, last] = [places[0]!, places.at(-1)!];
  const { path, about, context } = first;
  yield styled('bold', `${gitName(path, quotePath)}${about ? ` (${about})` : ''}\n`);
  const count = (side: 'before' | 'after'): number =>
    places.reduce((sum, place) => sum + place[side].lines.length, 0);
  yield styled(
    'cyan',
    `@@ -${first.before.line},${count('before')} +${first.after.line},${count('after')} @@\n`,
  );
  for (const line of context.above) yield ` ${line}\n`;
  for (const { before, after } of places) {
    for (const line of before.lines) yield styled('red', `-${line}\n`);
    for (const line of after.lines) yield styled('green', `+${line}\n`);
  }
  for (const line of last.context.below) yield ` ${line}\n`;
}
