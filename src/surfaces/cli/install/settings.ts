/**
 * The settings of a client with vedit in them, or without: texts in, texts out; `null` for a file that is not there. All throw
 * UneditableError for what cannot be edited.
 */

import type { Client } from './clients.ts';
import { nested, valueAt, withAppended, without, withValue } from './jsonc-edit.ts';
import { withoutTable, withTable } from './toml-edit.ts';

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
