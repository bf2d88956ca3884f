/** peers: the histories of other clones that are here. */

import type { PeersData } from '../../../sync/peers.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { remoteOptions, serverInput } from '../input/remote-options.ts';
import { UsageError } from '../input/usage.ts';
import { runCall } from '../run.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, padded } from '../terminal/width.ts';
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
  run: async call => {
    const { older: before, dryRun } = call.options;
    const [what] = call.args;
    if (what !== undefined && what !== 'prune')
      throw new UsageError(`vedit peers lists, and vedit peers prune deletes: not ${JSON.stringify(what)}`);
    if ((what === 'prune') !== (before !== undefined))
      throw new UsageError('vedit peers prune needs --older <age>, and --older goes with prune');
    if (before !== undefined)
      return runCall(call, async ({ workspace }) =>
        workspace.prunePeers({ ...(await serverInput(call)), before, dryRun }),
      );
    return runCall(
      call,
      ({ workspace }) => workspace.peers(),
      ({ message, data }) => print(call.terminal, data.peers, message),
    );
  },
});

async function print(terminal: Terminal, peers: PeersData['peers'], message: string): Promise<void> {
  if (peers.length === 0) await terminal.tell(message);
  const width = Math.max(0, ...peers.map(one => columnsOf(one.name)));
  for (const { name, head, last, subject } of peers) {
    const id = styled('yellow', head.slice(0, 7));
    await terminal.print(padded(name, width), ' ', id, ` ${localTime(new Date(last))}  ${subject}\n`);
  }
}
