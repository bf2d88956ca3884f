/**
 * Finds what a reviewer has not accepted yet: the parts of files in which agents put or took lines. Text of people counts as
 * accepted.
 */

import { type HunkLines, linesOfChange } from '../../engine/rejections/compare.ts';
import { type Author, type AuthorSet, isPersons } from '../../engine/rejections/people.ts';
import { doerOf } from '../../line/accepted.ts';
import type { LineEvent } from '../../line/event.ts';
import { putBy, type Row, textOf } from '../../line/row.ts';
import type { LineChange } from '../../text/diff/line-diff.ts';
import { isUnclaimed } from '../../trail/editors.ts';
import type { TrailEntry } from '../../trail/walk.ts';
import type { ReviewedFile } from '../accepted/reviewed-file.ts';
import type { Claims } from '../claims.ts';
import { differs, isTyped } from './parts.ts';

export type HunkKind = 'lines' | 'create' | 'delete' | 'mode' | 'binary';

export interface UnreviewedHunk {
  kind: HunkKind;
  /** The lines in the present text. A file that is gone, or is no text, has none: 0 to 0. */
  lines: HunkLines;
  /** `null` for the file as a whole. */
  change: LineChange | null;
  rows: readonly Row[];
  /** Newest first is not promised; see listing.ts. */
  authors: AuthorSet;
  /** Those of the authors that are agents. */
  agents: AuthorSet;
  /** True when a person's text is in it, or text that nobody claims, beside an agent's. */
  mixed: boolean;
  /** Its authors that are changes from outside, made while an agent was at work, that nobody claims. */
  nobodys: TrailEntry[];
  /** True when no agent is known to have a line in it, but for those, and it is nothing that was rejected. */
  unclaimed: boolean;
}

/** A file with hunks that are not reviewed; `accepted` has the text of people that is in no hunk. */
export interface UnreviewedFile extends ReviewedFile {
  hunks: UnreviewedHunk[];
}

/** Says who made an event; `undefined` for HEAD's, which are nobody's here. */
export type WhoMade = (event: LineEvent, path: string) => Promise<Author | undefined>;

/** Makes hunks of rows that were changed together. */
export class HunkMaker {
  readonly #whoMade: WhoMade;
  readonly #claims: Claims;
  /** Rows of rejected text that is there again: whoever did that, they are to be reviewed. */
  readonly returned: Set<Row> = new Set();

  constructor(whoMade: WhoMade, claims: Claims) {
    this.#whoMade = whoMade;
    this.#claims = claims;
  }

  async hunksOf(file: ReviewedFile): Promise<UnreviewedHunk[]> {
    const hunks = file.changed.map((rows, at) => this.hunk(file, file.compared?.changes[at] ?? null, rows));
    return (await Promise.all(hunks)).filter(hunk => hunk !== null);
  }

  /** `null` where all of it is people's. */
  async hunk(
    file: ReviewedFile,
    change: LineChange | null,
    rows: readonly Row[],
  ): Promise<UnreviewedHunk | null> {
    const { path } = file;
    const authors = await this.#authorsOf(rows, path);
    const isOurs = (one: Author): boolean => this.#isOurs(one, path);
    const all = [...authors];
    const isBack = rows.some(row => this.returned.has(row));
    if (!isBack && all.every(isOurs)) return null;
    const nobodys = all.filter(one => one !== null && isUnclaimed(one) && !isOurs(one)) as TrailEntry[];
    const agents = new Set(all.filter(one => !isOurs(one) && !nobodys.includes(one!)));
    const unclaimed = agents.size === 0 && !isBack;
    const mixed = agents.size > 0 && agents.size < all.length;
    const lines = change ? linesOfChange(change) : { start_line: 0, end_line: 0 };
    return { kind: kindOf(file, change), lines, change, rows, authors, agents, mixed, nobodys, unclaimed };
  }

  async #authorsOf(rows: readonly Row[], path: string): Promise<AuthorSet> {
    const doers = new Set(rows.flatMap(row => (differs(row) ? doerOf(row) : isTyped(row) ? putBy(row) : [])));
    const authors = await Promise.all([...doers].map(event => this.#whoMade(event, path)));
    return new Set(authors.filter(one => one !== undefined));
  }

  /** True for people's: their own, and what they claimed. */
  #isOurs(one: Author, path: string): boolean {
    return isPersons(one) || (one !== null && isUnclaimed(one) && !this.#claims.leavesOpen(one, path));
  }

  /** Accepts what people alone did. What they typed amid an agent's lines is accepted with those. */
  async acceptPeoples(file: ReviewedFile): Promise<void> {
    for (const [at, rows] of file.changed.entries()) {
      if (!(await this.hunk(file, file.compared?.changes[at] ?? null, rows))) acceptRows(rows);
      else if (file.compared) for (const row of rows.filter(isTyped)) row.accepted = null;
    }
  }
}

export function acceptRows(rows: Iterable<Row>): void {
  for (const row of rows) row.accepted = textOf(row);
}

function kindOf({ accepted, present }: ReviewedFile, change: LineChange | null): HunkKind {
  if (!present.file) return 'delete';
  if (change && accepted.file) return 'lines';
  if (!accepted.file) return 'create';
  return accepted.text !== null && accepted.text === present.text ? 'mode' : 'binary';
}
