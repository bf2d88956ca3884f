/** undo: take back the newest edits. */

import { countInput, meansAll, runBack } from '../back.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { type BackOptions, backOptions } from '../options.ts';

export const undo: CliCommand = defineCommand<BackOptions>({
  details:
    'An undo is a commit like any other, and can be redone. Without --session anybody’s newest edits are taken back, with ' +
    'it those of that session. What others changed since in other lines stays; where they changed the same lines, the undo is refused.',
  arguments: [['[n]', 'how many edits; default 1']],
  options: backOptions,
  examples: [
    ['vedit undo', 'like Ctrl-Z'],
    ['vedit undo 3 -n', 'what taking back three would do'],
    ['vedit undo --session 7f3a', 'only what that session did'],
  ],
  async run(call) {
    const input = { ...countInput(call), scope: meansAll(call) ? 'trail' : 'session' };
    return runBack(call, 'undo', () => input, 'back');
  },
});
