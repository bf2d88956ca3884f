/** review: what agents wrote, accepted or rejected. A terminal asks and shows (src/surfaces/cli/commands/review.ts). */

import { asAgentOption, type TrailOptions, trailOptions, turnOption, type WhoseOptions } from './options.ts';
import { type OptionsOf, type Use, use } from './use.ts';

const own = [
  ['-l, --list', 'print what is left to review, and ask nothing'],
  ['--session <id>', 'only what this session wrote'],
  ['--path <path>', 'only this file or folder'],
  ['--since <when>', 'only what was edited since then', 'time'],
  ['--accept', 'accept what the options name'],
  ['--reject', 'reject the hunks of --path, or of its --lines'],
  ['--comment', 'say something of --path, or of its --lines, to the agent: nothing is accepted or rejected'],
  ['--take-back', 'take back what you accepted or rejected last'],
  ['--lines <a-b>', 'lines of --path, as the list names them'],
  ['--at <commit>', 'the commit that the lines were read at; default: the files now'],
  ['--up-to <edit>', 'with --accept: what the files held at this edit'],
  ['--all', 'with --accept: everything'],
  ['-m, --reason <text>', 'with --reject: why, for the agent; with --comment: what you say'],
  ['--together', 'with --reject: also what was built on it, your own text too'],
  ['--alone', 'of a file that was renamed, only the half that --path names'],
  ['-n, --dry-run', 'with --reject: show what would change'],
] as const;

export type ReviewUse = OptionsOf<typeof own> &
  Pick<WhoseOptions, 'turn'> &
  TrailOptions & { asAgent?: boolean };

export const line: Use = /* @__PURE__ */ use({
  details:
    'What you review is the text that stands there now: forty edits of one function are one hunk. On a terminal you are asked about ' +
    'each hunk, and the next vedit review goes on from there. A rejected hunk is taken out of the file, as a commit of yours, and its ' +
    'agent is told why. What you land or commit is accepted with that; so is what you write yourself.',
  arguments: [['[path]', 'only this file or folder; the same as --path', 'file']],
  options: [...own, turnOption, asAgentOption, ...trailOptions],
  examples: [
    ['vedit review', 'hunk by hunk'],
    ['vedit review --list --session 7f3a', 'what one session wrote'],
    ['vedit review --turn latest', 'what an agent did for the last prompt'],
    ['vedit review --accept --up-to 1a2b3c4', 'everything as it was then'],
    [`vedit review --comment --path src/auth.ts --lines 7 -m 'why not a constant?'`, ''],
    [`vedit review --reject --path src/auth.ts --lines 40-44 -m 'tokens must expire'`, ''],
  ],
});
