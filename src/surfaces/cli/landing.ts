/** One try to land, with what git and the hooks print shown as it comes. */

import type { ToolResult } from '../../tools/run.ts';
import type { LandOptions } from '../../workspace/land/land.ts';
import type { Workspace } from '../../workspace/open.ts';
import { markerOfAgent } from './agent-marker.ts';
import { attempt } from './attempt.ts';
import { withProgress } from './terminal/progress.ts';
import type { Terminal } from './terminal/terminal.ts';

export type Landing = (options: LandOptions) => Promise<ToolResult>;

/** Hooks are shown on standard error, as git shows them; what was shown is not told again by a refusal. */
export function landing(terminal: Terminal, workspace: Workspace): Landing {
  return async options => {
    let shown: Promise<void> | null = null;
    const onOutput = (text: string): void => {
      shown = (shown ?? Promise.resolve()).then(() => terminal.relay(text));
    };
    const result = await withProgress(terminal, tell =>
      attempt(async () => {
        const onCommit = (count: number, of: number): void => tell(`${count} of ${of} commits made`);
        const asAgent = markerOfAgent(terminal.env) !== null;
        return workspace.land({ ...options, asAgent, onCommit, onOutput });
      }),
    );
    await shown;
    if (shown === null || result.ok || result.code !== 'GIT_REFUSED') return result;
    return { ...result, message: result.message.split('\n')[0]!.replace(/ Git and the hooks .*$/, '') };
  };
}
