/** Builds the commands that start the hooks, in settings of a project and of a user, and tells which entries are ours. */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HookClient } from './clients.ts';

/**
 * Returns the command that starts the hook. In settings that all who work on a project have, it stops nobody who has no vedit; in those of a user it
 * names the front of this vedit, or this program itself where there is no shell for it.
 */
export function hookCommand(isUser: boolean, client: HookClient, program: string = process.argv[1]!): string {
  const words = hookWords(isUser, client, program);
  return isUser ? words.map(quoted).join(' ') : ifThere(words);
}

/** Returns the command of the hook that answers by the client's mode which of vedit's tools it may use. */
export function rightsCommand(isUser: boolean, program: string = process.argv[1]!): string {
  const script = besides(program, 'vedit-rights');
  return isUser ? quoted(script ?? 'vedit-rights') : ifThere(['vedit-rights']);
}

function ifThere(words: readonly string[]): string {
  return `command -v ${words[0]} >/dev/null 2>&1 && ${words.join(' ')} || :`;
}

/** Returns the words of the command, unquoted. */
export function hookWords(isUser: boolean, client: HookClient, program: string = process.argv[1]!): string[] {
  if (!isUser) return ['vedit-hook', client];
  const front = process.platform === 'win32' ? null : besides(program, 'vedit-hook');
  return front ? [front, client, process.execPath] : [process.execPath, program, 'hook', client];
}

/** A file of the folder that holds the program; `null` where it is not there. */
function besides(program: string, name: string): string | null {
  const file = join(dirname(existsSync(program) ? realpathSync(program) : program), name);
  return existsSync(file) ? file : null;
}

/** For a POSIX shell, where it needs it. */
function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** True for an entry that starts the hook of this client and nothing else, by whatever path. */
export function isHookOf(client: HookClient, entry: unknown): boolean {
  return commandsOf(entry).every(command =>
    new RegExp(`\\bvedit((\\.js)?'? hook|-hook'?) ${client}\\b`).test(command),
  );
}

/** True for an entry that starts the hook of rights and nothing else. */
export function isRights(entry: unknown): boolean {
  return commandsOf(entry).every(command => /\bvedit-rights\b/.test(command));
}

/** Returns the commands of an entry in whatever form; one text that nothing fits where it starts none. */
function commandsOf(entry: unknown): string[] {
  const { hooks, command, bash } = Object(entry) as { hooks?: unknown; command?: unknown; bash?: unknown };
  const inner = Array.isArray(hooks) ? hooks.flatMap(commandsOf) : [command ?? bash].map(String);
  return inner.length > 0 ? inner : [''];
}
