/** Finds who edits by a command: the agent that the options name, or the person at the terminal. */

import type { Person } from '../../workspace/editor.ts';
import type { Workspace } from '../../workspace/open.ts';
import type { SessionOptions } from '../../workspace/opening/workspace-options.ts';
import { markerOfAgent } from './agent-marker.ts';
import type { Call } from './command.ts';
import type { EditorOptions } from './input/options.ts';
import { unknownPerson } from './user.ts';

/**
 * The use of a session by a command: it only `reads`; it makes `edits`, for which a session may be new; it goes `back`
 * in one that there must be; or it runs calls of an `agent`, who is nobody at the terminal.
 */
export type SessionUse = 'reads' | 'edits' | 'back' | 'agent';

interface Known {
  use: SessionUse;
  workspace: Workspace;
  user: Person | undefined;
}

/** Throws INVALID_INPUT for a session that is not known and has to be, and for the start of several. */
export async function sessionFor(
  call: Call<EditorOptions>,
  { use, workspace, user }: Known,
): Promise<SessionOptions> {
  const { agent, model, session: given } = call.options;
  const id = given === undefined ? undefined : await namedSession(workspace, given, use);
  const isNamed = agent !== undefined || (use === 'reads' && given !== undefined);
  if (isNamed || use === 'agent' || !isPersonAt(call)) return { agent, model, id };
  const person = user ?? unknownPerson(call.terminal.env);
  return { person, id: id ?? person.email };
}

/** The start of an id that the engine or a client has made, as `vedit log` shows it cut off. */
const START = /^[0-9a-f]{4,11}$/;

async function namedSession(workspace: Workspace, given: string, use: SessionUse): Promise<string> {
  if (use === 'back') return workspace.findSession(given);
  if (!START.test(given)) return given;
  return workspace.findSession(given).catch(error => {
    if (error?.data?.candidates) throw error;
    return given;
  });
}

/** True when a person reads what the command says. */
function isPersonAt({ terminal }: Call): boolean {
  return terminal.isMessagesTerminal && markerOfAgent(terminal.env) === null;
}
