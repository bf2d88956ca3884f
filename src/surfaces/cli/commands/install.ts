import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROMPT_KINDS, type PromptsKept } from '../../../engine/origins/agent-events.ts';
import type { InstallOptions as Options, SettingsOptions } from '../../../table/programs.ts';
import { UsageError } from '../../../table/use.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import { jsonLine } from '../answer.ts';
import type { Call } from '../command.ts';
import { withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { CLIENT_NAMES, CLIENTS, type Client, clientsHere } from '../install/clients.ts';
import {
  type Change,
  type Consent,
  changesOf,
  homeOf,
  INSTRUCTIONS,
  type Part,
  partsOf,
  type Scope,
} from '../install/parts.ts';
import { writeSettings } from '../install/settings-file.ts';
import { installed, startBy } from '../install/start.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { readUser } from '../user.ts';
import { shownDiff } from '../views/shown-diff.ts';
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

/** Finds the client of this name; `undefined` for none given. Throws UsageError. */
export function clientNamed(name: string | undefined): Client | undefined {
  const client = CLIENTS.find(one => one.name === name);
  if (name === undefined || client) return client;
  throw new UsageError(`there are settings for ${CLIENT_NAMES.join(', ')}, not for ${JSON.stringify(name)}`);
}

/** Reads whose settings are meant; a client without settings of a project has only those of a user. Throws UsageError. */
export function scopeOf({ user, local }: SettingsOptions, client: Client): Scope {
  if (user && local) throw new UsageError('give --user for all projects, or --local for this one, not both');
  if (local && client.local === undefined)
    throw new UsageError(
      `${client.name} keeps no settings of one person for one project: give --user, or neither for the project’s`,
    );
  if (local) return 'local';
  return user || client.project.length === 0 ? 'user' : 'project';
}

export interface Settling {
  client: Client;
  scope: Scope;
  located: Located | null;
  /** The arguments that the server is started with. */
  args: readonly string[];
  remove: boolean;
  mayBe: Consent;
}

/** Writes the settings, unless it is a dry run, and answers. Throws as changesOf and writeSettings. */
export async function settle(call: Call<SettingsOptions>, how: Settling): Promise<readonly Change[]> {
  const { located, scope, remove } = how;
  const { env } = call.terminal;
  const root = topOf(call, located);
  const parts = partsOf(how.client, { scope, root, home: homeOf(env), env }, how.args);
  const changes = await changesOf(parts, remove, how.mayBe);
  if (!call.options.dryRun) {
    for (const { file, ...change } of changes)
      if (change.before !== change.after) await writeSettings(file, change);
    if (located) await engineFolder(located, remove);
  }
  return changes;
}

/** Absolute: the top of the work tree, or the folder where there is none. */
export function topOf({ folder }: Call<object>, located: Located | null): string {
  return located && !located.bare ? located.root : folder;
}

/** Without it the hooks pass over the repository; empty, it is of no more use. */
async function engineFolder({ commonDir }: Located, remove: boolean): Promise<void> {
  const folder = join(commonDir, 'vedit');
  await (remove ? rmdir(folder) : mkdir(folder, { recursive: true })).catch(() => {});
}

/** Tells what of the files changed. `wasShown`: a person saw each part as it was asked for. */
export async function tellChanges(
  call: Call<SettingsOptions>,
  { client, remove }: Settling,
  changes: readonly Change[],
  wasShown: boolean,
): Promise<void> {
  const { options, terminal } = call;
  const shown = await Promise.all(
    changes
      .filter(({ before, after, isDone }) => isDone || before !== after)
      .map(async ({ file: { name }, before, after, parts }) => ({
        file: name,
        changed: before !== after,
        diff: await diffOf(name, before, after),
        parts: parts.map(part => ({ name: part.name, why: part.why })),
      })),
  );
  const words = shown.map(({ file, changed }) => wordsOf({ ...options, remove }, file, changed));
  if (options.json) {
    const data = { client: client.name, removed: remove, dry_run: options.dryRun ?? false, files: shown };
    return terminal.print(jsonLine({ ok: true, message: words.join('\n'), data }));
  }
  for (const [n, { diff, parts }] of shown.entries()) {
    if (!wasShown) await terminal.print(await shownDiff(diff, terminal));
    if (!wasShown && !remove)
      for (const { name, why } of parts) await tellOf(call, client, `${name}: ${why}`);
    await tellOf(call, client, words[n]!);
  }
}

/** Shows what a part would change, with its reason. */
export async function showPart(
  call: Call<SettingsOptions>,
  client: Client,
  part: Part,
  before: string | null,
  after: string | null,
): Promise<void> {
  await call.terminal.print(await shownDiff(await diffOf(part.file.name, before, after), call.terminal));
  await tellOf(call, client, `${part.name}: ${part.why}`);
}

async function tellOf({ terminal }: Call<object>, client: Client, words: string): Promise<void> {
  await terminal.tell(styled('bold', `[${client.name}]`), ` ${words}`);
}

async function diffOf(name: string, oldText: string | null, newText: string | null): Promise<string> {
  const { unifiedDiff } = await import('../../../text/diff/diff.ts');
  return oldText === newText ? '' : unifiedDiff({ oldPath: name, newPath: name, oldText, newText }).text;
}

function wordsOf(
  { remove, dryRun }: SettingsOptions & { remove: boolean },
  file: string,
  changed: boolean,
): string {
  if (!changed) return remove ? `vedit is not in ${file}` : `vedit is in ${file} already`;
  if (dryRun) return `${file} would be changed; nothing written`;
  return remove ? `taken out of ${file}` : `put into ${file}, which is read when the client starts next`;
}

export async function uninstall(call: Call<SettingsOptions>): Promise<number> {
  const named = clientNamed(call.args[0]);
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const located = await locateRepository(call.folder).catch(() => null);
  const all = CLIENTS.filter(one => !call.options.local || one.local !== undefined);
  for (const client of named ? [named] : all) {
    const scope = scopeOf(call.options, client);
    const how: Settling = { client, scope, located, args: ['mcp'], remove: true, mayBe: async () => true };
    await tellChanges(call, how, await settle(call, how), false);
  }
  return EXIT.done;
}
