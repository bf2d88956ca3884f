/** The words by which settings start vedit's programs: the server, the hook, and the hook of rights; and hooks told from those of others. */

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

/** True for an entry that starts the hook of this client and nothing else, by whatever path. */
export function isHookOf(client: string, entry: unknown): boolean {
  return commandsOf(entry).every(command =>
    new RegExp(`\\bvedit((\\.js)?'? hook|-hook'?) ${client}\\b`).test(command),
  );
}

export function isRights(entry: unknown): boolean {
  return commandsOf(entry).every(command => /\bvedit-rights\b/.test(command));
}

/** Returns the commands of an entry in whatever form; one text that nothing fits where it starts none. */
function commandsOf(entry: unknown): string[] {
  const { hooks, command, bash } = Object(entry) as { hooks?: unknown; command?: unknown; bash?: unknown };
  const inner = Array.isArray(hooks) ? hooks.flatMap(commandsOf) : [command ?? bash].map(String);
  return inner.length > 0 ? inner : [''];
}

/** Stands at the top of every file that is vedit's alone. */
const OWN_FILE = 'Written by vedit install';

/** True for a text that install wrote. */
export function isOwnFile(text: string): boolean {
  return text.slice(0, 200).includes(OWN_FILE);
}

/** Cline wants an answer; the hook itself prints nothing where there is nothing to say. */
export function clineScript(by: StartBy): string {
  return `#!/bin/sh
# ${OWN_FILE}: tells vedit what Cline's own tools change. It never stops Cline.
said=$(${hookCommand(by, 'cline')})
printf '%s\\n' "\${said:-{\\"cancel\\":false\\}}"
`;
}

/** Tools of vedit that change nothing; bin/vedit-rights has the same list. */
export const READING_TOOLS: readonly string[] = 'view preview log show diff blame status verify'.split(' ');

/** The text of the plugin. */
export function opencodePlugin(by: StartBy): string {
  return `// ${OWN_FILE}: tells vedit what opencode's own tools change. It never stops opencode.
import { spawn } from 'node:child_process';

const [program, ...args] = ${JSON.stringify(hookWords(by, 'opencode'))};
const NO_CHANGE = /^(read|glob|grep|list|lsp|skill|question|todo\\w*|web\\w*|vedit_\\w+)$/;
// The agent that only plans may not edit by its own tools, and by those of vedit neither.
const EDITS = /^vedit_(?!(${READING_TOOLS.join('|')})$)/;

export const vedit = async ({ directory }) => {
  const agents = new Map();
  const tell = (event, input, more) =>
    new Promise(resolve => {
      let said = '';
      const child = spawn(program, args, { cwd: directory, stdio: ['pipe', 'pipe', 'ignore'], timeout: 20000 });
      child.on('error', () => resolve({}));
      child.on('close', () => resolve(said));
      child.stdout.on('data', text => (said += text));
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify({ event, directory, ...input, ...more }));
    })
      .then(said => JSON.parse(said))
      .catch(() => ({}));
  return {
    'chat.message': async input => {
      agents.set(input.sessionID, input.agent);
      await tell('chat.message', input);
    },
    'tool.execute.before': async (input, output) => {
      if (agents.get(input.sessionID) === 'plan' && EDITS.test(input.tool))
        throw new Error('the agent plan edits nothing: propose the change instead');
      if (NO_CHANGE.test(input.tool)) return;
      const { denied } = await tell('tool.execute.before', input, { output });
      if (denied) throw new Error(denied);
    },
    'tool.execute.after': async (input, output) => {
      if (NO_CHANGE.test(input.tool)) return;
      const { told } = await tell('tool.execute.after', input, { output });
      if (told) output.output += \`\\n\${told}\`;
    },
    event: async ({ event: { type, properties } }) => {
      const sessionID = properties?.sessionID ?? properties?.info?.id;
      if (/^session\\.(created|idle|deleted)$/.test(type)) await tell(type, { sessionID });
    },
  };
};
`;
}
