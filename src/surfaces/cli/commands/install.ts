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
  for (const one of clients) await new Settling(call, one, located).install();
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
function clientNamed(name: string | undefined): Client | undefined {
  const client = CLIENTS.find(one => one.name === name);
  if (name === undefined || client) return client;
  throw new UsageError(`there are settings for ${CLIENT_NAMES.join(', ')}, not for ${JSON.stringify(name)}`);
}

/** Reads whose settings are meant; a client without settings of a project has only those of a user. Throws UsageError. */
function scopeOf({ user, local }: SettingsOptions, client: Client): Scope {
  if (user && local) throw new UsageError('give --user for all projects, or --local for this one, not both');
  if (local && client.local === undefined)
    throw new UsageError(
      `${client.name} keeps no settings of one person for one project: give --user, or neither for the project’s`,
    );
  if (local) return 'local';
  return user || client.project.length === 0 ? 'user' : 'project';
}

/** The settings of one client, into which vedit is put, or out of which it is taken. Both throw as changesOf and writeSettings. */
class Settling {
  readonly #call: Call<Options>;
  readonly #client: Client;
  readonly #scope: Scope;
  readonly #located: Located | null;
  /** Absolute: the top of the work tree, or the folder where there is none. */
  readonly #root: string;

  constructor(call: Call<Options>, client: Client, located: Located | null) {
    this.#call = call;
    this.#client = client;
    this.#scope = scopeOf(call.options, client);
    this.#located = located;
    this.#root = located && !located.bare ? located.root : call.folder;
  }

  async install(): Promise<void> {
    const { options, terminal } = this.#call;
    const args = startArguments(this.#call, this.#client);
    const changes = await this.#settle(args, false, (...one) => this.#mayBe(...one));
    await this.#tellChanges(changes, false, canAsk(this.#call) && !options.dryRun);
    if (options.json) return;
    const isChanged = changes.some(({ before, after }) => before !== after);
    for (const note of this.#notes(isChanged)) await terminal.tell(note);
  }

  async uninstall(): Promise<void> {
    await this.#tellChanges(await this.#settle(['mcp'], true, async () => true), true, false);
  }

  /** Writes the settings, unless it is a dry run. `args`: what the server is started with. */
  async #settle(args: readonly string[], remove: boolean, mayBe: Consent): Promise<readonly Change[]> {
    const { options, terminal } = this.#call;
    const { env } = terminal;
    const places = { scope: this.#scope, root: this.#root, home: homeOf(env), env };
    const changes = await changesOf(partsOf(this.#client, places, args), remove, mayBe);
    if (options.dryRun) return changes;
    for (const { file, ...change } of changes)
      if (change.before !== change.after) await writeSettings(file, change);
    // Without it the hooks pass over the repository; empty, it is of no more use.
    const folder = this.#located && join(this.#located.commonDir, 'vedit');
    if (folder) await (remove ? rmdir(folder) : mkdir(folder, { recursive: true })).catch(() => {});
    return changes;
  }

  /** Shows a part with its reason, and asks where a person can answer. */
  async #mayBe(part: Part, before: string | null, after: string | null): Promise<boolean> {
    const { options, terminal } = this.#call;
    const { name, isAsked = false, file } = part;
    if ((name === 'hooks' || name === 'rights') && options[name] === false) return false;
    const isByOption = name === 'instructions' || name === 'skill';
    if (isByOption && !options[name]) return false;
    const isNamed = isByOption || options.trust === true;
    if (options.dryRun || !canAsk(this.#call)) return !isAsked || isNamed;
    await terminal.print(await shownDiff(await diffOf(file.name, before, after), terminal));
    await this.#tell(`${name}: ${part.why}`);
    if (isAsked && isNamed) return true;
    return terminal.confirm(isAsked ? 'Write it? [y/N] ' : 'Write it? [Y/n] ', !isAsked);
  }

  /** Yields what a person has to know or to do besides. */
  *#notes(isChanged: boolean): Generator<Piece> {
    const { folder, options, terminal } = this.#call;
    const { name, consent, local } = this.#client;
    const [scope, root] = [this.#scope, this.#root];
    if (isChanged && scope === 'project' && consent !== undefined) yield `note: ${consent}`;
    if (name === 'codex' && isChanged && options.hooks !== false)
      yield 'note: Codex runs hooks only after you trusted them there: /hooks';
    if (scope !== 'user' && name === 'claude-code' && folder !== root)
      yield `note: Claude Code reads these settings only when it is started in ${root}; for every folder: vedit install claude-code --user`;
    if (!this.#located)
      yield 'note: this folder is in no git repository: nothing is recorded here before git init';
    if (isChanged && scope === 'local')
      yield `note: ${local} is yours alone: where .gitignore does not name it, git add takes it along`;
    if (isChanged && !options.instructions)
      yield `note: for AGENTS.md, if you like (--instructions writes it):\n${INSTRUCTIONS}`;
    if (startBy(scope !== 'project', terminal.env) === 'npx')
      yield 'note: these settings start vedit by npx, which takes half a second at each hook; at once: npm install -g versioned-edit';
    else if (scope === 'project' && installed(terminal.env) === null)
      yield styled(
        'yellow',
        'warning: there is no vedit on the PATH, by which these settings start it: npm install -g versioned-edit',
      );
  }

  /** Tells what of the files changed. `wasShown`: a person saw each part as it was asked for. */
  async #tellChanges(changes: readonly Change[], remove: boolean, wasShown: boolean): Promise<void> {
    const { options, terminal } = this.#call;
    const told = changes.filter(({ before, after, isDone }) => isDone || before !== after);
    const shown = await Promise.all(
      told.map(async ({ file: { name }, before, after, parts }) => ({
        file: name,
        changed: before !== after,
        diff: await diffOf(name, before, after),
        parts: parts.map(part => ({ name: part.name, why: part.why })),
      })),
    );
    const words = shown.map(({ file, changed }) => wordsOf({ ...options, remove }, file, changed));
    if (options.json) {
      const about = { client: this.#client.name, removed: remove, dry_run: options.dryRun ?? false };
      const data = { ...about, files: shown };
      return terminal.print(jsonLine({ ok: true, message: words.join('\n'), data }));
    }
    for (const [n, { diff, parts }] of shown.entries()) {
      if (!wasShown) await terminal.print(await shownDiff(diff, terminal));
      for (const { name, why } of wasShown || remove ? [] : parts) await this.#tell(`${name}: ${why}`);
      await this.#tell(words[n]!);
    }
  }

  async #tell(words: string): Promise<void> {
    await this.#call.terminal.tell(styled('bold', `[${this.#client.name}]`), ` ${words}`);
  }
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
  for (const client of named ? [named] : all) await new Settling(call, client, located).uninstall();
  return EXIT.done;
}
