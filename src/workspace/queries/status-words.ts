/** The words of an edit's status, as log, show, status and the page print them; docs/status.md has them as a table. */

import { isWayBack } from '../../operations.ts';
import { cutLine } from '../../text/words.ts';
import type { EditStatus } from '../../trail/history/status.ts';

/** From so many files on, an accident is likelier than a decision about each of them. */
export const MANY_MISSING = 3;

/** An edit with what became of it. */
interface Told {
  op: string | null;
  /** Given with it; '' for none. */
  reason: string;
  status: EditStatus;
}

/** So much of a reason is quoted. */
const REASON = 100;

/**
 * What is said behind an edit: nothing of one that is open, whole. One note a thing, such as `superseded by 1f2e3d4c5b6a`,
 * `3 of 5 lines open`, `landed in 0a1b2c3d4e5f`.
 */
export function statusWords({ op, reason, status }: Told): string[] {
  const { now, by, landed_in, lines } = status;
  // Of what goes back that is the rule: it took out what the branch never had.
  if (now === 'nothing left' && op !== null && isWayBack(op)) return markWords(status, reason);
  const all = Object.values(lines).reduce((sum, count) => sum + count, 0);
  const some = lines[now] ?? 0;
  const part = some > 0 && some < all ? `${some} of ${all} lines ` : '';
  const words = nowWords(now, by, landed_in);
  const landed = landed_in !== null && now !== 'landed' ? [`landed in ${landed_in.slice(0, 12)}`] : [];
  const said = words === 'open' && part === '' ? [] : [`${part}${words}`];
  return [...said, ...landed, ...markWords(status, reason)];
}

/** `put back against the rejection by Ada, because the tests need it`; `came back, rejected by Ada: no caching here`. */
function markWords({ marks, against = [] }: EditStatus, why: string): string[] {
  const names = [...new Set(against.map(({ reviewer }) => reviewer))].join(', ');
  const [said = ''] = against.map(({ reason }) => reason).filter(Boolean);
  const short = (text: string): string => cutLine(text.trim().split('\n')[0]!, REASON);
  return marks.map(mark => {
    if (mark === 'overridden') return `put back against the rejection by ${names}, because ${short(why)}`;
    if (mark !== 'came back') return mark;
    return `came back, rejected by ${names}${said === '' ? '' : `: ${short(said)}`}`;
  });
}

/** True for an edit of which nothing stands, because somebody took it back. */
export function isBack({ now }: EditStatus): boolean {
  return now === 'taken back' || now === 'rejected' || now === 'taken back by hand';
}

function nowWords(now: EditStatus['now'], by: string | null, landedIn: string | null): string {
  switch (now) {
    case 'landed': {
      const where = landedIn === null ? 'landed' : `landed in ${landedIn.slice(0, 12)}`;
      return by === null ? where : `${where}, changed since ${byWords(by)}`;
    }
    case 'superseded':
    case 'taken back':
    case 'rejected':
      return `${now} ${byWords(by ?? '')}`;
    case 'not here':
      return `not here: in ${by}`;
    case 'unknown':
      return 'unknown: too large to compare';
    default:
      return now;
  }
}

function byWords(by: string): string {
  return by === 'hand' ? 'by hand' : `by ${by.slice(0, 12)}`;
}
