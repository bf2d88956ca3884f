/** push: publishes histories, after asking about what will be seen. */

import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import {
  attemptWithConsent,
  type Consent,
  consentOptions,
  remoteOptions,
  serverInput,
} from '../input/remote.ts';
import { answer } from '../run.ts';

export const command: CliCommand = defineCommand({
  details:
    'Each clone has its own refs on the remote, refs/vedit-peers/<clone>/trail/<branch>, and writes no other. A history holds ' +
    'more than edits: commits of HEAD, amended ones too, and what people had typed and not committed. All that the remote does ' +
    'not have is listed first, in three groups; where the last two are not empty you are asked, and where nobody can be asked ' +
    'it is refused without the two options. git config vedit.push heads publishes below refs/heads/vedit/ instead.',
  options: [
    ['-n, --dry-run', 'show what would be seen and pushed, change nothing'],
    ...consentOptions,
    ['--with-reviews', 'also what people accepted of the histories: their accepted text, and who they are'],
    ['--prune', 'take histories off the remote that have landed and are 30 days old'],
    ...remoteOptions,
  ],
  examples: [
    ['vedit push -n', 'what would be seen'],
    ['vedit push', ''],
    ['vedit push --trail main --with-outside', ''],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { dryRun, withOutside, withUnpushedCommits, withReviews, prune } = call.options;
      const own = { dryRun, withOutside, withUnpushedCommits, withReviews, prune };
      const wanted = { ...(await serverInput(call)), ...own };
      const push = ({ tips: expect, ...allowed }: Partial<Consent>) =>
        workspace.push({ ...wanted, ...allowed, expect });
      return answer(call, await attemptWithConsent(call, push));
    }),
});
