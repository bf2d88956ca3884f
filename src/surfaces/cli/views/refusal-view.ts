/** Kept refusals, one after the other: who tried what, and what they were told. */

import type { RefusalRecord } from '../../../workspace/change/refusals.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { localTime } from './time-view.ts';

export function refusalPieces(one: RefusalRecord, oneline: boolean): Piece[] {
  const who = one.agent ?? one.session;
  const [first = '', ...more] = one.message.split('\n');
  const what = one.path === null ? one.op : `${one.op} ${one.path}`;
  if (oneline) return [styled('red', one.code), ` ${what}: ${first}\n`];
  const head = [
    styled('red', one.code),
    ` ${what}, `,
    styled('cyan', who),
    `, ${localTime(new Date(one.time))}`,
  ];
  return [...head, '\n', ...[first, ...more].flatMap(line => ['    ', line, '\n'])];
}
