/** review, accept, reject and comment: what a person says of what agents wrote. A terminal asks and shows (src/surfaces/cli/commands/review.ts). */

import { asAgentOption, type TrailOptions, trailOptions, turnOption, type WhoseOptions } from './options.ts';
import { type OptionsOf, type Use, use } from './use.ts';

const reviewOptions = [
  ['-l, --list', 'print what is left to review, and ask nothing'],
  ['--session <id>', 'only what this session wrote'],
  ['--since <when>', 'only what was edited since then', 'time'],
  ['--take-back', 'take back what you accepted or rejected last'],
] as const;

/** Says what somebody else's review is, too. */
type ByAgent = TrailOptions & { asAgent?: boolean };

export type ReviewUse = OptionsOf<typeof reviewOptions> & Pick<WhoseOptions, 'turn'> & ByAgent;

export const review: Use = /* @__PURE__ */ use({
  details:
    'What you review is the text that stands there now: forty edits of one function are one hunk. On a terminal you are asked about ' +
    'each hunk, and the next vedit review goes on from there. A rejected hunk is taken out of the file, as a commit of yours, and its ' +
    'agent is told why. What you land or commit is accepted with that; so is what you write yourself.',
  arguments: [['[path]', 'only this file or folder', 'file']],
  options: [...reviewOptions, turnOption, asAgentOption, ...trailOptions],
  examples: [
    ['vedit review', 'hunk by hunk'],
    ['vedit review --list --session 7f3a', 'what one session wrote'],
    ['vedit review --turn latest', 'what an agent did for the last prompt'],
    ['vedit review --take-back', 'your last answer'],
  ],
});

const hunkOptions = [
  ['--at <commit>', 'the commit that the lines were read at; default: the files now'],
] as const;

const aloneOption = ['--alone', 'of a file that was renamed, only the half that is named'] as const;

const acceptOptions = [
  ['--session <id>', 'only what this session wrote'],
  ['--up-to <edit>', 'what the files held at this edit'],
  ['--all', 'everything'],
] as const;

export type AcceptUse = OptionsOf<typeof acceptOptions> &
  OptionsOf<typeof hunkOptions> & { alone?: boolean } & ByAgent;

export const accept: Use = /* @__PURE__ */ use({
  details:
    'It is part of your accepted text from now on. No file changes. vedit review --take-back takes it back.',
  arguments: [['[path[:A-B]]', 'a file or folder; of a file, the lines as vedit review names them']],
  options: [...acceptOptions, ...hunkOptions, aloneOption, asAgentOption, ...trailOptions],
  examples: [
    ['vedit accept src/auth.ts', ''],
    ['vedit accept src/auth.ts:40-44', 'a hunk'],
    ['vedit accept --up-to 1a2b3c4', 'everything as it was then'],
    ['vedit accept --all', ''],
  ],
});

const rejectOptions = [
  ['-m, --reason <text>', 'why, for the agent'],
  ['--together', 'also what was built on it, your own text too'],
  ['-n, --dry-run', 'show what would change'],
] as const;

export type RejectUse = OptionsOf<typeof rejectOptions> &
  OptionsOf<typeof hunkOptions> & { alone?: boolean } & ByAgent;

export const reject: Use = /* @__PURE__ */ use({
  details:
    'The text that you accepted stands there again, as a commit of yours, and the agent is told why: it cannot put back what you ' +
    'rejected. vedit review --take-back takes the last one back, vedit undo any.',
  arguments: [['<path[:A-B]>', 'a file or folder; of a file, the lines as vedit review names them']],
  options: [...rejectOptions, ...hunkOptions, aloneOption, asAgentOption, ...trailOptions],
  examples: [
    [`vedit reject src/auth.ts:40-44 -m 'tokens must expire'`, ''],
    ['vedit reject src/auth.ts -n', 'what would go'],
  ],
});

export type CommentUse = OptionsOf<typeof hunkOptions> & ByAgent;

export const comment: Use = /* @__PURE__ */ use({
  details: 'The agent is told with its next answer, and may reply. Nothing is accepted or rejected.',
  arguments: [
    ['<path[:A-B]>', 'a file, and the lines it is about'],
    ['<text>', 'what you say'],
  ],
  options: [...hunkOptions, asAgentOption, ...trailOptions],
  examples: [[`vedit comment src/auth.ts:7 'why not a constant?'`, '']],
});
