/**
 * Finds who holds text that is in the way of what was asked for: the later edits to take back first. In words and in
 * data.
 */

import type { ErrorData } from '../../errors.ts';
import type { TrailEntry } from '../../history/walk.ts';
import { isHead, isOutside, isWork } from '../../operations.ts';
import { cutLine } from '../../text/words.ts';
import { shortId } from '../../wording.ts';
import { editorName } from '../editor-name.ts';

/** The later change that holds text; `null`: it is not recorded yet. */
export type LaterChange = TrailEntry | null;

/** A line of a file, 1-based, that a later change holds. */
export interface LaterLine {
  path: string;
  line: number;
  by: LaterChange;
}

export type Holder = NonNullable<ErrorData<'CONFLICT'>['builds_on']>[number];

/** The most that are named in data, and in words. */
const NAMED = { data: 20, words: 5 };
const SUBJECT = 100;

/** Names each change once, for data. */
export function holdersIn(all: readonly LaterChange[]): Holder[] {
  const each = [...new Map(all.map(one => [one?.commit ?? '', one])).values()];
  return each.slice(0, NAMED.data).map(asHolder);
}

function asHolder(by: LaterChange): Holder {
  if (!by || by.commit === '')
    return { commit: null, subject: 'not recorded yet', session: null, agent: null, author: 'outside' };
  const { commit, subject, meta, author } = by;
  return { commit, subject, session: meta?.session ?? null, agent: meta?.agent ?? null, author: author.name };
}

/** Names a change: `1a2b3c4d5e6f str_replace a.txt (fixer)`. */
export function holderWords(by: LaterChange): string {
  if (!by || by.commit === '') return 'text that did not come through vedit, not recorded yet';
  const holder = asHolder(by);
  return `${shortId(by.commit)} ${cutLine(by.subject, SUBJECT)} (${editorName(holder)})`;
}

/** Says of each line who changed it later, and what to do first: the newest changes first, as they are to be taken back. */
export function laterWords(lines: readonly LaterLine[]): string[] {
  const newest = [...lines].sort((a, b) => (b.by?.time ?? Infinity) - (a.by?.time ?? Infinity));
  const each = [...new Map(newest.map(one => [`${one.path}\0${one.by?.commit ?? ''}`, one])).values()];
  const words = each.slice(0, NAMED.words).map(lineWords);
  const more = each.length - NAMED.words;
  return more > 0 ? [...words, `[and ${more} more]`] : words;
}

function lineWords({ path, line, by }: LaterLine): string {
  const where = `${path} line ${line} was changed later by`;
  if (!by) return `${where} ${holderWords(by)}. Change that back first.`;
  const { commit, subject } = by;
  const about = `${shortId(commit)} (${editorName(asHolder(by))}, ${JSON.stringify(cutLine(subject, SUBJECT))})`;
  const { op } = by.meta ?? {};
  if (isHead(op) || !(isWork(op) || isOutside(op))) return `${where} a commit of the branch, ${about}.`;
  return `${where} ${about}. Undo that first.`;
}
