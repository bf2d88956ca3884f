/** Asks how much of what agents are asked, and run, is kept in this repository, and sets it. */

import { PROMPT_KINDS, type PromptsKept } from '../../../engine/origins/agent-events.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import type { Call } from '../command.ts';
import { withFolder } from '../engine.ts';
import { UsageError } from '../input/usage.ts';
import { readUser } from '../user.ts';

interface Options {
  prompts?: string;
}

/** Returns the word that was given; `undefined` without one. Throws UsageError for another. */
export function givenPrompts({ prompts }: Options): PromptsKept | undefined {
  const kept = PROMPT_KINDS.find(kind => kind === prompts);
  if (prompts !== undefined && !kept)
    throw new UsageError(`--prompts takes ${PROMPT_KINDS.join(', ')}, not ${JSON.stringify(prompts)}`);
  return kept;
}

/** Sets what was given, or else asks once in each repository, where `mayAsk`. */
export async function choosePrompts(call: Call<Options>, located: Located, mayAsk: boolean): Promise<void> {
  const given = givenPrompts(call.options);
  const kept = given ?? (mayAsk && !(await isSet(call, located)) ? await asked(call) : undefined);
  if (kept === undefined) return;
  await withFolder({ ...call, options: {} }, ({ workspace }) => workspace.keepPrompts(kept));
  await call.terminal.tell(
    kept === 'off'
      ? 'prompts and commands are not kept (git config vedit.prompts off)'
      : `prompts and commands are kept in ${located.commonDir}/vedit/prompts for 30 days (git config vedit.prompts ${kept}); vedit gc --prompts forgets them`,
  );
}

async function isSet({ terminal }: Call<Options>, { config, root }: Located): Promise<boolean> {
  const { parseConfig } = await import('../../../workspace/opening/locate.ts');
  const { userConfig } = readUser(terminal.env, { config, root, parse: parseConfig });
  return [config, parseConfig(userConfig)].some(one => one.get('vedit.prompts') !== undefined);
}

/** They may hold secrets: the answer that is given by return alone keeps nothing. */
async function asked({ terminal }: Call<Options>): Promise<PromptsKept | undefined> {
  const typed = await terminal.askOn(
    'Keep what agents are asked, and the commands that they run, for vedit why? They stay in this clone, in no commit. [o]ff, [f]irst lines, [w]hole: [o] ',
  );
  if (typed === null) return undefined;
  return PROMPT_KINDS.find(kind => typed !== '' && kind.startsWith(typed.toLowerCase())) ?? 'off';
}
