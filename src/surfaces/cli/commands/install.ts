import { PROMPT_KINDS, type PromptsKept } from '../../../engine/origins/agent-events.ts';
import type { InstallOptions as Options } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import type { Call } from '../command.ts';
import { withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { CLIENT_NAMES, type Client, clientsHere } from '../install/clients.ts';
import { homeOf, INSTRUCTIONS, type Part, type Scope } from '../install/parts.ts';
import {
  clientNamed,
  type Settling,
  scopeOf,
  settle,
  showPart,
  tellChanges,
  topOf,
} from '../install/settle.ts';
import { installed, startBy } from '../install/start.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { readUser } from '../user.ts';
import { startArguments } from './mcp.ts';

export async function run(call: Call<Options>): Promise<number> {
  const client = clientNamed(call.args[0]);
  checkOptions(call.options, client);
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const located = await locateRepository(call.folder).catch(() => null);
  const clients = client ? [client] : await chosen(call);
  for (const one of clients) await installOne(call, one, located);
  const { dryRun, hooks } = call.options;
  const hasHooks = hooks !== false && clients.some(one => one.hooks ?? one.hookFiles);
  if (located && !dryRun) await choosePrompts(call, located, hasHooks && canAsk(call));
  return EXIT.done;
}

/** Throws UsageError. */
function checkOptions(options: Options, client: Client | undefined): void {
  const { root, trust, user, local } = options;
  const isOwn = client ? scopeOf(options, client) !== 'project' : user || local;
  if (root !== undefined && !isOwn)
    throw new UsageError(
      'settings of a project name no folder of this machine: leave --root out, or give --user',
    );
  if (trust && !(user && client?.name === 'gemini'))
    throw new UsageError(
      '--trust goes into your own settings of Gemini CLI: vedit install gemini --user --trust',
    );
}

/** The clients that are here and are wanted. Throws UsageError where nobody can be asked. */
async function chosen(call: Call<Options>): Promise<Client[]> {
  const { options, terminal } = call;
  const found = clientsHere(homeOf(terminal.env), terminal.env);
  const all = found.map(([client]) => client);
  if (all.length === 0)
    throw new UsageError(`no client was found here: name one of ${CLIENT_NAMES.join(', ')}`);
  if (options.yes) return all;
  if (!canAsk(call))
    throw new UsageError(
      `found here: ${all.map(({ name }) => name).join(', ')}. Name one of them, or give --yes for all`,
    );
  const wanted: Client[] = [];
  for (const [client, sign] of found)
    if (await terminal.confirm(`${client.name} is here (${sign}). Install vedit for it? [Y/n] `, true))
      wanted.push(client);
  return wanted;
}

function canAsk({ options: { json, yes }, terminal }: Call<Options>): boolean {
  return terminal.canAsk && !json && !yes;
}

async function installOne(call: Call<Options>, client: Client, located: Located | null): Promise<void> {
  const { options, terminal } = call;
  const how: Settling = {
    ...{ client, scope: scopeOf(options, client), located, remove: false },
    args: startArguments(call, client),
    mayBe: (...one) => mayBe(call, client, ...one),
  };
  const changes = await settle(call, how);
  await tellChanges(call, how, changes, canAsk(call) && !options.dryRun);
  if (options.json) return;
  const isChanged = changes.some(({ before, after }) => before !== after);
  for (const note of notes(call, how, isChanged)) await terminal.tell(note);
}

/** Shows a part, and asks where a person can answer. */
async function mayBe(
  call: Call<Options>,
  client: Client,
  part: Part,
  before: string | null,
  after: string | null,
): Promise<boolean> {
  const { options, terminal } = call;
  const { name } = part;
  if ((name === 'hooks' || name === 'rights') && options[name] === false) return false;
  const isByOption = name === 'instructions' || name === 'skill';
  if (isByOption && !options[name]) return false;
  const isNamed = isByOption || options.trust === true;
  if (options.dryRun || !canAsk(call)) return !part.isAsked || isNamed;
  await showPart(call, client, part, before, after);
  if (part.isAsked && isNamed) return true;
  return terminal.confirm(part.isAsked ? 'Write it? [y/N] ' : 'Write it? [Y/n] ', !part.isAsked);
}

/** Yields what a person has to know or to do besides. */
function* notes(call: Call<Options>, how: Settling, isChanged: boolean): Generator<Piece> {
  const { folder, options } = call;
  const { client, scope, located } = how;
  const root = topOf(call, located);
  if (isChanged && scope === 'project' && client.consent !== undefined) yield `note: ${client.consent}`;
  if (client.name === 'codex' && isChanged && options.hooks !== false)
    yield 'note: Codex runs hooks only after you trusted them there: /hooks';
  if (scope !== 'user' && client.name === 'claude-code' && folder !== root)
    yield `note: Claude Code reads these settings only when it is started in ${root}; for every folder: vedit install claude-code --user`;
  if (!located) yield 'note: this folder is in no git repository: nothing is recorded here before git init';
  if (isChanged && scope === 'local')
    yield `note: ${client.local} is yours alone: where .gitignore does not name it, git add takes it along`;
  if (isChanged && !options.instructions)
    yield `note: for AGENTS.md, if you like (--instructions writes it):\n${INSTRUCTIONS}`;
  yield* startNotes(call, scope);
}

function* startNotes({ terminal: { env } }: Call<Options>, scope: Scope): Generator<Piece> {
  if (startBy(scope !== 'project', env) === 'npx')
    yield 'note: these settings start vedit by npx, which takes half a second at each hook; at once: npm install -g versioned-edit';
  else if (scope === 'project' && installed(env) === null)
    yield styled(
      'yellow',
      'warning: there is no vedit on the PATH, by which these settings start it: npm install -g versioned-edit',
    );
}

/** Sets what was given, or else asks once in each repository, where `mayAsk`. */
async function choosePrompts(call: Call<Options>, located: Located, mayAsk: boolean): Promise<void> {
  const given = call.options.prompts;
  const kept = given ?? (mayAsk && !(await isSet(call, located)) ? await asked(call) : undefined);
  if (kept === undefined) return;
  await withFolder({ ...call, options: {} }, ({ workspace }) => workspace.keepPrompts(kept));
  await call.terminal.tell(
    kept === 'off'
      ? 'prompts and commands are not kept (git config vedit.prompts off)'
      : `prompts and commands are kept in ${located.commonDir}/vedit/prompts for 30 days (git config vedit.prompts ${kept}); vedit gc --prompts forgets them`,
  );
}

async function isSet({ terminal }: Call<Options>, { config, root }: Located): Promise<boolean> {
  const { parseConfig } = await import('../../../workspace/opening/locate.ts');
  const { userConfig } = readUser(terminal.env, { config, root, parse: parseConfig });
  return [config, parseConfig(userConfig)].some(one => one.get('vedit.prompts') !== undefined);
}

/** They may hold secrets: the answer that is given by return alone keeps nothing. */
async function asked({ terminal }: Call<Options>): Promise<PromptsKept | undefined> {
  const typed = await terminal.askOn(
    'Keep what agents are asked, and the commands that they run, for vedit why? They stay in this clone, in no commit. [o]ff, [f]irst lines, [w]hole: [o] ',
  );
  if (typed === null) return undefined;
  return PROMPT_KINDS.find(kind => typed !== '' && kind.startsWith(typed.toLowerCase())) ?? 'off';
}
