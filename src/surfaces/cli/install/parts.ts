/** All that install puts into the settings of a client: each part with its file, its reason, and its way in and out. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EditError } from '../../../errors.ts';
import { SETS } from '../../../tools/toolset/set-names.ts';
import {
  type ClientName,
  clientNamed,
  type HookClient,
  hookEntries,
  isHooked,
  type StartCommand,
} from './clients.ts';
import { hookCommand, hookFiles, isHookOf, isOwnFile, isRights, rightsCommand } from './hooks.ts';
import { JsonShapeError, JsonSyntaxError } from './jsonc-edit.ts';
import {
  type Listed,
  ownHooks,
  withHooks,
  withLines,
  withoutHooks,
  withoutLines,
  withoutServer,
  withServer,
} from './settings.ts';
import { checkSettings, readSettings, type SettingsFile, writeSettings } from './settings-file.ts';
import { TomlShapeError } from './toml-edit.ts';

export interface Part {
  name: 'server' | 'hooks' | 'rights' | 'instructions';
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

export interface Places {
  isUser: boolean;
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

/** All parts for a client, those that a person may want too. `start` starts the server. */
export function partsOf(client: ClientName, places: Places, start: StartCommand): Part[] {
  return [
    serverPart(client, places, start),
    ...(isHooked(client) ? hookParts(client, places) : []),
    ...rightsParts(client, places),
    {
      name: 'instructions',
      file: placed({ ...places, isUser: false }, 'AGENTS.md', ''),
      why: 'models prefer their own tools where nobody tells them otherwise',
      isAsked: true,
      put: text => withLines(INSTRUCTIONS, text),
      take: text => withoutLines(INSTRUCTIONS, text),
    },
  ];
}

function serverPart(name: ClientName, places: Places, start: StartCommand): Part {
  const client = clientNamed(name);
  const entry = client.entry(start, places.isUser);
  return {
    name: 'server',
    file: serverFile(name, places),
    why: `the model is offered the tools of vedit${'alwaysLoad' in entry ? ', from the first turn on (alwaysLoad)' : ''}`,
    put: text => withServer(client, text, entry),
    take: text => withoutServer(client, text),
  };
}

function hookParts(client: HookClient, places: Places): Part[] {
  const { isUser } = places;
  const why = 'what its own tools and its shell change is recorded as its own, and not as yours';
  const files = hookFiles(client).map(
    ({ project, user, text, mode }): Part => ({
      ...{ name: 'hooks', file: placed(places, project, user), why, mode },
      put: present => (present === null || isOwnFile(present) ? text(isUser) : present),
      take: present => (isOwnFile(present) ? null : present),
      found: present => (isOwnFile(present) ? [project.split('/').at(-1)!] : []),
    }),
  );
  const { hooks } = clientNamed(client);
  if (!hooks) return files;
  const entries = hookEntries(hooks, hookCommand(isUser, client));
  const own = { entries, isOwn: (entry: unknown) => isHookOf(client, entry), fresh: hooks.fresh };
  return [listedPart('hooks', client, places, own, why), ...files];
}

function rightsParts(client: ClientName, places: Places): Part[] {
  if (client === 'gemini' && places.isUser) return [trustPart(places)];
  if (client !== 'claude-code' && client !== 'qwen') return [];
  // It answers by the client's mode which tools may be used; Qwen Code lets a hook say yes only where it would ask.
  const event = client === 'qwen' ? 'PermissionRequest' : 'PreToolUse';
  const tools = 'mcp__(plugin_vedit_)?vedit__.*';
  const entry = clientNamed(client).hooks!.entry(rightsCommand(places.isUser), tools);
  const listed = { entries: { [event]: entry }, isOwn: isRights };
  const why =
    'the tools of vedit have the rights of the client’s own: reading is allowed, edits where you accept its edits, none while it plans';
  return [listedPart('rights', client, places, listed, why)];
}

function listedPart(
  name: Part['name'],
  client: HookClient,
  places: Places,
  listed: Listed,
  why: string,
): Part {
  const { userFolder, hooks } = clientNamed(client);
  return {
    ...{ name, file: placed(places, hooks!.project, hooks!.user, userFolder), why },
    put: text => withHooks(listed, text),
    take: text => withoutHooks(listed, text),
    found: text => ownHooks(listed, text).map(({ event }) => event),
  };
}

/** Gemini CLI knows no rights by mode for tools of servers: it trusts those that are named, or asks before each call. */
function trustPart(places: Places): Part {
  const entry = { trust: true, includeTools: SETS.standard };
  return {
    ...{ name: 'rights', file: serverFile('gemini', places), isAsked: true },
    why: 'trust: Gemini CLI asks no more before these tools of vedit, in any mode; it is all or nothing',
    put: text => withServer(clientNamed('gemini'), text, entry),
    take: text => text,
    found: text => (/"trust":\s*true/.test(text) ? ['trust'] : []),
  };
}

function serverFile(client: ClientName, places: Places): SettingsFile {
  const { project: usual, projectAlso, user, userFolder } = clientNamed(client);
  const project = projectAlso.find(name => existsSync(join(places.root, name))) ?? usual;
  const name = typeof user === 'string' ? user : user[platform()];
  return placed(project === null ? { ...places, isUser: true } : places, project ?? '', name, userFolder);
}

function platform(): 'linux' | 'darwin' | 'win32' {
  return process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux';
}

/** Below the top of the work tree, or below the home of the user, or in the folder that a variable names. */
function placed(
  { isUser, root, home, env }: Places,
  project: string,
  user: string,
  variable?: string,
): SettingsFile {
  if (!isUser) return { path: join(root, project), name: project, within: root, mayLeave: false };
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
    const isKnown = [JsonSyntaxError, JsonShapeError, TomlShapeError].some(kind => error instanceof kind);
    if (!isKnown) throw error;
    const { message } = error as Error;
    const words = `${file.name} was left as it is: ${message}. Put that right, or put the entry in by hand.`;
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

export async function writeChanges(changes: readonly Change[]): Promise<void> {
  for (const { file, ...change } of changes)
    if (change.before !== change.after) await writeSettings(file, change);
}
