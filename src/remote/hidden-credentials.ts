/**
 * An address with a user and a password in it is an argument of the programs that git starts, and so in the list of
 * processes that everybody on the machine may read. Git is given the address without them, and them by its environment.
 */

import type { GitCall, GitResult } from '../git/run-git.ts';

/** The arguments and environment that a run of git has to be given beside its own. */
export interface Hidden {
  config: readonly string[];
  env: Readonly<Record<string, string>>;
}

type Ask = (args: readonly string[]) => Promise<GitResult | null>;

const [ADDRESS, PUSH_ADDRESS, USER, PASSWORD] = [
  'VEDIT_REMOTE_ADDRESS',
  'VEDIT_REMOTE_PUSH_ADDRESS',
  'VEDIT_REMOTE_USER',
  'VEDIT_REMOTE_PASSWORD',
] as const;

/** In the list of processes there are the names of the variables only. */
const HELPER = `!f() { test "$1" != get || printf 'username=%s\\npassword=%s\\n' "$${USER}" "$${PASSWORD}"; }; f`;

/** Reads the addresses of a remote, and hides what they hold of credentials. `ask` runs git in the repository. */
export async function hiddenCredentials(ask: Ask, remote: string): Promise<Hidden> {
  const [raw, rawPush] = [await first(ask, 'url', remote), await first(ask, 'pushurl', remote)];
  const fetching = taken(await line(ask, ['remote', 'get-url', remote]));
  const pushing = taken(await line(ask, ['remote', 'get-url', '--push', remote]));
  if (raw === null || (fetching === null && pushing === null)) return { config: [], env: {} };
  const { plain, user, password } = (fetching ?? pushing)!;
  return {
    config: [
      ...(fetching ? [`--config-env=url.${fetching.plain}.insteadOf=${ADDRESS}`] : []),
      ...(pushing && rawPush === null ? [`--config-env=url.${pushing.plain}.pushInsteadOf=${ADDRESS}`] : []),
      ...(pushing && rawPush !== null ? [`--config-env=url.${pushing.plain}.insteadOf=${PUSH_ADDRESS}`] : []),
      ...helperFor(plain, password),
      ...(pushing && pushing.plain !== plain ? helperFor(pushing.plain, pushing.password) : []),
    ],
    env: {
      [ADDRESS]: raw,
      ...(rawPush === null ? {} : { [PUSH_ADDRESS]: rawPush }),
      [USER]: user,
      [PASSWORD]: password ?? '',
    },
  };
}

/** Gives git the user and password of an address; with a user alone git goes on to ask as ever. */
function helperFor(plain: string, password: string | null): string[] {
  if (password === null) return [`--config-env=credential.${plain}.username=${USER}`];
  return ['-c', `credential.${plain}.helper=`, '-c', `credential.${plain}.helper=${HELPER}`];
}

/** Parts an address of HTTP from its user and password; `null`: it has none. */
function taken(address: string | null): { plain: string; user: string; password: string | null } | null {
  const [, scheme, who, rest] = /^(https?:\/\/)([^/]*)@([^/@]+(?:\/.*)?)$/i.exec(address ?? '') ?? [];
  if (scheme === undefined) return null;
  const [, user, password] = /^([^:]*)(?::(.*))?$/s.exec(who!)!;
  const decoded = [user!, password].map(one => one && unescaped(one));
  return { plain: scheme + rest!, user: decoded[0] ?? '', password: decoded[1] ?? null };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function first(ask: Ask, key: string, remote: string): Promise<string | null> {
  return line(ask, ['config', '--get-all', `remote.${remote}.${key}`]);
}

async function line(ask: Ask, args: GitCall['args']): Promise<string | null> {
  const result = await ask(args);
  return result?.code === 0 ? (result.stdout.split('\n')[0] ?? null) : null;
}
