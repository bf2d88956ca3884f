/** The settings of a client with vedit in them, or without: texts in, texts out; `null` for a file that is not there. */

import { EditError } from '../../../errors.ts';
import type { Client } from './clients.ts';
import { JsonSyntaxError } from './jsonc.ts';
import { type JsonPath, JsonShapeError, valueAt, withAppended, without, withValue } from './jsonc-edit.ts';
import { TomlShapeError, withoutTable, withTable } from './toml-edit.ts';

/** The settings with the server in them; what a person added to its entry stays. Throws INVALID_INPUT. */
export function withServer(
  { format, path, fresh }: Client,
  file: string,
  text: string | null,
  entry: object,
): string {
  return readable(file, () => {
    if (format === 'toml') return withTable(text, path, entry);
    if (text === null) return newFile(path, entry, fresh);
    const present = valueAt(text, path);
    return withValue(text, path, isObject(present) ? { ...present, ...entry } : entry);
  });
}

/** The settings without it; the same where it is not there. Throws INVALID_INPUT. */
export function withoutServer({ format, path, fresh }: Client, file: string, text: string): string | null {
  return readable(file, () => {
    if (format === 'toml') return withoutTable(text, path);
    const value = valueAt(text, path);
    return value !== undefined && text === newFile(path, value, fresh) ? null : without(text, path);
  });
}

/** Entries of lists below `hooks`, one for each event, and how ours are told from those of others. */
export interface Listed {
  entries: Readonly<Record<string, object>>;
  isOwn(entry: unknown): boolean;
  fresh?: object | undefined;
}

/** The settings with these hooks in them, each once. Throws INVALID_INPUT. */
export function withHooks(listed: Listed, file: string, text: string | null): string {
  const { entries, isOwn, fresh } = listed;
  return readable(file, () => {
    if (text === null) return newHooks(entries, fresh);
    return Object.entries(entries).reduce((settings, [event, entry]) => {
      const path = ['hooks', event];
      const own = listAt(settings, path).filter(isOwn);
      if (own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(entry)) return settings;
      return withAppended(withoutOwn(settings, path, isOwn), path, entry);
    }, text);
  });
}

/** The settings without them; those of others stay. Throws INVALID_INPUT. */
export function withoutHooks(listed: Listed, file: string, text: string): string | null {
  const { isOwn, fresh } = listed;
  return readable(file, () => {
    const present = valueAt(text, ['hooks']);
    const lists = Object.entries(isObject(present) ? present : {});
    const own = lists.flatMap(([event, list]) =>
      Array.isArray(list) && list.length === 1 && isOwn(list[0]) ? [[event, list[0]] as const] : [],
    );
    if (own.length > 0 && text === newHooks(Object.fromEntries(own), fresh)) return null;
    return lists.reduceRight((left, [event]) => withoutOwn(left, ['hooks', event], isOwn), text);
  });
}

/** True when these hooks, or some of them, stand there. Throws INVALID_INPUT. */
export function ownHooks({ isOwn }: Pick<Listed, 'isOwn'>, file: string, text: string): string[] {
  return readable(file, () => {
    const present = valueAt(text, ['hooks']);
    return Object.entries(isObject(present) ? present : {}).flatMap(([event, list]) =>
      Array.isArray(list) ? list.filter(isOwn).map(() => event) : [],
    );
  });
}

/** The two lines in a file of instructions, after what stands there. */
export function withLines(lines: string, text: string | null): string {
  if (text === null) return lines;
  return text.includes(lines) ? text : `${text}\n${lines}`;
}

/** The text without them. */
export function withoutLines(lines: string, text: string): string | null {
  if (text === lines) return null;
  const at = text.indexOf(`\n${lines}`);
  return at < 0 ? text : text.slice(0, at) + text.slice(at + 1 + lines.length);
}

/** Writes what a person has besides after it, so that their own file with the same in it looks otherwise. */
function newFile(path: JsonPath, value: unknown, fresh: object = {}): string {
  const [top, ...rest] = path;
  const inner = rest.reduceRight<unknown>((below, key) => ({ [key]: below }), value);
  return `${JSON.stringify({ [top!]: inner, ...fresh }, null, 2)}\n`;
}

/** A file with these hooks alone. */
export function newHooks(entries: Readonly<Record<string, object>>, fresh: object = {}): string {
  const lists = Object.fromEntries(Object.entries(entries).map(([event, entry]) => [event, [entry]]));
  return newFile(['hooks'], lists, fresh);
}

function withoutOwn(text: string, path: readonly string[], isOwn: (entry: unknown) => boolean): string {
  const own = listAt(text, path).flatMap((one, index) => (isOwn(one) ? [index] : []));
  return own.reduceRight((settings, index) => without(settings, path, index), text);
}

function listAt(text: string, path: readonly string[]): readonly unknown[] {
  const list = valueAt(text, path);
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses, in words, a file that cannot be read or edited. */
function readable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isKnown = [JsonSyntaxError, JsonShapeError, TomlShapeError].some(kind => error instanceof kind);
    if (!isKnown) throw error;
    const message = `${file} was left as it is: ${(error as Error).message}. Put that right, or put the entry in by hand.`;
    throw new EditError('INVALID_INPUT', message, { path: file }, { cause: error });
  }
}
