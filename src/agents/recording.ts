/** Takes in what hooks of agents left in the repository, before anything else is done in it. */

import { Calls } from '../engine/calls/queue.ts';
import type { Context } from '../engine/context.ts';
import { lookFolder } from '../engine/origins/looked.ts';
import type { Taker } from './take-hook.ts';

/** Returns what takes in all that hooks left since; calls that come meanwhile wait for the same. */
export function settling(context: Context): () => Promise<void> {
  let running: Promise<void> | null = null;
  return async () => {
    const { fs, repo, store, prefix } = context;
    if (!repo.workDir || fs.volatile || !store.separate || prefix !== '') return;
    if ((await fs.lstat(`${lookFolder(context)}/pending`)) === null) return;
    running ??= recordNow(context).finally(() => {
      running = null;
    });
    await running;
  };
}

async function recordNow(context: Context): Promise<void> {
  const [{ recordSpooled }, { newSession }] = await Promise.all([
    import('./spool.ts'),
    import('../workspace/new-session.ts'),
  ]);
  // Its own calls are no calls of the workspace: those wait for it.
  const calls = new Calls();
  const session: Taker['session'] = ({ id = 'hook', agent, model, turn, subagent }) => {
    const by = { session: id, agent, model, turn, subagent };
    return newSession(context, by, undefined, calls, { comesBack: true });
  };
  await recordSpooled({ context, session });
}
