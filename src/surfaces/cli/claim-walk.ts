/** The one question of a review about text that nobody claims: all of it is the person's, or stays as it is. */

import type { Workspace } from '../../workspace/open.ts';
import type { UnclaimedText } from '../../workspace/review/listing.ts';
import type { Terminal } from './terminal/terminal.ts';
import { hunkPieces } from './views/review-view.ts';

const HELP = `a  all of it is yours: it counts as accepted, and blame names you
v  show it
s  leave it as it is (or Enter): nobody's
?  this help`;

/** Asks until the person has answered. */
export async function askUnclaimed(
  terminal: Terminal,
  workspace: Workspace,
  unclaimed: UnclaimedText,
): Promise<void> {
  const { hunks, words } = unclaimed;
  for (;;) {
    const answer = await terminal.askOn(`${words}. Is it yours [a,v,s,?]? `);
    if (answer === 'a') {
      await terminal.tell((await workspace.accept({ unclaimed: true })).message);
      return;
    }
    if (answer === null || answer === 's' || answer === 'q' || answer === '') return;
    if (answer !== 'v') await terminal.tell(HELP);
    else
      for (const hunk of hunks)
        await terminal.print(hunkPieces(hunk, hunks.length, terminal.quotePath), '\n');
  }
}
