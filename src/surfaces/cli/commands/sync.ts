/** sync: one history of several hosts. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolResult } from '../../../tools/run.ts';
import type { SyncData } from '../../../workspace/sync/hosts/data.ts';
import type { SyncOptions } from '../../../workspace/sync/hosts/options.ts';
import { attempt } from '../attempt.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { consentTo } from '../input/consent.ts';
import { remoteOptions, type ServerCall, serverInput } from '../input/remote-options.ts';
import { UsageError, wholeNumber } from '../input/usage.ts';
import { answer } from '../views/done.ts';
import { answerRefusal } from '../views/refusal.ts';

interface Options extends ServerCall {
  watch?: boolean;
  interval?: number;
  onConflict?: 'stop' | 'server';
  withOutside?: boolean;
  withUnpushedCommits?: boolean;
  allowUnrelated?: boolean;
  allowSecret?: boolean;
  reason?: string;
}

/** Seconds between two syncs, which suits a host that allows six pushes a minute. */
const INTERVAL = 10;

export const syncing: CliCommand = defineCommand<Options>({
  details:
    'For hosts that serve the same documents: fetches the history that they share, merges what is new, and pushes; where another ' +
    'host came first, again. Edits go on meanwhile, and none changes its id. Where the branch is the history (vedit init, bare ' +
    'repositories) that is the branch; else refs/vedit-shared/<name>, where git config vedit.sync gives the name, by default ' +
    'that of the branch.',
  options: [
    { flags: '--watch', description: 'go on until Ctrl-C' },
    {
      flags: '--interval <seconds>',
      description: `with --watch: how long after each sync; default ${INTERVAL}`,
      parse: text => wholeNumber('--interval', text, 1),
    },
    {
      flags: '--on-conflict <how>',
      description:
        'where both sides changed the same lines: stop (default), or server: edits of this host that do not fit are put aside, and named',
      words: ['stop', 'server'],
    },
    { flags: '--with-outside', description: 'also text of people that was recorded as outside changes' },
    {
      flags: '--with-unpushed-commits',
      description: 'also commits of HEAD that are on no branch of the remote',
    },
    {
      flags: '--allow-unrelated',
      description: 'also merge a history that has no commit in common with this one',
    },
    { flags: '--allow-secret', description: 'also take in what looks like a key, with a reason (-m)' },
    { flags: '-m, --reason <text>', description: 'why, for the history' },
    ...remoteOptions,
  ],
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
  const run = (more: SyncOptions): Promise<ToolResult> =>
    attempt(() => workspace.sync({ ...wanted, ...more }));
  const first = await run({});
  const consent = await consentTo(call, first);
  const { withOutside, withUnpushedCommits } = consent ?? {};
  const result = consent ? await run({ withOutside, withUnpushedCommits }) : first;
  return answer(call, result, () => call.terminal.print(`${result.message}\n`));
}

async function inputOf(call: Call<Options>): Promise<SyncOptions> {
  const { onConflict, withOutside, withUnpushedCommits, allowUnrelated, allowSecret, reason } = call.options;
  const consent = { withOutside, withUnpushedCommits, allowUnrelated, allowSecret, reason };
  return { ...(await serverInput(call)), onConflict, ...consent };
}

/** Tells of each sync that did something, and of each failure once. A conflict needs a decision, and ends it. */
async function watch(call: Call<Options>, { workspace }: Engine): Promise<number> {
  const wanted = await inputOf(call);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    for (let told = ''; ; ) {
      const result = await attempt(() => workspace.sync({ ...wanted, signal: ending.signal }));
      if (ending.signal.aborted) return EXIT.done;
      if (!result.ok && !result.retryable) return await answer(call, result, async () => {});
      const isNews = result.ok ? didSomething(result.data as unknown as SyncData) : result.message !== told;
      if (isNews) await tell(call, result);
      told = result.ok ? '' : result.message;
      await sleep((call.options.interval ?? INTERVAL) * 1000, null, { signal: ending.signal }).catch(
        () => {},
      );
      if (ending.signal.aborted) return EXIT.done;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function didSomething({ pulled, pushed, merges }: SyncData): boolean {
  return pulled + pushed + merges.length > 0;
}

async function tell(call: Call<Options>, result: ToolResult): Promise<void> {
  const { terminal, options } = call;
  if (!result.ok) await answerRefusal(result, terminal, options.json ?? false);
  else await answer(call, result, () => terminal.print(`${result.message}\n`));
}
