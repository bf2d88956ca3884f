/** blame: who wrote each line, and why. */

import type { Camelled } from '../spelling.ts';
import { type Command, command, type InputOf, may } from './command.ts';
import { file, lines } from './fields.ts';
import { dateOption, linesOption } from './options.ts';
import { type Use, use } from './use.ts';

/** A longer range is cut, with a notice. */
const MAX_LINES = 2_000;

const fields = {
  path: file('The file.'),
  view_range: lines,
  at: may('text', 'A commit; default: the newest.', { aliases: ['commit'], flag: '--at <rev>' }),
} as const;

export const blame: Command = command({
  name: 'blame',
  title: 'Who wrote each line',
  description:
    'Show for each line of a file which edit wrote it: commit, agent, time and kind of edit. Prefer it to learn why a line is there.',
  fields,
  example: { path: 'src/auth.ts', view_range: [1, 20] },
  run: (session, input) => session.blame({ ...input, maxLines: MAX_LINES }),
});

export const line: Use = /* @__PURE__ */ use({
  details:
    'Each line with the commit that wrote it, the agent or person, when, and the reason given, or the kind of edit. Lines ' +
    'are followed through moved files and commits of your own. On a terminal each agent has a colour, and a narrow one shows less of the reason.',
  arguments: [['<file[:A-B]>', 'the file, and the lines wanted']],
  options: [
    linesOption,
    ['-s, --short', 'without who and when'],
    ['-w, --ignore-all-space', 'look past changes of white space alone'],
    dateOption,
  ],
  examples: [
    ['vedit blame src/auth.ts', ''],
    ['vedit blame -L 10,40 src/auth.ts -s', 'some lines; src/auth.ts:10-40 is the same'],
    ['vedit blame src/auth.ts --at ~5', ''],
  ],
  read: ([given], options, line) => ({
    ...line.range(given!, options.lines),
    ignore_space: options.ignoreAllSpace,
  }),
  run: (session, input: Camelled<InputOf<typeof fields>>) => session.blame(input),
});
