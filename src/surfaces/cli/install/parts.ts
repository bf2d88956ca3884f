/** All that install puts into the settings of a client: each part with its file, its reason, and its way in and out. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EditError } from '../../../errors.ts';
import { SETS } from '../../../tools/toolset/words.ts';
import type { Client } from './clients.ts';
import { nested, UneditableError, valueAt, withAppended, without, withValue } from './jsonc-edit.ts';
import { checkSettings, readSettings, type SettingsFile } from './settings-file.ts';
import { hookCommand, isHookOf, isOwnFile, isRights, rightsCommand, serverStart, startBy } from './start.ts';
import { withoutTable, withTable } from './toml-edit.ts';

export interface Part {
  name: 'server' | 'hooks' | 'rights' | 'instructions' | 'skill';
  file: SettingsFile;
  /** The reason of the change, for the person who may refuse it. */
  why: string;
  /** The mode of a new file. */
  mode?: number;
  /** True for what is put in only when a person says so. */
  isAsked?: true;
  /** Returns the settings with the part in them. Throws as settings.ts. */
  put(text: string | null): string;
  /** The settings without it; `null`: no file. Throws as settings.ts. */
  take(text: string): string | null;
  /** Lists the hooks that stand there, or what `take` does not know of. Throws as settings.ts. */
  found?(text: string): readonly string[];
}

/** The settings that all have who work on a project, a person's own in it, or a person's own in all of theirs. */
export type Scope = 'project' | 'local' | 'user';

export interface Places {
  scope: Scope;
  /** Absolute: the top of the work tree, or the folder where there is none. */
  root: string;
  home: string;
  env: NodeJS.ProcessEnv;
}

export function homeOf({ HOME }: NodeJS.ProcessEnv): string {
  return HOME || homedir();
}

/** The two lines for AGENTS.md. */
export const INSTRUCTIONS = `Edit files with the tools of vedit where they are offered: each edit is checked, recorded with its reason, and can be undone.
Do not put back what a person rejected: vedit says so in its answers, with the reason.
`;

/** All parts for a client, those that a person may want too. `args`: what the server is started with. */
export function partsOf(client: Client, places: Places, args: readonly string[]): Part[] {
  const common = placed({ ...places, scope: 'project' }, 'AGENTS.md');
  return [
    serverPart(client, places, args),
    ...hookParts(client, places),
    ...rightsParts(client, places),
    ...(client.skills === undefined ? [] : [skillPart(client.skills, places)]),
    {
      name: 'instructions',
      file: common,
      why: 'models prefer their own tools where nobody tells them otherwise',
      isAsked: true,
      put: text => {
        if (text === null) return INSTRUCTIONS;
        return text.includes(INSTRUCTIONS) ? text : `${text}\n${INSTRUCTIONS}`;
      },
      take: text => (text === INSTRUCTIONS ? null : text.replace(`\n${INSTRUCTIONS}`, '')),
    },
  ];
}

/** True where the settings are no others' business: what stands in them may name a path. */
function isPrivate({ scope }: Places): boolean {
  return scope !== 'project';
}

function serverPart(client: Client, places: Places, args: readonly string[]): Part {
  const start = serverStart(startBy(isPrivate(places), places.env), args);
  const entry = client.entry?.(start, places.scope === 'user') ?? { ...start };
  const at = { ...client, path: pathOf(client, places) };
  return {
    name: 'server',
    file: serverFile(client, places),
    why: `the model is offered the tools of vedit${'alwaysLoad' in entry ? ', from the first turn on (alwaysLoad)' : ''}`,
    put: text => withServer(at, text, entry),
    take: text => withoutServer(at, text),
  };
}

/** A person's own server in a project stands below the path of that. */
function pathOf({ path = SERVERS }: Client, { scope, root }: Places): readonly string[] {
  return scope === 'local' ? ['projects', root, ...path] : path;
}

/** One file for all clients that read skills, kept as it is where somebody wrote another one. */
function skillPart(folder: string, places: Places): Part {
  const isSkill = (text: string): boolean => text.startsWith(SKILL.slice(0, SKILL.indexOf('description')));
  return {
    name: 'skill',
    file: placed(places, `${folder}/vedit/SKILL.md`),
    why: 'the model reads when to use vedit, and how, once it is about to',
    isAsked: true,
    put: text => (text === null || isSkill(text) ? SKILL : text),
    take: text => (isSkill(text) ? null : text),
  };
}

function hookParts(client: Client, places: Places): Part[] {
  const by = startBy(isPrivate(places), places.env);
  const { hooks, hookFiles = [] } = client;
  const why = 'what its own tools and its shell change is recorded as its own, and not as yours';
  const files = hookFiles.map(
    ({ project, user, text, mode }): Part => ({
      ...{ name: 'hooks', file: placed(places, project, user), why, mode },
      put: present => (present === null || isOwnFile(present) ? text(by) : present),
      take: present => (isOwnFile(present) ? null : present),
      found: present => (isOwnFile(present) ? [project.split('/').at(-1)!] : []),
    }),
  );
  if (!hooks) return files;
  const command = hookCommand(by, client.name);
  const entries = Object.entries(hooks.events).map(([event, tools]) => [event, hooks.entry(command, tools)]);
  const isOwn = (entry: unknown): boolean => isHookOf(client.name, entry);
  const listed = { entries: Object.fromEntries(entries), isOwn, fresh: hooks.fresh };
  return [listedPart('hooks', client, places, listed, why), ...files];
}

