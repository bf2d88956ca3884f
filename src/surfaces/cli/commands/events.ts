import { UNNAMED } from '../../../engine/editor-name.ts';
import type { TrailEvent } from '../../../events/trail-event.ts';
import { saysReason } from '../../../operations.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { jsonLine } from '../views/answer.ts';
import { localMinute } from '../views/words.ts';

export const command: CliCommand = defineCommand({
  details:
    'Tells every edit, way back, recorded outside change, commit, review and landing of every process exactly once, parents first, ' +
    'and each ref that was deleted or rewound. --json prints one object a line with a cursor: give the last one that you read ' +
    'to --since, and nothing is missed and nothing comes twice. Refusals are told where --record-refusals keeps them.',
  options: [
    ['-f, --follow', 'go on as things happen'],
    [
      '--since <cursor>',
      'after an event; start: from the first edit on; now. Default: start, with --follow now',
    ],
  ],
  examples: [
    ['vedit events --follow', 'what agents do now'],
    ['vedit events --json | tail -1 | jq -r .cursor', 'where to go on later'],
    ['vedit events --follow --json --since "$cursor"', 'for a program'],
  ],
  run: async call => {
    const { follow, since, json } = call.options;
    return withFolder({ ...call, options: {} }, async ({ workspace }) => {
      for await (const event of workspace.events({ follow, since }))
        await call.terminal.print(...(json ? [jsonLine(event)] : eventPieces(event)));
      return EXIT.done;
    });
  },
});

/** `1a2b3c4 2026-11-20 15:04 vedit/main fixer: refuse expired tokens (src/a.ts)` */
function eventPieces({ kind, commit, time, trail, subject, reason, ...who }: TrailEvent): Piece[] {
  if (kind === 'following') return [];
  const { agent, session, person, code } = who;
  const [why = ''] = reason.split('\n');
  return [
    styled('yellow', (commit ?? '-').slice(0, 7).padEnd(7)),
    ' ',
    styled('dim', localMinute(new Date(time))),
    ' ',
    styled('green', code ?? trail ?? '-'),
    ' ',
    ...(kind === 'deleted' || kind === 'rewound'
      ? []
      : [styled('cyan', agent ?? person ?? session ?? UNNAMED), ': ']),
    subject.split('\n')[0]!,
    ...(why === '' || saysReason(subject, why) ? [] : [`: ${why}`]),
    '\n',
  ];
}
