/** claim: text from outside that nobody claims becomes yours. */

import { reviewBy } from '../agent-marker.ts';
import { attempt } from '../attempt.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { answer } from '../views/done.ts';

export const command: CliCommand = defineCommand({
  details:
    'What changed, not through vedit, while an agent was at work is nobody’s: blame and log say outside, and review shows it as ' +
    'one line at its end. To claim it says that it is yours: it counts as accepted, and blame names you. Accepting it in a ' +
    'review, and landing it, claim it too. No commit is rewritten; vedit review --take-back takes the claim back.',
  arguments: [['[path]', 'only in this file or folder; default: everywhere']],
  options: trailOptions,
  examples: [
    ['vedit review --list', 'says at its end what nobody claims'],
    ['vedit claim', 'all of it is mine'],
    ['vedit claim src/auth.ts', ''],
    ['git config vedit.outside mine', 'never ask: all that changes outside is mine'],
  ],
  run: call =>
    withEngine(call, async ({ workspace, place }) => {
      const [given] = call.args;
      const path = place.scope(given);
      const result = await attempt(async () =>
        workspace.accept({ unclaimed: true, path, ...(await reviewBy({ ...call, options: {} }, 'claim')) }),
      );
      return answer(call, result, () => call.terminal.tell(result.message));
    }),
});
