/** doctor: who holds the lock of the repository, and how to get it back from somebody who is gone. */

import type { DoctorData } from '../../../workspace/maintenance/doctor.ts';
import { attempt } from '../attempt.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { type TrailOptions, trailOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { answer } from '../views/done.ts';

interface Options extends TrailOptions {
  unlock?: boolean;
  yes?: boolean;
}

export const doctor: CliCommand = defineCommand<Options>({
  details:
    'One edit at a time is made in a repository. The lock of a process that is gone is taken over by the next edit; where nobody ' +
    'can see whether it is (another container, another machine), that takes 30 seconds without a sign of life. With --unlock it is ' +
    'taken at once, and what that process left is repaired. One that is stopped (docker pause, SIGSTOP) or hangs keeps the lock by ' +
    'itself for as long as it is there: after 5 seconds without a sign of life --unlock takes it from that one, too. Should it go on ' +
    'after all, it notices and writes nothing more.',
  options: [
    { flags: '--unlock', description: 'take the lock from a process that gives no sign of life' },
    { flags: '--yes', description: 'with --unlock: do not ask' },
    ...trailOptions,
  ],
  examples: [
    ['vedit doctor', ''],
    ['vedit doctor --unlock', 'asks first'],
  ],
  run: call =>
    withEngine(call, async ({ workspace }) => {
      const found = await attempt(() => workspace.doctor());
      const { token, state } = found.ok ? (found.data as DoctorData).lock : { token: null, state: 'free' };
      if (!call.options.unlock || !found.ok || token === null || state === 'free') return show(call, found);
      if (!call.options.yes && !(await isWanted(call, found.message))) return show(call, found);
      return show(call, await attempt(() => workspace.doctor({ unlock: token })));
    }),
});

function show(call: Call<Options>, result: Awaited<ReturnType<Engine['run']>>): Promise<number> {
  return answer(call, result, () => call.terminal.print(`${result.message}\n`));
}

/** Throws UsageError where there is nobody to ask. */
async function isWanted({ terminal, options }: Call<Options>, message: string): Promise<boolean> {
  if (options.json || !terminal.canAsk)
    throw new UsageError(
      '--unlock asks first, and there is nobody to ask: give --yes as well if you are sure',
    );
  await terminal.tell(message);
  return /^y(es)?$/i.test(await terminal.ask('Take the lock from that process? [y/N] '));
}
