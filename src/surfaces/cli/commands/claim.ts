import { reviewBy } from '../agent-marker.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { trailOptions } from '../input/options.ts';
import { runCall } from '../run.ts';

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
    runCall(
      call,
      async ({ workspace, place }) => {
        const by = await reviewBy({ ...call, options: {} }, 'claim');
        return workspace.accept({ unclaimed: true, path: place.scope(call.args[0]), ...by });
      },
      ({ message }) => call.terminal.tell(message),
    ),
});
