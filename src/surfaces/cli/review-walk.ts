/** The review on a terminal, hunk by hunk, as `git add -p` asks. Each answer is done at once, so that it goes on tomorrow. */

import { isEditError } from '../../errors.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { HunkLines } from '../../workspace/review/accepted/compare.ts';
import type { ReviewHunk } from '../../workspace/review/listing.ts';
import { styled } from './terminal/style.ts';
import type { Terminal } from './terminal/terminal.ts';
import { hunkPieces } from './views/review-view.ts';

const HELP = `a  accept it
x  reject it: you are asked why, and the agent is told
s  skip it (or Enter)
/  split it
b  go back to the one before
z  take back what you accepted or rejected last
q  quit: what you answered stays, and vedit review goes on from there
?  this help`;

/** The names of a part of a hunk. */
interface Asked extends ReviewHunk {
  part?: true;
}

export class ReviewWalk {
  readonly #terminal: Terminal;
  readonly #workspace: Workspace;
  readonly #hunks: Asked[];
  #at = 0;

  constructor(terminal: Terminal, workspace: Workspace, hunks: readonly ReviewHunk[]) {
    this.#terminal = terminal;
    this.#workspace = workspace;
    this.#hunks = hunks.filter(one => !isOldHalf(one, hunks));
  }

  /** Asks about each hunk from the first one on, until the person has answered all (true) or quits. */
  async run(): Promise<boolean> {
    while (this.#at < this.#hunks.length) {
      const hunk = this.#hunks[this.#at]!;
      const count = this.#hunks.length;
      const shown = { ...hunk, number: this.#at + 1 };
      await this.#terminal.print(hunkPieces(shown, count, this.#terminal.quotePath));
      const answer = await this.#terminal.askOn(`(${this.#at + 1}/${count}) Accept this [a,x,s,/,b,z,q,?]? `);
      if (answer === null || answer === 'q') return false;
      await this.#answered(answer, hunk);
    }
    return true;
  }

  async #answered(answer: string, hunk: Asked): Promise<void> {
    switch (answer) {
      case 'a':
        return this.#done(() => this.#workspace.accept(nameOf(hunk)));
      case 'x':
        return this.#reject(hunk);
      case 's':
      case '':
        this.#at++;
        return;
      case '/':
        return this.#split(hunk);
      case 'b':
        this.#at = Math.max(0, this.#at - 1);
        return;
      case 'z':
        return this.#takeBack();
      default:
        return this.#terminal.tell(HELP);
    }
  }

  /** Goes on when it was done, and when there is nothing to be done any more. */
  async #done(call: () => Promise<{ message: string }>): Promise<void> {
    try {
      await this.#terminal.tell((await call()).message.split('\n')[0]!);
      this.#at++;
    } catch (error) {
      if (!isEditError(error)) throw error;
      await this.#terminal.tell(styled('red', error.code), `: ${error.message}`);
      if (error.code === 'NO_CHANGE') this.#at++;
    }
  }

  async #reject(hunk: Asked): Promise<void> {
    const reason = await this.#terminal.askOn('Why (told to the agent; empty: no reason)? ');
    if (reason === null) return;
    const wish = { ...nameOf(hunk), reason: reason || undefined };
    const held = await this.#workspace.reject(wish).then(
      done => ({ done }),
      error => ({ error }),
    );
    if ('done' in held) return this.#done(async () => held.done);
    if (!isEditError(held.error, 'CONFLICT')) return this.#done(() => Promise.reject(held.error));
    await this.#terminal.tell(styled('red', held.error.code), `: ${held.error.message}`);
    const answer = await this.#terminal.askOn('Reject all of it together [y,N]? ');
    if (answer === 'y') await this.#done(() => this.#workspace.reject({ ...wish, together: true }));
  }

  async #takeBack(): Promise<void> {
    try {
      await this.#terminal.tell((await this.#workspace.unreview()).message);
      this.#at = Math.max(0, this.#at - 1);
    } catch (error) {
      if (!isEditError(error)) throw error;
      await this.#terminal.tell(error.message);
    }
  }

  async #split(hunk: Asked): Promise<void> {
    const parts = partsOf(hunk);
    if (parts.length < 2) return this.#terminal.tell('This hunk cannot be split.');
    this.#hunks.splice(this.#at, 1, ...(await this.#ofTheirLines(parts)));
  }

  /** Each part with the edits of its own lines; of a file that was changed since, with those of all. */
  async #ofTheirLines(parts: readonly Asked[]): Promise<Asked[]> {
    const found: Asked[] = [];
    for (const part of parts) {
      const { path, lines, version } = part;
      const { hunks } = (await this.#workspace.review({ path, lines })).data;
      const own = hunks.find(one => one.lines.start_line === lines.start_line && one.version === version);
      if (own || hunks.length > 0) found.push(own ? { ...part, edits: own.edits, mixed: own.mixed } : part);
    }
    return found.length > 0 ? found : [...parts];
  }
}

/** A file that was renamed is asked about once, where it is now. */
function isOldHalf({ kind, renamed }: ReviewHunk, hunks: readonly ReviewHunk[]): boolean {
  return kind === 'delete' && hunks.some(({ path }) => path === renamed?.path);
}

function nameOf({ commit: at, path, lines, version }: ReviewHunk): {
  at: string;
  path: string;
  lines: HunkLines;
  version: string | undefined;
} {
  return { at, path, lines, version: version ?? undefined };
}

/** Lines that were only put in are split at empty ones, or else each by itself; so are lines that replace as many. */
export function partsOf(hunk: ReviewHunk): ReviewHunk[] {
  const { kind, before, after } = hunk;
  const isPaired = before.lines.length === after.lines.length;
  if (kind !== 'lines' || !(isPaired || before.lines.length === 0)) return [hunk];
  return startsOf(after.lines, isPaired).map((start, n, starts) => part(hunk, start, starts[n + 1]));
}

function startsOf(lines: readonly string[], isPaired: boolean): number[] {
  const all = [...lines.keys()];
  const afterEmpty = all.filter(at => at === 0 || (lines[at - 1]!.trim() === '' && lines[at]!.trim() !== ''));
  return isPaired || afterEmpty.length < 2 ? all : afterEmpty;
}

function part(hunk: ReviewHunk, start: number, end: number = hunk.after.lines.length): ReviewHunk {
  const { before, after, lines, context } = hunk;
  const isPaired = before.lines.length > 0;
  const own = after.lines.slice(start, end);
  return {
    ...hunk,
    lines: { start_line: lines.start_line + start, end_line: lines.start_line + end - 1 },
    before: {
      line: isPaired ? before.line + start : before.line,
      lines: isPaired ? before.lines.slice(start, end) : [],
    },
    after: { line: after.line + start, lines: own },
    context: {
      above: [...context.above, ...after.lines.slice(0, start)].slice(-3),
      below: [...after.lines.slice(end), ...context.below].slice(0, 3),
    },
  };
}
