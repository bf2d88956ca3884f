/** Reviews and landings: review, accept, reject, comment and land. A terminal asks and shows (src/surfaces/cli/commands). */

import {
  asAgentOption,
  type TrailOptions,
  trailOptions,
  turnOption,
  type WhoseOptions,
  whoseOptions,
} from './options.ts';
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
    'What you review is the text that stands there now: forty edits of one function are one hunk. On a terminal you are asked about each hunk, and the next vedit review goes on from there. A rejected hunk is taken out of the file, as a commit of yours, and its agent is told why. What you land or commit is accepted with that; so is what you write yourself.',
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
    'The text that you accepted stands there again, as a commit of yours, and the agent is told why: it cannot put back what you rejected. vedit review --take-back takes the last one back, vedit undo any.',
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

const own = [
  ['-n, --dry-run', 'show the message and the diff, commit nothing'],
  ['-m, --message <text>', 'the message, in place of a list of the edits'],
  ['-e, --edit', 'open the editor for the message, also one of -m'],
  ['--no-edit', 'do not open it, on a terminal neither'],
  ['--each', 'one commit for each edit'],
  ['--onto <branch>', 'another branch than the checked-out one'],
  ['--accepted', 'only what was accepted in the review; the rest stays in the files'],
  ['-p, --patch', 'choose hunk by hunk, with the keys of git add -p'],
  ['--with-outside', 'also what was changed in the same files, not through vedit'],
  ['--co-author <person>', 'Co-authored-by: "Name <address>"; may be given several times', 'each'],
  ['--no-verify', 'leave out the hooks pre-commit and commit-msg'],
  ['--no-git', 'do not run git: no hooks, no signature'],
] as const;

export type LandUse = OptionsOf<typeof own> & WhoseOptions & TrailOptions;

export const land: Use = /* @__PURE__ */ use({
  details:
    'The commit is yours: you are its author, your hooks run and you sign it, by git itself; agents are named in Assisted-by trailers. Files stay as they are, and so does what else you have staged or changed. What you took back by hand is left out; text of your own in the same files too, unless --with-outside. On a terminal your editor shows the message first, unless -m gives one; an empty one ends the landing.',
  arguments: [
    [
      '[what...]',
      'single edits, ranges of them as <after>..<last>, files or folders; default: all that has not landed',
      'commit',
    ],
  ],
  options: [...own, ...whoseOptions, turnOption, ...trailOptions],
  examples: [
    ['vedit land -n', 'what would be committed'],
    [`vedit land -m 'Refuse expired tokens'`, ''],
    ['vedit land --accepted', 'what the review accepted'],
    ['vedit land -p', 'hunk by hunk'],
    ['vedit land src --agent fixer', 'what one agent did in a folder'],
    ['vedit land --session 7f3a --each', 'what one session did, edit by edit'],
    ['vedit land --turn latest', 'what an agent did for the last prompt'],
    ['vedit land 1a2b3c4..@ --onto release', ''],
  ],
});
