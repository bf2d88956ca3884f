import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROMPT_KINDS, type PromptsKept } from '../../../engine/origins/agent-events.ts';
import type { InstallOptions as Options } from '../../../table/programs.ts';
import { UsageError } from '../../../table/usage.ts';
import type { Located } from '../../../workspace/opening/locate.ts';
import type { Call } from '../command.ts';
import { withFolder } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { CLIENT_NAMES, CLIENTS, type Client, clientsHere } from '../install/clients.ts';
import { type Change, changesOf, homeOf, INSTRUCTIONS, type Part, partsOf } from '../install/parts.ts';
import { writeSettings } from '../install/settings-file.ts';
import { onPath } from '../terminal/programs.ts';
import { type Piece, styled } from '../terminal/style.ts';
import { readUser } from '../user.ts';
import { jsonLine } from '../views/answer.ts';
import { shownDiff } from '../views/shown-diff.ts';
import { startArguments } from './mcp.ts';

export async function run(call: Call<Options>): Promise<number> {
  const [name] = call.args;
  const client = CLIENTS.find(one => one.name === name);
  if (name !== undefined && !client)
    throw new UsageError(
      `there are settings for ${CLIENT_NAMES.join(', ')}, not for ${JSON.stringify(name)}`,
    );
  checkOptions(call.options, client);
  const { locateRepository } = await import('../../../workspace/opening/locate.ts');
  const located = await locateRepository(call.folder).catch(() => null);
  const clients = client ? [client] : await chosen(call);
  for (const one of clients) await installOne(call, one, located);
  const { remove, dryRun, hooks } = call.options;
  const hasHooks = hooks !== false && clients.some(one => one.hooks ?? one.hookFiles);
  if (located && !remove && !dryRun) await choosePrompts(call, located, hasHooks && canAsk(call));
  return EXIT.done;
}

/** Throws UsageError. */
function checkOptions(options: Options, client: Client | undefined): void {
  const { root, trust, user } = options;
  if (root !== undefined && !(client ? isOfUser(options, client) : user))
    throw new UsageError(
      'settings of a project name no folder of this machine: leave --root out, or give --user',
    );
  if (trust && !(user && client?.name === 'gemini'))
    throw new UsageError(
      '--trust goes into your own settings of Gemini CLI: vedit install gemini --user --trust',
    );
}

/** True where the settings of a user are meant, or a client has no others. */
function isOfUser({ user }: Options, client: Client): boolean {
  return user === true || client.project.length === 0;
}

/** The clients that are here and are wanted. Throws UsageError where nobody can be asked. */
async function chosen(call: Call<Options>): Promise<Client[]> {
  const { options, terminal } = call;
  if (options.remove) return [...CLIENTS];
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
  const { options, terminal, folder } = call;
  const remove = options.remove === true;
  const isUser = isOfUser(options, client);
  const root = located && !located.bare ? located.root : folder;
  const args = startArguments(call, client);
  // All who work on a project have its name in common; a client of a user may have another PATH.
  const start = isUser
    ? { command: process.execPath, args: [process.argv[1]!, ...args] }
    : { command: 'vedit', args };
  const parts = partsOf(client, { isUser, root, home: homeOf(terminal.env), env: terminal.env }, start);
  const changes = await changesOf(parts, remove, (...one) => mayBe(call, client, ...one));
  if (!options.dryRun) {
    for (const { file, ...change } of changes)
      if (change.before !== change.after) await writeSettings(file, change);
    if (located) await engineFolder(located, remove);
  }
  await answer(call, client, changes);
  if (options.json || remove) return;
  const isChanged = changes.some(({ before, after }) => before !== after);
  for (const note of notes(call, client, { isChanged, isUser, located, root })) await terminal.tell(note);
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
  if (options.remove) return true;
  if ((part.name === 'hooks' || part.name === 'rights') && options[part.name] === false) return false;
  if (part.name === 'instructions' && !options.instructions) return false;
  const isNamed = part.name === 'instructions' || options.trust === true;
  if (options.dryRun || !canAsk(call)) return !part.isAsked || isNamed;
  await terminal.print(await shownDiff(await diffOf(part.file.name, before, after), terminal));
  await tellOf(call, client, `${part.name}: ${part.why}`);
  if (part.isAsked && isNamed) return true;
  return terminal.confirm(part.isAsked ? 'Write it? [y/N] ' : 'Write it? [Y/n] ', !part.isAsked);
}

async function tellOf({ terminal }: Call<Options>, client: Client, words: string): Promise<void> {
  await terminal.tell(styled('bold', `[${client.name}]`), ` ${words}`);
}

async function diffOf(name: string, oldText: string | null, newText: string | null): Promise<string> {
  const { unifiedDiff } = await import('../../../text/diff/diff.ts');
  return oldText === newText ? '' : unifiedDiff({ oldPath: name, newPath: name, oldText, newText }).text;
}

/** Without it the hooks pass over the repository; empty, it is of no more use. */
async function engineFolder({ commonDir }: Located, remove: boolean): Promise<void> {
  const folder = join(commonDir, 'vedit');
  await (remove ? rmdir(folder) : mkdir(folder, { recursive: true })).catch(() => {});
}

async function answer(call: Call<Options>, client: Client, changes: readonly Change[]): Promise<void> {
  const { options, terminal } = call;
  const { remove = false, dryRun = false, json, yes } = options;
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
  const words = shown.map(({ file, changed }) => wordsOf(options, file, changed));
  if (json) {
    const data = { client: client.name, removed: remove, dry_run: dryRun, files: shown };
    return terminal.print(jsonLine({ ok: true, message: words.join('\n'), data }));
  }
  const wasAsked = terminal.canAsk && !yes && !dryRun && !remove;
  for (const [n, { diff, parts }] of shown.entries()) {
    if (!wasAsked) await terminal.print(await shownDiff(diff, terminal));
    if (!wasAsked && !remove)
      for (const { name, why } of parts) await tellOf(call, client, `${name}: ${why}`);
    await tellOf(call, client, words[n]!);
  }
}

function wordsOf({ remove, dryRun }: Options, file: string, changed: boolean): string {
  if (!changed) return remove ? `vedit is not in ${file}` : `vedit is in ${file} already`;
  if (dryRun) return `${file} would be changed; nothing written`;
  return remove ? `taken out of ${file}` : `put into ${file}, which is read when the client starts next`;
}

/** Yields what a person has to know or to do besides. */
function* notes(
  { folder, terminal, options }: Call<Options>,
  client: Client,
  where: { isChanged: boolean; isUser: boolean; located: Located | null; root: string },
): Generator<Piece> {
  const { isChanged, isUser, located, root } = where;
  if (isChanged && !isUser && client.consent !== undefined) yield `note: ${client.consent}`;
  if (client.name === 'codex' && isChanged && options.hooks !== false)
    yield 'note: Codex runs hooks only after you trusted them there: /hooks';
  if (!isUser && client.name === 'claude-code' && folder !== root)
    yield `note: Claude Code reads these settings only when it is started in ${root}; for every folder: vedit install claude-code --user`;
  if (!located) yield 'note: this folder is in no git repository: nothing is recorded here before git init';
  if (isChanged && !options.instructions)
    yield `note: for AGENTS.md, if you like (--instructions writes it):\n${INSTRUCTIONS}`;
  if (!isUser && onPath('vedit', terminal.env) === null)
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
