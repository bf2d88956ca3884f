/** push: publishes histories, after asking about what will be seen. */

import type { PushData, PushOptions } from '../../../sync/push/options.ts';
import type { RemoteOptions } from '../../../sync/remote.ts';
import { trailOptions } from '../../../table/options.ts';
import type { OptionsOf } from '../../../table/use.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { gitOf, withEngine } from '../engine.ts';
import { type Attempt, answer, attempt } from '../run.ts';

const serverOptions = [
  ['--remote <name>', 'another remote than git config vedit.remote, origin, or the only one'],
] as const;

/** Options of the commands that speak to a git server. */
export const remoteOptions: readonly [...typeof serverOptions, ...typeof trailOptions] = [
  ...serverOptions,
  ...trailOptions,
];

const options = [
  ['-n, --dry-run', 'show what would be seen and pushed, change nothing'],
  ['--with-outside', 'also text of people that was recorded as outside changes'],
  ['--with-unpushed-commits', 'also commits of HEAD that are on no branch of the remote'],
  ['--with-reviews', 'also what people accepted of the histories: their accepted text, and who they are'],
  ['--prune', 'take histories off the remote that have landed and are 30 days old'],
  ...remoteOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'Each clone has its own refs on the remote, refs/vedit-peers/<clone>/trail/<branch>. A history holds more than edits: commits of ' +
    'HEAD, amended ones too, and what people had typed and not committed. What the remote does not have is listed first, and of those ' +
    'two you are asked; where nobody can be asked, give the two options.',
  options,
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
      return answer(call, consent ? await attempt(() => workspace.push({ ...wanted, ...consent })) : first);
    }),
});

/** Asks what a person allows to be seen of what was refused; `null`: nothing, or nothing was asked. */
async function consentTo(
  { terminal, options }: Call<Options>,
  result: Attempt<PushData>,
): Promise<Pick<PushOptions, 'withOutside' | 'withUnpushedCommits' | 'expect'> | null> {
  if (result.ok || result.code !== 'INVALID_INPUT' || options.json || !terminal.canAsk) return null;
  const { counts, tips } = result.data as { counts?: object; tips?: string[] };
  if (counts === undefined || tips === undefined) return null;
  await terminal.tell('Whoever may read the remote would also see');
  for (const line of result.message.split('\n').slice(1, -1)) await terminal.tell(line);
  await terminal.tell('These cannot be left out: the ids of all later edits hold them.');
  if (!(await terminal.confirm('Publish them? [y/N] '))) return null;
  return { withOutside: true, withUnpushedCommits: true, expect: tips };
}

type ServerCall = Call<OptionsOf<typeof remoteOptions>>;

/** The person's own git speaks to the server; it asks for a password only where they can answer. */
export async function serverInput({ options, terminal }: ServerCall): Promise<RemoteOptions> {
  return { git: await gitOf(terminal), remote: options.remote, mayAsk: terminal.canAsk };
}
