/** Finds out who makes a call: by what the client says with it, else by what its hook told of it, else by the environment. */

import { knownAgent } from '../../agents/agent-name.ts';
import type { ClientNow } from '../../agents/clients.ts';
import { plainName } from '../../engine/editor.ts';
import { parseJson } from '../../json.ts';

export interface Caller {
  agent?: string | undefined;
  /** The name that the client gives itself, where that is not the agent's name. */
  client?: string | undefined;
  session?: string | undefined;
  model?: string | undefined;
  turn?: string | undefined;
  call?: string | undefined;
}

/**
 * `name`: of the client. Its hook, and a session of the environment, count where they are that agent's: a client that another
 * agent's command started has inherited both from that one.
 */
export function callerOf(
  name: string | undefined,
  meta: unknown,
  known: ReadonlyArray<ClientNow | null | undefined>,
): Caller {
  // A client may call itself anything, and the model could not mend it.
  const own = knownAgent((name && plainName(name)) ?? '');
  const by = own.agent === '' ? {} : own;
  const said = saidWith(meta);
  const found = known.find(
    one => one && one.agent === own.agent && (said.session ?? one.session) === one.session,
  );
  return { ...by, ...given({ session: found?.session, model: found?.model, turn: found?.turn }), ...said };
}

/** Reads what a client says with a call. Codex says it beside the call, or in an object of its own; as text or not. */
function saidWith(meta: unknown): Caller {
  const all = Object(meta) as Record<string, unknown>;
  const nested = Object.entries(all).filter(([name]) => /codex|turn[-_]?metadata/i.test(name));
  const places = [all, ...nested.map(([, value]) => asObject(value))];
  const text = (...names: string[]): string | undefined => {
    const found = places.flatMap(place => names.map(name => place[name]));
    const value = found.find(one => typeof one === 'string' && one !== '');
    return value === undefined ? undefined : plainName(value as string);
  };
  return given({
    session: text('session_id', 'sessionId'),
    turn: text('turn_id', 'turnId'),
    model: text('model'),
    call: text('call_id', 'callId'),
  });
}

function asObject(value: unknown): Record<string, unknown> {
  return Object(typeof value === 'string' ? parseJson(value) : value);
}

/** Leaves out fields without a value. */
export function given<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}
