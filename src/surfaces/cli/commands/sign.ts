import { trailOptions } from '../../../table/options.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { runCall } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Git signs with the key of user.signingKey, as it signs commits (gpg.format). The statement names the newest commit of the ' +
    'history, so that vedit verify finds a history that was cut off or rewritten below it, and says since when nothing is signed. ' +
    'It is a commit on refs/vedit-signed/, which vedit push publishes with the history.',
  options: trailOptions,
  examples: [
    ['vedit sign && vedit verify', ''],
    ['git config --global vedit.signEvery 50', 'from now on by itself, too'],
  ],
  run: call => runCall(call, ({ workspace }) => workspace.sign()),
});
