/** peers: the histories of other clones that are here. */

import type { PeersData } from '../../../workspace/sync/peers.ts';
import { attempt } from '../attempt.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { remoteOptions, serverInput } from '../input/remote-options.ts';
import { UsageError } from '../input/usage.ts';
import { styled } from '../terminal/style.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { answer } from '../views/done.ts';
import { localTime } from '../views/time-view.ts';

export const command: CliCommand = defineCommand({
  details:
    'vedit peers prune deletes the histories of abandoned clones, on the remote and here, each only where it still is what was ' +
    'fetched last.',
  arguments: [['[prune]', 'delete those of clones that are older than --older']],
  options: [
    ['--older <age>', 'with prune: clones whose newest edit is older, such as 180d', 'time'],
    ['-n, --dry-run', 'with prune: show what would go'],
    ...remoteOptions,
  ],
  examples: [
    ['vedit peers', ''],
    ['vedit peers prune --older 180d -n', 'what would go'],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { older: before, dryRun } = call.options;
      const [what] = call.args;
      if (what !== undefined && what !== 'prune')
        throw new UsageError(`vedit peers lists, and vedit peers prune deletes: not ${JSON.stringify(what)}`);
      if ((what === 'prune') !== (before !== undefined))
        throw new UsageError('vedit peers prune needs --older <age>, and --older goes with prune');
      if (before !== undefined) {
        const input = { ...(await serverInput(call)), before, dryRun };
        const pruned = await attempt(() => workspace.prunePeers(input));
        return answer(call, pruned, () => call.terminal.print(`${pruned.message}\n`));
      }
      const result = await attempt(() => workspace.peers());
      return answer(call, result, async () => {
        const { peers: list } = result.data as PeersData;
        if (list.length === 0) await call.terminal.tell(result.message);
        const width = Math.max(0, ...list.map(one => columnsOf(one.name)));
        for (const { name, head, last, subject } of list)
          await call.terminal.print(
            padded(name, width),
            ' ',
            styled('yellow', head.slice(0, 7)),
            ` ${localTime(new Date(last))}  ${subject}\n`,
          );
      });
    }),
});
