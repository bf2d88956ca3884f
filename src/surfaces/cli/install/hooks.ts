/** Tells hooks of vedit from those of others, and has the texts of those that are files: a plugin of opencode, and Cline's programs. */

import { hookCommand, hookWords, type StartBy } from './start.ts';

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
