/** peers: lists the histories of other clones. */

import type { PeersData } from '../../../sync/fetch/mirrors.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { runCall } from '../run.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { localTime } from '../views/words.ts';

export const command: CliCommand = defineCommand({
  details: 'vedit fetch brings them; vedit log, show, diff and blame --trail <clone>/<branch> read them.',
  examples: [['vedit peers', '']],
  run: call =>
    runCall(
      call,
      ({ workspace }) => workspace.peers(),
      ({ message, data }) => print(call.terminal, data.peers, message),
    ),
});

async function print(terminal: Terminal, list: PeersData['peers'], message: string): Promise<void> {
  if (list.length === 0) await terminal.tell(message);
  const width = Math.max(0, ...list.map(one => columnsOf(one.name)));
  for (const { name, head, last, subject } of list) {
    const id = styled('yellow', head.slice(0, 7));
    await terminal.print(padded(name, width), ' ', id, ` ${localTime(new Date(last))}  ${subject}\n`);
  }
}
