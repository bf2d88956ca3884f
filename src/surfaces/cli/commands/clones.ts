/** Commands for the histories that clones of one project have of each other: push, fetch, peers. */

import type { PeersData } from '../../../sync/peers.ts';
import { type CliCommand, defineCommand } from '../command.ts';
import { withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { consentTo, remoteOptions, serverInput } from '../input/remote.ts';
import { UsageError } from '../input/usage.ts';
import { answer, attempt, runCall } from '../run.ts';
import { tellIfLong } from '../terminal/progress.ts';
import { styled } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { columnsOf, padded } from '../terminal/width.ts';
import { localTime } from '../views/words.ts';

const push = defineCommand({
  details:
    'Each clone has its own refs on the remote, refs/vedit-peers/<clone>/trail/<branch>, and writes no other. A history holds ' +
    'more than edits: commits of HEAD, amended ones too, and what people had typed and not committed. All that the remote does ' +
    'not have is listed first, in three groups; where the last two are not empty you are asked, and where nobody can be asked ' +
    'it is refused without the two options. git config vedit.push heads publishes below refs/heads/vedit/ instead.',
  options: [
    ['-n, --dry-run', 'show what would be seen and pushed, change nothing'],
    ['--with-outside', 'also text of people that was recorded as outside changes'],
    ['--with-unpushed-commits', 'also commits of HEAD that are on no branch of the remote'],
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
      const first = await attempt(() => workspace.push(wanted));
      const consent = await consentTo(call, first);
      if (!consent) return answer(call, first);
      const { tips: expect, ...allowed } = consent;
      return answer(call, await attempt(() => workspace.push({ ...wanted, ...allowed, expect })));
    }),
});

const fetch = defineCommand({
  details:
    'They are read with vedit log, show, diff, blame or html --trail <clone>/<branch>, and vedit merge takes their edits. No ' +
    'file, branch or tag changes. What a server sends is looked at before it moves in: a history that was rewound or rewritten, ' +
    'or that holds names no edit could write, is refused and named (exit 1), and the others come all the same.',
  arguments: [['[clones...]', 'only of these clones; default: all']],
  options: [['--max-bytes <n>', 'the most that is taken at once; default 1 GiB', bytesIn], ...remoteOptions],
  examples: [
    ['vedit fetch', ''],
    ['vedit log --trail ada-12345678/main', 'what she and her agents did'],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const { maxBytes } = call.options;
      const clones = call.args.length > 0 ? call.args : undefined;
      const input = { ...(await serverInput(call)), maxBytes, clones };
      const result = await tellIfLong(call.terminal, 'fetching ...', () =>
        attempt(() => workspace.fetch(input)),
      );
      const code = await answer(call, result);
      return result.ok && result.data.refused.length > 0 ? EXIT.refused : code;
    }),
});

function bytesIn(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new UsageError(`--max-bytes must be a number of bytes, not ${JSON.stringify(text)}`);
}

const peers = defineCommand({
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

async function print(terminal: Terminal, list: PeersData['peers'], message: string): Promise<void> {
  if (list.length === 0) await terminal.tell(message);
  const width = Math.max(0, ...list.map(one => columnsOf(one.name)));
  for (const { name, head, last, subject } of list) {
    const id = styled('yellow', head.slice(0, 7));
    await terminal.print(padded(name, width), ' ', id, ` ${localTime(new Date(last))}  ${subject}\n`);
  }
}

export const commands: Readonly<Record<string, CliCommand>> = { push, fetch, peers };
