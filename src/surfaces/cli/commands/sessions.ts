import { editorWithModel } from '../../../engine/editor-name.ts';
import type { SessionInfo } from '../../../engine/trails/sessions.ts';
import { trailOptions } from '../../../table/options.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { runCall } from '../run.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { counted, localMinute } from '../views/words.ts';

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
    runCall(
      call,
      ({ workspace }) => workspace.sessions(),
      async ({ message, data: { sessions } }) => {
        if (sessions.length === 0) await call.terminal.tell(message);
        await call.terminal.page();
        await call.terminal.print(table(sessions));
      },
    ),
});

/** A line for each session, its columns as wide as they need to be. */
function table(list: readonly SessionInfo[]): Piece[] {
  const rows = list.map(one => [one.session, editorWithModel(one), timesOf(one)] as const);
  const [id, who, times] = [0, 1, 2].map(at => Math.max(0, ...rows.map(row => columnsOf(row[at]!))));
  return list.flatMap(({ edits, open }, at) => [
    styled('yellow', padded(rows[at]![0], id!)),
    '  ',
    styled('cyan', padded(rows[at]![1], who!)),
    `  ${padded(rows[at]![2], times!)}  ${counted(edits, 'edit')}`,
    ...(open > 0 ? [', ', styled('bold', `${open} not landed`)] : []),
    '\n',
  ]);
}

/** `2026-11-20 15:04 to 16:10`: the day of the end is left out where it is the first one's. */
function timesOf({ first, last }: SessionInfo): string {
  const [from, to] = [localMinute(new Date(first)), localMinute(new Date(last))];
  const [day, time] = to.split(' ');
  return from === to ? from : `${from} to ${from.startsWith(`${day} `) ? time : to}`;
}
