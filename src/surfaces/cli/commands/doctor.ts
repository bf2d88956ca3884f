import { join } from 'node:path';
import type { DoctorData } from '../../../maintenance/doctor.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { trailOptions } from '../input/options.ts';
import { homeOf } from '../install/parts.ts';
import { type AgentReport, agentReports, reportLines, spooled } from '../install/report.ts';
import { type Attempt, answer, attempt, isWanted } from '../run.ts';

const options = [
  ['--unlock', 'take the lock from a process that gives no sign of life'],
  ['--yes', 'with --unlock: do not ask'],
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'One edit at a time is made in a repository. The lock of a process that is gone is taken over by the next edit; where nobody ' +
    'can see whether it is (another container, another machine), that takes 30 seconds without a sign of life. With --unlock it is ' +
    'taken at once, and what that process left is repaired. One that is stopped (docker pause, SIGSTOP) or hangs keeps the lock by ' +
    'itself for as long as it is there: after 5 seconds without a sign of life --unlock takes it from that one, too. Should it go on ' +
    'after all, it notices and writes nothing more. Of each agent it says what of vedit stands in which settings, of which version, ' +
    'whether the client trusts it, whether an event is told twice, when each was heard last, and how many wait to be recorded.',
  options,
  examples: [
    ['vedit doctor', ''],
    ['vedit doctor --unlock', 'asks first'],
  ],
  run: call =>
    withEngine(call, async engine => {
      const { workspace } = engine;
      const agents = await agentsOf(call, engine);
      const show = (result: Found): Promise<number> => shown(call, result, agents);
      const found = await attempt(() => workspace.doctor());
      const { token, state } = found.ok ? found.data.lock : { token: null, state: 'free' };
      if (!call.options.unlock || !found.ok || token === null || state === 'free') return show(found);
      if (!call.options.yes && !(await isWanted(call, found.message, QUESTION, NOBODY))) return show(found);
      return show(await attempt(() => workspace.doctor({ unlock: token })));
    }),
});

const QUESTION = 'Take the lock from that process? [y/N] ';
const NOBODY = '--unlock asks first, and there is nobody to ask: give --yes as well if you are sure';

type Found = Attempt<DoctorData>;

interface Agents {
  agents: AgentReport[];
  spooled: number;
}

async function agentsOf({ terminal: { env } }: Call<Options>, engine: Engine): Promise<Agents> {
  const { root, gitDir, commonDir } = engine;
  const agents = await agentReports({ root, home: homeOf(env), env }, join(commonDir, 'vedit'));
  return { agents, spooled: await spooled(join(gitDir, 'vedit')) };
}

function shown(call: Call<Options>, result: Found, more: Agents): Promise<number> {
  if (!result.ok) return answer(call, result);
  const message = [result.message, ...reportLines(more.agents, more.spooled)].join('\n');
  return answer(call, { ...result, message, data: { ...result.data, ...more } });
}
