/** Keys of processes in the names of files: `<pid>_<start>_<PID namespace>`, a part that is not known empty. */

import type { ProcessIdentity } from '../../fs/lock/processes.ts';
import type { Context } from '../context.ts';

type Processes = Pick<Context, 'processes'>;

/** Returns the key by which events name this process. */
export function ownKey({ processes: { self } }: Processes): string {
  return keyOf(self, self.space);
}

/** Returns the keys of the processes that this one was started by, the nearest first. */
export function ancestorKeys({ processes }: Processes): string[] {
  return (processes.ancestors?.() ?? []).map(one => keyOf(one, processes.self.space));
}

/** Programs between an agent and its hook; bin/vedit-hook has the same list. */
const SHELLS = /^(sh|bash|dash|zsh|ksh|ash|fish|busybox|vedit-hook)$/;

/** Returns the key of the agent whose hook this process is: the nearest above it that is no shell; '' where names are not known. */
export function clientKey({ processes }: Processes): string {
  const client = processes.ancestors?.().find(({ name }) => name !== '' && !SHELLS.test(name));
  return client ? keyOf(client, processes.self.space) : '';
}

function keyOf({ pid, started }: Pick<ProcessIdentity, 'pid' | 'started'>, space: string | null): string {
  return [pid, started, spaceNumber(space)].join('_');
}

/** Returns the number of `pid:[4026531836] ...`, which a shell can read too. */
function spaceNumber(space: string | null): string {
  return /^pid:\[(\d+)\]/.exec(space ?? '')?.[1] ?? '';
}

/** A process that a key names; its pid counts here where `isHere`. */
export interface KeyedProcess extends ProcessIdentity {
  isHere: boolean;
}

/** Returns `null` for a text that is no key. */
export function parseKey(key: string, { processes: { self } }: Processes): KeyedProcess | null {
  const [, pid, started, space] = /^(\d{1,10})_(\d*)_(\d*)$/.exec(key) ?? [];
  if (pid === undefined) return null;
  const isHere = space === spaceNumber(self.space);
  return { ...self, pid: Number(pid), started: started!, space: isHere ? self.space : null, isHere };
}
