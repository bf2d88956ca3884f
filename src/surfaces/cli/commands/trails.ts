import type { TrailInfo } from '../../../queries/trails.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { answer } from '../run.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { counted, localTime } from '../views/words.ts';

export const command: CliCommand = defineCommand({
  details:
    'The one that edits go to now is marked with a star. An edit counts as landed when its branch (or HEAD, when the branch is ' +
    'gone) says so or holds the same.',
  options: trailOptions,
  examples: [
    ['vedit trails', ''],
    [`vedit trails --json | jq '.data.trails[] | select(.left > 0)'`, 'what is on no branch yet'],
  ],
  run: call =>
    withEngine(call, async ({ run }) =>
      answer(call, await run('trails', {}), async ({ message, data: { trails } }) => {
        if (trails.length === 0) await call.terminal.tell(message);
        const width = Math.max(0, ...trails.map(one => columnsOf(one.name)));
        for (const one of trails) await call.terminal.print(...pieces(one, width));
      }),
    ),
});

function pieces(trail: TrailInfo, width: number): Piece[] {
  const { current, name, head, last, edits, more, sessions, checked_out, left } = trail;
  const state = checked_out ? 'checked out' : left === 0 ? 'nothing open' : `${left} open`;
  const count = more ? `${edits}+ edits` : counted(edits, 'edit');
  const who = counted(sessions.length, 'session');
  return [
    current ? styled('green', '* ') : '  ',
    padded(name, width),
    ' ',
    styled('yellow', head.slice(0, 7)),
    ` ${localTime(new Date(last))}  ${count}, ${who}, `,
    left === 0 ? state : styled('bold', state),
    '\n',
  ];
}
