/** The settings of a client with vedit in them, or without: texts in, texts out. */

import { EditError } from '../../../errors.ts';
import { HOOK_EVENTS, hookEntry, isOwnHook } from './claude-code.ts';
import { type ClientName, clientNamed, type StartCommand } from './clients.ts';
import { JsonSyntaxError } from './jsonc.ts';
import { JsonShapeError, valueAt, withAppended, without, withValue } from './jsonc-edit.ts';
import { TomlShapeError, withoutTable, withTable } from './toml-edit.ts';

/** The settings with the server in them. `text`: '' for a file that is not there. Throws INVALID_INPUT. */
export function withServer(client: ClientName, file: string, text: string, start: StartCommand): string {
  const { format, path, entry, fresh } = clientNamed(client);
  return readable(file, () => {
    if (format === 'toml') return withTable(text, path, entry(start));
    const base = text.trim() === '' && fresh ? `${JSON.stringify(fresh, null, 2)}\n` : text;
    return withValue(base, path, entry(start));
  });
}

/** The settings without it; the same where it is not there. Throws INVALID_INPUT. */
export function withoutServer(client: ClientName, file: string, text: string): string {
  const { format, path, fresh } = clientNamed(client);
  return readable(file, () => {
    if (format === 'toml') return withoutTable(text, path);
    const left = without(text, path);
    return left !== text && isOnly(left, fresh ?? {}) ? '' : left;
  });
}

/** The settings of Claude Code with its hooks in them. `command` starts them. Throws INVALID_INPUT. */
export function withHooks(file: string, text: string, command: string): string {
  return readable(file, () =>
    HOOK_EVENTS.reduce((settings, event) => {
      const path = ['hooks', event];
      const own = listAt(settings, path).filter(isOwnHook);
      const entry = hookEntry(command, event);
      if (own.length === 1 && JSON.stringify(own[0]) === JSON.stringify(entry)) return settings;
      return withAppended(withoutOwn(settings, path), path, entry);
    }, text),
  );
}

/** The settings without the hooks of vedit; those of others stay. Throws INVALID_INPUT. */
export function withoutHooks(file: string, text: string): string {
  return readable(file, () => {
    const settings = HOOK_EVENTS.reduce((left, event) => withoutOwn(left, ['hooks', event]), text);
    return settings !== text && isOnly(settings, {}) ? '' : settings;
  });
}

function withoutOwn(text: string, path: readonly string[]): string {
  const own = listAt(text, path).flatMap((one, index) => (isOwnHook(one) ? [index] : []));
  return own.reduceRight((settings, index) => without(settings, path, index), text);
}

function listAt(text: string, path: readonly string[]): readonly unknown[] {
  const list = valueAt(text, path);
  return Array.isArray(list) ? list : [];
}

/** True when nothing else stands in the file, so that it was made for vedit alone. */
function isOnly(text: string, value: object): boolean {
  const plain = text.replace(/\s/g, '');
  return plain === JSON.stringify(value) || plain === '{}';
}

/** What cannot be read, or not be edited, is left as it is. */
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
