/** Plans the change of each file of settings: all are worked out before one is written. */

import type { Part } from './parts.ts';
import { checkSettings, readSettings, type SettingsFile, writeSettings } from './settings-file.ts';

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
    const after = remove ? taken(part, change.after) : part.put(change.after);
    if (after === change.after) change.isDone ||= part.name === 'server' || !remove;
    if (after === change.after || !(await mayBe(part, change.after, after))) continue;
    change.after = after;
    change.parts.push(part);
  }
  const found = [...changes.values()];
  for (const { file, before, after } of found) if (before !== after) await checkSettings(file);
  return remove ? found.reverse() : found;
}

function taken(part: Part, text: string | null): string | null {
  return text === null ? null : part.take(text);
}

/** Throws as `writeSettings`. */
export async function writeChanges(changes: readonly Change[]): Promise<void> {
  for (const { file, ...change } of changes)
    if (change.before !== change.after) await writeSettings(file, change);
}
