import { setTimeout as sleep } from 'node:timers/promises';
import type { SyncData } from '../../../engine/calls/sync-data.ts';
import type { SyncOptions } from '../../../sync/hosts/options.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import {
  attemptWithConsent,
  type Consent,
  consentOptions,
  remoteOptions,
  serverInput,
} from '../input/remote.ts';
import { UsageError } from '../input/usage.ts';
import { answer, attempt } from '../run.ts';
import { ENDS, untilSignal } from '../terminal/signals.ts';

/** Seconds between two syncs, which suits a host that allows six pushes a minute. */
const INTERVAL = 10;

const options = [
  ['--watch', 'go on until Ctrl-C'],
  ['--interval <seconds>', `with --watch: how long after each sync; default ${INTERVAL}`, 'natural'],
  [
    '--on-conflict <how>',
    'where both sides changed the same lines: stop (default), or server: edits of this host that do not fit are put aside, and named',
    ['stop', 'server'],
  ],
  ...consentOptions,
  ['--allow-unrelated', 'also merge a history that has no commit in common with this one'],
  ['--allow-secret', 'also take in what looks like a key, with a reason (-m)'],
  ['-m, --reason <text>', 'why, for the history'],
  ...remoteOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'For hosts that serve the same documents: fetches the history that they share, merges what is new, and pushes; where another ' +
    'host came first, again. Edits go on meanwhile, and none changes its id. Where the branch is the history (vedit init, bare ' +
    'repositories) that is the branch; else refs/vedit-shared/<name>, where git config vedit.sync gives the name, by default ' +
    'that of the branch.',
  options,
  examples: [
    ['vedit sync', ''],
    ['vedit sync --watch --interval 2 --on-conflict server', 'on each of several hosts'],
  ],
  run: call => {
    if (call.options.interval !== undefined && !call.options.watch)
      throw new UsageError('--interval goes with --watch');
    return withEngine(call, engine => (call.options.watch ? watch(call, engine) : once(call, engine)));
  },
});

async function once(call: Call<Options>, { workspace }: Engine): Promise<number> {
  const wanted = await inputOf(call);
  const sync = ({ tips: _, ...allowed }: Partial<Consent>) => workspace.sync({ ...wanted, ...allowed });
  return answer(call, await attemptWithConsent(call, sync));
}

async function inputOf(call: Call<Options>): Promise<SyncOptions> {
  const { onConflict, withOutside, withUnpushedCommits, allowUnrelated, allowSecret, reason } = call.options;
  const consent = { withOutside, withUnpushedCommits, allowUnrelated, allowSecret, reason };
  return { ...(await serverInput(call)), onConflict, ...consent };
}

/** Tells of each sync that did something, and of each failure once. A conflict needs a decision, and ends it. */
async function watch(call: Call<Options>, { workspace }: Engine): Promise<number> {
  const wanted = await inputOf(call);
  return untilSignal(ENDS, async signal => {
    for (let told = ''; ; ) {
      const result = await attempt(() => workspace.sync({ ...wanted, signal }));
      if (signal.aborted) return EXIT.done;
      if (!result.ok && !result.retryable) return answer(call, result);
      const isNews = result.ok ? didSomething(result.data) : result.message !== told;
      if (isNews) await answer(call, result);
      told = result.ok ? '' : result.message;
      const pause = (call.options.interval ?? INTERVAL) * 1000;
      await sleep(pause, null, { signal }).catch(() => {});
      if (signal.aborted) return EXIT.done;
    }
  });
}

function didSomething({ pulled, pushed, merges }: SyncData): boolean {
  return pulled + pushed + merges.length > 0;
}
