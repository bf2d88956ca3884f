/** sessions: who edited, when, and what of it has not landed. */

import type { SessionInfo } from '../../../workspace/queries/sessions.ts';
import { attempt } from '../attempt.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { counted } from '../views/counted.ts';
import { answer } from '../views/done.ts';
import { localMinute } from '../views/time-view.ts';

export const command: CliCommand = defineCommand({
  details:
    'Each with the agent and its model, or the person, the times of its first and its last edit, how many edits it made, and ' +
    'how many of them have not landed. Wherever a session is named, the start of its id is enough, where no other session ' +
    'begins so.',
  options: trailOptions,
  examples: [
    ['vedit sessions', ''],
    ['vedit log --session 7f3a --stat', 'what one of them did'],
    [
      "vedit sessions --json | jq -r '.data.sessions[] | select(.open > 0) | .session'",
      'those with open edits',
    ],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const result = await attempt(() => workspace.sessions());
      return answer(call, result, async () => {
        const { sessions: list } = result.data as { sessions: SessionInfo[] };
        if (list.length === 0) await call.terminal.tell(result.message);
        await call.terminal.page();
        await call.terminal.print(...table(list));
      });
    }),
});

/** A line for each session, its columns as wide as they need to be. */
function table(list: readonly SessionInfo[]): Piece[] {
  const rows = list.map(one => [one.session, whoOf(one), timesOf(one), editsOf(one)]);
  const widest = rows.reduce(
    (widths, row) => row.map((text, at) => Math.max(widths[at]!, columnsOf(text))),
    [0, 0, 0, 0],
  );
  return rows.flatMap(([session = '', who = '', times = '', edits = ''], at) => [
    styled('yellow', padded(session, widest[0]!)),
    '  ',
    styled('cyan', padded(who, widest[1]!)),
    `  ${padded(times, widest[2]!)}  ${edits}`,
    ...(list[at]!.open > 0 ? [', ', styled('bold', `${list[at]!.open} not landed`)] : []),
    '\n',
  ]);
}

function whoOf({ agent, model, author }: SessionInfo): string {
  return agent === null ? author : `${agent}${model === null ? '' : ` (${model})`}`;
}

/** `2026-11-20 15:04 to 16:10`: the day of the end is left out where it is the first one's. */
function timesOf({ first, last }: SessionInfo): string {
  const [from, to] = [localMinute(new Date(first)), localMinute(new Date(last))];
  const [day, time] = to.split(' ');
  return from === to ? from : `${from} to ${from.startsWith(`${day} `) ? time : to}`;
}

function editsOf({ edits }: SessionInfo): string {
  return counted(edits, 'edit');
}
