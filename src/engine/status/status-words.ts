/** The words of an edit's status, as log, show, status and the page print them; docs/history.md has them as a table. */

import type { EditStatus } from '../../line/standing.ts';
import { isRejection, isWayBack } from '../../operations.ts';
import { shortId } from '../../wording.ts';

export const OPEN: EditStatus = { now: 'open', by: null, landed_in: null, lines: {} };

interface EditSummary {
  op: string | null;
  status: EditStatus;
}

/**
 * Returns the words behind an edit: none of one that is open, whole. One note a thing, such as `superseded by
 * 1f2e3d4c5b6a`, `3 of 5 lines open`, `landed in 0a1b2c3d4e5f`.
 */
export function statusWords({ op, status }: EditSummary): string[] {
  const { now, by, landed_in, lines } = status;
  // Of what goes back that is the rule: it took out what the branch never had.
  if (now === 'nothing left' && (isWayBack(op) || isRejection(op))) return [];
  const all = Object.values(lines).reduce((sum, count) => sum + count, 0);
  const some = lines[now] ?? 0;
  const part = some > 0 && some < all ? `${some} of ${all} lines ` : '';
  const words = nowWords(now, by, landed_in);
  const landed = landed_in !== null && now !== 'landed' ? [`landed in ${shortId(landed_in)}`] : [];
  const said = words === 'open' && part === '' ? [] : [`${part}${words}`];
  return [...said, ...landed];
}

/** True for an edit of which nothing stands, because somebody took it back. */
export function isBack({ now }: EditStatus): boolean {
  return now === 'taken back' || now === 'rejected' || now === 'taken out by hand';
}

function nowWords(now: EditStatus['now'], by: string | null, landedIn: string | null): string {
  switch (now) {
    case 'landed':
      return landedIn === null ? 'landed' : `landed in ${shortId(landedIn)}`;
    case 'changed':
    case 'superseded':
    case 'taken back':
    case 'rejected':
      return `${now} ${byWords(by ?? '')}`;
    case 'away':
      return `away: in ${placeName(by!)}`;
    case 'unknown':
      return `unknown: ${by}`;
    case 'open':
    case 'rewritten':
    case 'taken out by hand':
    case 'nothing left':
      return now;
  }
}

/** Names where an edit is that is away, a commit by its short id. */
export function placeName(where: string): string {
  return isId(where) ? shortId(where) : where;
}

/** True for a commit; other places have a name of words. */
function isId(where: string): boolean {
  return /^[0-9a-f]{40,}$/.test(where);
}

function byWords(by: string): string {
  return by === 'hand' ? 'by hand' : `by ${shortId(by)}`;
}
