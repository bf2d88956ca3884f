/** Commands that agents run: what is a person's to say, such a command does not say in their name. */

import { NOBODYS } from '../../engine/editor-name.ts';
import { EditError } from '../../errors.ts';
import type { ReviewBy } from '../../review/options.ts';
import type { Call } from './command.ts';

/** Variables that agents set for the commands they run, some of them on terminals of their own. */
const OF_AGENTS: ReadonlyMap<string, string> = new Map([
  ['CLAUDECODE', 'claude-code'],
  ['CODEX_SANDBOX', 'codex'],
  ['CODEX_SANDBOX_NETWORK_DISABLED', 'codex'],
  ['CURSOR_AGENT', 'cursor'],
  ['GEMINI_CLI', 'gemini'],
  ['OPENCODE', 'opencode'],
  ['AI_AGENT', 'agent'],
]);

/** The variable that says that an agent runs this command, and which; `null`: none does. */
export function markerOfAgent(env: NodeJS.ProcessEnv): { name: string; agent: string } | null {
  for (const [name, agent] of OF_AGENTS) if (env[name]) return { name, agent };
  return null;
}

/** True where a person sees questions and answers them: an agent that is asked on a terminal of its own would answer for them. */
export function isPersonAsked({ terminal }: Call): boolean {
  return terminal.canAsk && terminal.isOutputTerminal && markerOfAgent(terminal.env) === null;
}

export interface AsAgentOptions {
  asAgent?: boolean;
  agent?: string;
}

/**
 * Returns the reviewer on whose review a command acts. Throws INVALID_INPUT for an agent that does not say so. `doing`:
 * as `accept`.
 */
export async function reviewBy(
  { options, terminal }: Call<AsAgentOptions>,
  doing: string,
): Promise<ReviewBy> {
  const marker = markerOfAgent(terminal.env);
  if (!options.asAgent) {
    if (marker === null) return {};
    throw personsOnly(marker.name, doing, { more: AS_AGENT });
  }
  const { plainName } = await import('../../engine/editor.ts');
  const name = plainName(options.agent ?? marker?.agent ?? 'agent') ?? 'agent';
  const slug =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'agent';
  return { reviewer: { name, email: `agent.${slug}${NOBODYS}` }, asAgent: true };
}

/** For a page that an agent started: refuses what is the person's. `undefined` where none did. */
export function refusalOnPage(env: NodeJS.ProcessEnv): ((doing: string) => EditError) | undefined {
  const marker = markerOfAgent(env);
  if (marker === null) return;
  return doing => personsOnly(marker.name, doing, { how: 'started this page' });
}

/** Creates the refusal of what an agent may not do. */
export function personsOnly(
  marker: string,
  doing: string,
  { how = 'runs this command', more = '' }: { how?: string; more?: string } = {},
): EditError {
  const words = `To ${doing} is the person's, and an agent ${how} (${marker} is set). Nothing was done. Let the person do it: on the page (vedit watch, started by them), or in another terminal; a command that they run inside an agent's client has its variables too.${more}`;
  return new EditError('INVALID_INPUT', words, { field: marker });
}

const AS_AGENT =
  " An agent's own opinion goes with --as-agent: it is shown as that, and ends no rejection of a person.";
