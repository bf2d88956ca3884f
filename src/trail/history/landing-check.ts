/**
 * The last look at a landing, from texts, whoever planned it: each line of what a file will be in HEAD is HEAD's or the
 * file's, in order, and stood so in one of them or in a recorded version, place by place; there is no more than was asked
 * for; and where it is not what the file holds, something says why.
 */

import type { Token } from '../../text/diff/alignment.ts';
import { type Components, isModeOfNew, type LandingCriteria } from './components.ts';
import { isMark } from './status.ts';
import { isLiveAfter, type WovenRow } from './weave.ts';

export interface LandingFault {
  kind: 'nobody wrote it' | 'never stood so' | 'in neither' | 'left out for nothing' | 'not asked for';
  /** Lines of it, as the result has them. */
  lines: string[];
}

/** `isWhole`: false for named edits, or another branch: then the result may differ from the file everywhere. */
export interface LandingTerms extends LandingCriteria {
  isWhole: boolean;
}

/** Tells the faults of the text that one file is to have on the branch. */
export function landingFaults(
  components: Components,
  result: readonly Token[],
  terms: LandingTerms,
): LandingFault[] {
  const { weave, groups } = components;
  const { held, own } = weave.place(result);
  if (own.length > 0) return [{ kind: 'nobody wrote it', lines: own.map(({ index }) => result[index]!) }];
  const grouped = new Set(groups.flat());
  // What all have likewise nobody has to ask for.
  const differs = (row: WovenRow): boolean =>
    held.has(row) !== components.head.has(row) || held.has(row) !== components.file.has(row);
  const alone = weave
    .rows()
    .filter(row => !grouped.has(row) && differs(row))
    .map(row => [row]);
  return [...groups, ...alone].flatMap(rows => {
    const kind = faultOf(components, rows, held, terms);
    if (kind === null) return [];
    return [{ kind, lines: rows.filter(row => held.has(row) && !isMark(row)).map(({ token }) => token) }];
  });
}

function faultOf(
  components: Components,
  rows: readonly WovenRow[],
  held: ReadonlySet<WovenRow>,
  terms: LandingTerms,
): LandingFault['kind'] | null {
  const { head, file } = components;
  const reads = (version: ReadonlySet<WovenRow>): boolean =>
    rows.every(row => version.has(row) === held.has(row));
  const isAsFile = reads(file);
  if (!isAsFile && !reads(head) && !stoodOnce(components, rows, held)) return 'never stood so';
  if (!components.isOfTexts(rows, held)) return 'in neither';
  // All that a version has otherwise than HEAD is asked for.
  const isAllAskedFor = (version: ReadonlySet<WovenRow>): boolean =>
    rows.every(
      row => version.has(row) === head.has(row) || isAskedFor(components, row, version.has(row), terms),
    );
  if (!isAllAskedFor(held)) return 'not asked for';
  return !isAsFile && terms.isWhole && isAllAskedFor(file) ? 'left out for nothing' : null;
}

/**
 * True where some recorded version had exactly these of the rows; from before what HEAD has of them was put in only one
 * without what a way back brought back of a person's.
 */
function stoodOnce(components: Components, rows: readonly WovenRow[], held: ReadonlySet<WovenRow>): boolean {
  const since = components.isWithoutPersons(rows, held) ? -1 : components.settled.since(rows);
  const steps = new Set([-1, ...rows.flatMap(({ events }) => events.map(({ hunk }) => hunk.step))]);
  return [...steps]
    .filter(step => step >= since)
    .some(step => rows.every(row => isLiveAfter(row, step) === held.has(row)));
}

/** True where what the landing does to the row is an edit that is to land, or from outside as that is. */
function isAskedFor(
  components: Components,
  row: WovenRow,
  isPut: boolean,
  { takes, outside, leavesOut }: LandingTerms,
): boolean {
  if (components.file.has(row) === isPut && leavesOut?.(row)) return false;
  const owners = components.ownersOf(row, isPut ? 'put in' : 'taken out');
  if (owners.length === 0) return outside || isModeOfNew(row, components.head);
  return owners.some(takes);
}
