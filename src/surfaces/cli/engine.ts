/**
 * The engine, opened for one command. It is loaded here and not before, so that help, version and completion are
 * instant.
 */

import { realpath } from 'node:fs/promises';
import { EditError } from '../../errors.ts';
import type { ToolResult } from '../../tools/index.ts';
import type { Session } from '../../workspace/session.ts';
import type { Call } from './command.ts';
import type { EditorOptions } from './options.ts';
import { Place } from './place.ts';
import { readUser } from './user.ts';

export interface Engine {
  session: Session;
  place: Place;
  /** Runs a tool in the session. Never throws. */
  run(tool: string, input: object): Promise<ToolResult>;
  /** The trail as git shortens it: `main`, `vedit/main`, `HEAD`. */
  trail(): Promise<string>;
}

/** Opens the work tree that the call's folder is in, does `work`, and closes it. Throws EditError. */
export async function withEngine<T>(
  call: Call<EditorOptions>,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const folder = await realFolder(call.folder);
  const { locateRepository, parseConfigs } = await import('../../workspace/locate.ts');
  const { root, bare, config, trail } = await locateRepository(folder);
  const { person, ...own } = await readUser(call.terminal.env, { config, root, parse: parseConfigs });
  const { runTool } = await import('../../tools/index.ts');
  const { openWorkspace } = await import('../../workspace/open.ts');
  const { trail: name, allowIgnored, agent, model, session: id } = call.options;
  const workspace = await openWorkspace({ root, trail: name, allowIgnored, user: person, ...own });
  try {
    const session = workspace.session({ agent, model, id });
    const place = new Place(root, bare ? root : folder);
    const run: Engine['run'] = (tool, input) => runTool(session, tool, input);
    return await work({ session, place, run, trail: () => trail(name) });
  } finally {
    await workspace.close();
  }
}

async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null) return real;
  throw new EditError('NOT_A_REPOSITORY', `There is no folder ${folder}.`);
}
