/** All that install puts into the settings of a client: each part with its file, its reason, and its way in and out. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { EditError } from '../../../errors.ts';
import { SETS } from '../../../tools/toolset/words.ts';
import type { Client } from './clients.ts';
import { isHookOf, isOwnFile, isRights } from './hooks.ts';
import { UneditableError } from './jsonc-edit.ts';
import {
  type Listed,
  ownHooks,
  SERVERS,
  withHooks,
  withoutHooks,
  withoutServer,
  withServer,
} from './settings.ts';
import { checkSettings, readSettings, type SettingsFile } from './settings-file.ts';
import { SKILL } from './skill.ts';
import { hookCommand, rightsCommand, serverStart, startBy } from './start.ts';

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
