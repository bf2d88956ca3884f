/** The words by which settings start vedit's programs: the server, the hook, and the hook of rights. */

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { shellWord } from '../../../c-quote.ts';
import { onPath } from '../terminal/programs.ts';

/** By its name, which all who work on a project have in common; by npx, which fetches it; by the path of this vedit. */
export type StartBy = 'name' | 'npx' | 'path';

export interface StartCommand {
  command: string;
  args: readonly string[];
}

/** Chooses the words that will work. `isOwn`: for settings of a person, which nobody else gets; their PATH may be another one. */
export function startBy(isOwn: boolean, env: NodeJS.ProcessEnv): StartBy {
  if (env.npm_command === 'exec' && installed(env) === null) return 'npx';
  return isOwn ? 'path' : 'name';
}

/** The path of vedit on the PATH without what npm puts before it while it runs something; `null`: there is none. */
export function installed({ PATH = '' }: NodeJS.ProcessEnv): string | null {
  const lasting = PATH.split(delimiter).filter(folder => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  return onPath('vedit', { PATH: lasting.join(delimiter) });
}

const PACKAGE = 'versioned-edit';

export function serverStart(by: StartBy, args: readonly string[]): StartCommand {
  if (by === 'name') return { command: 'vedit', args };
  if (by === 'npx') return { command: 'npx', args: ['-y', PACKAGE, ...args] };
  const [command, ...first] = itself();
  return { command: command!, args: [...first, ...args] };
}

/** The words that start this program: a single executable is its own Node. */
function itself(program: string = process.argv[1]!): string[] {
  return program === process.execPath ? [program] : [process.execPath, program];
}

/** Returns the command that starts the hook of a client, for a shell. */
export function hookCommand(by: StartBy, client: string, program: string = process.argv[1]!): string {
  return by === 'path'
    ? hookWords(by, client, program).map(shellWord).join(' ')
    : ifThere(by, `vedit-hook ${client}`);
}

/** Returns the command of the hook that answers by the client's mode which of vedit's tools it may use. */
export function rightsCommand(by: StartBy, program: string = process.argv[1]!): string {
  if (by !== 'path') return ifThere(by, 'vedit-rights');
  return shellWord(besides(program, 'vedit-rights') ?? 'vedit-rights');
}

/** In settings that all who work on a project have, it stops nobody who has no vedit. */
function ifThere(by: StartBy, line: string): string {
  const isThere = `command -v ${line.split(' ')[0]} >/dev/null 2>&1`;
  if (by === 'name') return `${isThere} && ${line} || :`;
  return `if ${isThere}; then ${line}; else npx -y -p ${PACKAGE} ${line}; fi || :`;
}

/**
 * Returns the words of the hook's command, unquoted: by its path the front of this vedit, or this program itself where there
 * is no shell for it.
 */
export function hookWords(by: StartBy, client: string, program: string = process.argv[1]!): string[] {
  if (by === 'name') return ['vedit-hook', client];
  if (by === 'npx') return ['npx', '-y', '-p', PACKAGE, 'vedit-hook', client];
  const front = process.platform === 'win32' ? null : besides(program, 'vedit-hook');
  return front ? [front, client, ...itself(program).slice(0, 1)] : [...itself(program), 'hook', client];
}

/** A file of the folder that holds the program; `null` where it is not there. */
function besides(program: string, name: string): string | null {
  const file = join(dirname(existsSync(program) ? realpathSync(program) : program), name);
  return existsSync(file) ? file : null;
}
