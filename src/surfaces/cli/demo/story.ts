/** The demo as a story: what happens, in which order, and what is said about it. Every answer is the engine's own. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../../tools/index.ts';
import type { ToolResult } from '../../../tools/run.ts';
import { openWorkspace } from '../../../workspace/open.ts';
import type { Session } from '../../../workspace/session.ts';
import { type CallTool, explain, fixCheckout, fixSubtotal, look } from './agent.ts';
import { ADA } from './repository.ts';

export interface Teller {
  chapter(title: string, words: string): Promise<void>;
  call(who: string, tool: string, input: object, result: ToolResult): Promise<void>;
}

/** Makes the calls of the demo in the repository at `root`, which makeShop made, and tells each. */
export async function tellStory(root: string, teller: Teller): Promise<void> {
  const workspace = await openWorkspace({ root, user: ADA });
  try {
    const fixer = workspace.session({ agent: 'fixer', id: 'session-1' });
    const reviewer = workspace.session({ agent: 'reviewer', id: 'session-2' });
    await tell(root, teller, calls(teller, fixer), calls(teller, reviewer));
  } finally {
    await workspace.close();
  }
}

function calls(teller: Teller, session: Session): CallTool {
  return async (tool, input) => {
    const result = await runTool(session, tool, input);
    await teller.call(session.agent!, tool, input, result);
    return result;
  };
}

async function tell(root: string, teller: Teller, fixer: CallTool, reviewer: CallTool): Promise<void> {
  await teller.chapter('Look', 'An agent called fixer looks at a file.');
  await look(fixer);

  await teller.chapter(
    'No guess',
    'It wants to change a line that is there twice. It is refused, told where, and asks better.',
  );
  const version = await fixCheckout(fixer);

  await teller.chapter(
    'Others are at work too',
    'An agent called reviewer edits the same file, and Ada changes the tax in her editor.',
  );
  await explain(reviewer);
  await writeFile(join(root, 'src', 'tax.js'), 'export const taxRate = 0.25;\n');

  await teller.chapter(
    'No stale edit',
    'fixer still counts lines in the version that its own edit left. The answer says what changed, and it tries again.',
  );
  await fixSubtotal(fixer, version);

  await teller.chapter('Every edit is a commit', 'Beside Ada’s branch, not on it: refs/vedit/main.');
  await fixer('log', {});

  await teller.chapter('Undo', 'fixer takes its last edit back. That is a commit too, and can be redone.');
  await fixer('undo', {});

  await teller.chapter(
    'Back to the start',
    'Everything the agents did goes; Ada’s new tax stays, and so does the history.',
  );
  await fixer('rollback', { commit: 'main' });
}
