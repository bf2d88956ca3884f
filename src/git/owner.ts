/** Who holds a lock, and whether he is still alive: what a lock file says, and how it is judged. */

/** The process that wrote a lock. `token` names one holding of it, and never comes twice. */
export interface Owner {
  pid: number;
  /** Changes with each start of the machine. */
  boot: string;
  host: string;
  /** When the process started, in a unit of the platform's own: a pid used again has another one. */
  started: string;
  token: string;
}

/** What the engine asks of the machine about processes. */
export interface Processes {
  /** Which start of the machine this is; `null` where that cannot be known. */
  boot(): string | null;
  /** This process, with a fresh token. */
  self(): Owner;
  /** False only when the owner is surely gone. */
  isAlive(owner: Owner): boolean;
  /** Of another program, which says no more of itself. False only when it surely does not run. */
  isRunning(pid: number, host: string): boolean;
}

/** For file systems that one program alone can see: another run of it cannot be alive. */
export function onlyProcess(): Processes {
  const boot = randomToken();
  return {
    boot: () => boot,
    self: () => ({ pid: 0, boot, host: '', started: '', token: randomToken() }),
    isAlive: owner => owner.boot === boot,
    isRunning: () => true,
  };
}

/** 24 hex digits that nobody else has. */
export function randomToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The owner written in a lock file, or `null` when it is no lock of ours. */
export function parseOwner(text: string): Owner | null {
  try {
    const value = JSON.parse(text) as Partial<Owner> | null;
    const known = typeof value?.pid === 'number' && typeof value.token === 'string';
    return known && /^[0-9a-f]{24}$/.test(value.token!) ? (value as Owner) : null;
  } catch {
    return null;
  }
}