function rightsParts(client: Client, places: Places): Part[] {
  if (client.name === 'gemini' && places.scope === 'user') return [trustPart(client, places)];
  if (client.rightsEvent === undefined) return [];
  const entry = client.hooks!.entry(
    rightsCommand(startBy(isPrivate(places), places.env)),
    'mcp__(plugin_vedit_)?vedit__.*',
  );
  const listed = { entries: { [client.rightsEvent]: entry }, isOwn: isRights };
  const why =
    'the tools of vedit have the rights of the client’s own: reading is allowed, edits where you accept its edits, none while it plans';
  return [listedPart('rights', client, places, listed, why)];
}

function listedPart(
  name: Part['name'],
  { hooks, userFolder, local }: Client,
  places: Places,
  listed: Listed,
  why: string,
): Part {
  return {
    ...{ name, file: placed(places, hooks!.project, hooks!.user, userFolder, local), why },
    put: text => withHooks(listed, text),
    take: text => withoutHooks(listed, text),
    found: text => ownHooks(listed, text).map(({ event }) => event),
  };
}

/** Gemini CLI knows no rights by mode for tools of servers: it trusts those that are named, or asks before each call. */
function trustPart(client: Client, places: Places): Part {
  const entry = { trust: true, includeTools: SETS.standard };
  return {
    ...{ name: 'rights', file: serverFile(client, places), isAsked: true },
    why: 'trust: Gemini CLI asks no more before these tools of vedit, in any mode; it is all or nothing',
    put: text => withServer(client, text, entry),
    take: text => text,
    found: text => (/"trust":\s*true/.test(text) ? ['trust'] : []),
  };
}

function serverFile({ project, user, userFolder }: Client, places: Places): SettingsFile {
  const name = project.find(one => existsSync(join(places.root, one))) ?? project[0];
  const own: Places = places.scope === 'local' ? { ...places, scope: 'user' } : places;
  if (name === undefined) return placed({ ...places, scope: 'user' }, user!);
  return placed(own, name, user, userFolder);
}

/** Below the top of the work tree, or below the home of the user, or in the folder that a variable names. */
function placed(
  { scope, root, home, env }: Places,
  project: string,
  user: string = project,
  variable?: string,
  local: string = project,
): SettingsFile {
  const name = scope === 'local' ? local : project;
  if (scope !== 'user') return { path: join(root, name), name, within: root, mayLeave: false };
  const folder = variable && env[variable];
  if (!folder) return { path: join(home, user), name: `~/${user}`, within: home, mayLeave: true };
  const path = join(folder, user.slice(user.lastIndexOf('/') + 1));
  return { path, name: path, within: folder, mayLeave: true };
}

/** Lists what of a part stands in a text: the events of hooks, or the part's own name. Throws INVALID_INPUT. */
export function foundIn(part: Part, text: string): readonly string[] {
  return readable(part, () => part.found?.(text) ?? (part.take(text) === text ? [] : [part.name]));
}

/** Runs `work` on the text of the part's file. Throws INVALID_INPUT for one that cannot be read or edited. */
function readable<T>({ file }: Part, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error;
    const words = `${file.name} was left as it is: ${error.message}. Put that right, or put the entry in by hand.`;
    throw new EditError('INVALID_INPUT', words, { path: file.name }, { cause: error });
  }
}

/** A file of settings as it is, and as it shall be; `null`: not there. */
export interface Change {
  file: SettingsFile;
  before: string | null;
  after: string | null;
  mode: number | undefined;
  /** The parts that are put in or taken out. */
  parts: Part[];
  /** True where some part was there already; of a removal, where none was. */
  isDone: boolean;
}

/** Whether a part may go in or out, which would make this of its file. */
export type Consent = (part: Part, before: string | null, after: string | null) => Promise<boolean>;

/** Out they go in the other order: each leaves what it found. Throws INVALID_INPUT, STORE_FAILED, NOT_UTF8. */
export async function changesOf(parts: readonly Part[], remove: boolean, mayBe: Consent): Promise<Change[]> {
  const changes = new Map<string, Change>();
  for (const part of remove ? [...parts].reverse() : parts) {
    const { file, mode } = part;
    let change = changes.get(file.path);
    if (!change) {
      const before = await readSettings(file);
      change = { file, before, after: before, mode, parts: [], isDone: false };
      changes.set(file.path, change);
    }
    const present = change.after;
    const after = readable(part, () => {
      if (!remove) return part.put(present);
      return present === null ? null : part.take(present);
    });
    if (after === present) change.isDone ||= part.name === 'server' || !remove;
    if (after === present || !(await mayBe(part, present, after))) continue;
    change.after = after;
    change.parts.push(part);
  }
  const found = [...changes.values()];
  for (const { file, before, after } of found) if (before !== after) await checkSettings(file);
  return remove ? found.reverse() : found;
}

