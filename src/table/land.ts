/** land: edits as a commit of the person's. A terminal asks and shows (src/surfaces/cli/commands/land.ts). */

import { type TrailOptions, trailOptions, turnOption, type WhoseOptions, whoseOptions } from './options.ts';
import { type OptionsOf, type Use, use } from './use.ts';

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
    'The commit is yours: you are its author, your hooks run and you sign it, by git itself; agents are named in Assisted-by trailers. ' +
    'Files stay as they are, and so does what else you have staged or changed. What you took back by hand is left out; text of your ' +
    'own in the same files too, unless --with-outside. On a terminal your editor shows the message first, unless -m gives one; an ' +
    'empty one ends the landing.',
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
