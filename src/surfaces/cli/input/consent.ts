/** Asks what others may see, where a person can answer. */

import type { ToolResult } from '../../../tools/run.ts';
import type { Call } from '../command.ts';
import type { ServerCall } from './remote-options.ts';

export interface Consent {
  withOutside: true;
  withUnpushedCommits: true;
  /** The newest commits that were listed. */
  tips: string[];
}

/** Asks what a person allows to be seen of what was refused; `null`: nothing, or nothing was asked. */
export async function consentTo(
  { terminal, options }: Call<ServerCall>,
  result: ToolResult,
): Promise<Consent | null> {
  if (result.ok || result.code !== 'INVALID_INPUT' || options.json || !terminal.canAsk) return null;
  const { counts, tips } = result.data as { counts?: object; tips?: string[] };
  if (counts === undefined || tips === undefined) return null;
  const lines = result.message.split('\n').slice(1, -1);
  await terminal.tell('Whoever may read the remote would also see');
  for (const line of lines) await terminal.tell(line);
  await terminal.tell('These cannot be left out: the ids of all later edits hold them.');
  if (!(await terminal.confirm('Publish them? [y/N] '))) return null;
  return { withOutside: true, withUnpushedCommits: true, tips };
}