type Place = Pick<Client, 'format' | 'path' | 'fresh'>;

/** The way to the server, where a client has no other. */
export const SERVERS: readonly string[] = ['mcpServers', 'vedit'];

/** The settings with the server in them; what a person added to its entry stays. */
export function withServer(
  { format, path = SERVERS, fresh }: Place,
  text: string | null,
  entry: object,
): string {
  if (format === 'toml') return withTable(text, path, entry);
  if (text === null) return newFile(path, entry, fresh);
  const present = valueAt(text, path);
  return withValue(text, path, isObject(present) ? { ...present, ...entry } : entry);
}

/** The settings without it; the same where it is not there. */
export function withoutServer({ format, path = SERVERS, fresh }: Place, text: string): string | null {
  if (format === 'toml') return withoutTable(text, path);
  const value = valueAt(text, path);
  return value !== undefined && text === newFile(path, value, fresh) ? null : without(text, path);
}

/** Entries of lists below `hooks`, one for each event, and how ours are told from those of others. */
export interface Listed {
  entries: Readonly<Record<string, object>>;
  isOwn(entry: unknown): boolean;
  fresh?: object | undefined;
}

/** The settings with these hooks in them, each once. */
export function withHooks(listed: Listed, text: string | null): string {
  const { entries, fresh } = listed;
  if (text === null) return newHooks(Object.entries(entries), fresh);
  return Object.entries(entries).reduce((settings, [event, entry]) => {
    const own = ownHooks(listed, settings).filter(one => one.event === event);
    if (own.length === 1 && JSON.stringify(own[0]!.entry) === JSON.stringify(entry)) return settings;
    return withAppended(own.reduceRight(withoutHook, settings), ['hooks', event], entry);
  }, text);
}

/** Returns the settings without these hooks; those of others stay. */
export function withoutHooks(listed: Listed, text: string): string | null {
  const own = ownHooks(listed, text);
  const entries = own.map(({ event, entry }) => [event, entry] as const);
  if (own.length > 0 && text === newHooks(entries, listed.fresh)) return null;
  return own.reduceRight(withoutHook, text);
}

interface OwnHook {
  event: string;
  /** The hook's number in the list of the event. */
  at: number;
  entry: object;
}

function withoutHook(text: string, { event, at }: OwnHook): string {
  return without(text, ['hooks', event, at]);
}

/** Lists the own hooks that the settings have. */
export function ownHooks({ isOwn }: Pick<Listed, 'isOwn'>, text: string): OwnHook[] {
  const present = valueAt(text, ['hooks']);
  return Object.entries(isObject(present) ? present : {}).flatMap(([event, list]) =>
    Array.isArray(list) ? list.flatMap((entry, at) => (isOwn(entry) ? [{ event, at, entry }] : [])) : [],
  );
}

/** Writes what a person has besides after it, so that their own file with the same in it looks otherwise. */
function newFile(path: readonly string[], value: unknown, fresh: object = {}): string {
  return `${JSON.stringify({ ...(nested(path, value) as object), ...fresh }, null, 2)}\n`;
}

function newHooks(entries: ReadonlyArray<readonly [event: string, entry: object]>, fresh?: object): string {
  return newFile(['hooks'], Object.fromEntries(entries.map(([event, entry]) => [event, [entry]])), fresh);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The skill that clients read: when a model uses vedit, and how. The plugins hold the same text. */
export const SKILL = `---
name: vedit
description: Edit files so that each change is checked, recorded with its reason and can be undone; see who wrote a line and why. Use it where tools of vedit are offered or the project has a history of vedit, and when asked to undo, to explain a line, or about what a person rejected.
---

# vedit

1. Edit with the tools of vedit where they are offered: \`view\`, then \`str_replace\`, \`insert\`, \`create\` or \`apply_patch\`. Without them: \`vedit replace FILE OLD NEW -m REASON\`, \`vedit patch\`, \`vedit create\`.
2. Give each edit a reason: one line on why, which people read in \`vedit log\`.
3. A refusal says what the next call needs: more lines around the text, or the newer version. Do that, and do not write the file in another way.
4. \`REJECTED\` means that a person took these lines back. Do it otherwise, or ask them. Never put the lines back.
5. Something went wrong: \`undo\` takes your last edit back, also where others edited since. Never restore files by \`git checkout\` or \`git stash\`: that takes the work of others.
6. Whose a line is, and why it is so: \`vedit blame FILE\`, \`vedit why FILE LINE\`.
7. Commands that change many files: \`vedit run -m REASON COMMAND\`.
8. Do not commit, unless asked: the person reviews (\`vedit review\`) and lands (\`vedit land\`) what you did.
`;
