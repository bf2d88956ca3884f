/**
 * Notes what could not be finished when the ref had moved, or lies in a work tree that is not seen: it is set aside for
 * its paths alone. A note for each, `vedit/aside/<name of the record>.<n>.json`, says what the files shall hold. It is
 * a note and no record: to repeat it harms nobody.
 */

import { fromLatin1, latin1 } from '../../../bytes.ts';
import { EditError } from '../../../errors.ts';
import { ensureFolder, parentOf, removeIfThere, replaceFile, syncFolder } from '../../../fs/durable.ts';
import { failureWords, systemWords } from '../../../fs/failures.ts';
import { type Fs, systemCode } from '../../../fs/fs.ts';
import type { LooseObject } from '../../../git/objects/loose.ts';
import { isOid } from '../../../git/objects/object.ts';
import { isTreePath } from '../../../stores/paths.ts';
import { pathName } from '../../../wording.ts';
import { damaged } from '../journal/frames.ts';
import { type ChangeRecord, checkedRecord } from '../journal/record.ts';

/** The engine's folder, where the notes are. */
export interface Home {
  readonly fs: Fs;
  readonly folder: string;
}

export interface Note {
  /** The records of the paths, oldest first: all of one work tree and workspace folder. The last one is of `ref`. */
  records: ChangeRecord[];
  ref: string;
  /** Paths that wait, as the store names them. */
  paths: string[];
  /** The cause that stood in the way, in words, and its code. */
  why: string;
  cause: string;
  /** ISO 8601. */
  since: string;
  /** Contents that git has not, by id: deflated, as base64. */
  exact: [oid: string, deflated: string][];
}

export interface KeptNote extends Note {
  file: string;
}

export interface Left {
  records: readonly ChangeRecord[];
  /** By path of the store, what stood in the way. */
  paths: ReadonlyMap<string, unknown>;
  objects: readonly LooseObject[];
}

export function asideFolder({ folder }: Pick<Home, 'folder'>): string {
  return `${folder}/aside`;
}

/**
 * Writes the notes durably, one for each ref. Throws STORE_FAILED, with both causes: then what they are about is not set aside;
 * and CORRUPT for a path that no record names.
 */
export async function setAside(
  context: Home & { now(): Date },
  { records, paths, objects }: Left,
): Promise<Note[]> {
  const byRef = new Map<string, string[]>();
  for (const path of paths.keys()) {
    const record = records.findLast(one => holds(one, path));
    if (!record) throw damaged('*');
    const { ref } = record;
    byRef.set(ref, [...(byRef.get(ref) ?? []), path]);
  }
  const exact = new Set(records.flatMap(one => one.exact));
  const notes: KeptNote[] = [];
  for (const [ref, some] of byRef) {
    const own = records.filter(one => some.some(path => holds(one, path)));
    const note = {
      file: `${own.at(-1)!.name}.${notes.length}.json`,
      records: own,
      ref,
      paths: some,
      ...reasonOf(paths.get(some[0]!)),
      since: context.now().toISOString(),
      exact: objects
        .filter(one => exact.has(one.oid))
        .map(one => [one.oid, btoa(latin1(one.deflated))] satisfies [string, string]),
    };
    try {
      await writeNote(context, note);
    } catch (failure) {
      const { cause } = reasonOf(failure);
      // Nothing may be appended after a record that is neither finished nor noted, so the words say what everybody waits for.
      const message = `${some.map(path => pathName(path)).join(', ')} could not be put in place (${note.why}), and no note of that can be written (${failureWords(failure)}). The edit is in history, and until one of the two works again no other is made in this repository. Remove either cause; the next call finishes it.`;
      throw new EditError(
        'STORE_FAILED',
        message,
        { path: some[0]!, paths: some, cause },
        { cause: failure },
      );
    }
    notes.push(note);
  }
  return notes;
}

/** Returns the words and the code of a failure. */
export function reasonOf(error: unknown): Pick<Note, 'why' | 'cause'> {
  const cause = systemCode(error) ?? (error instanceof EditError ? String(error.data.cause) : 'unseen');
  const isSystem = systemCode({ code: cause }) !== undefined;
  const words = typeof error === 'string' ? error : isSystem ? systemWords(cause) : failureWords(error);
  return { why: words.slice(0, LONGEST), cause: cause.slice(0, LONGEST) };
}

/** Characters of a reason: a store's own words may go on. */
const LONGEST = 400;

function holds({ prefix, paths }: ChangeRecord, path: string): boolean {
  return paths.some(one => one.path === prefix + path);
}

/** Writes a note durably, replacing one of the same name. */
export async function writeNote(context: Home, note: KeptNote): Promise<void> {
  const { fs } = context;
  const { file, ...rest } = note;
  const folder = asideFolder(context);
  const made = await ensureFolder(fs, folder);
  const draft = `${folder}/${file}.draft`;
  await removeIfThere(fs, draft);
  await replaceFile(fs, `${folder}/${file}`, new TextEncoder().encode(JSON.stringify(rest)), draft);
  for (const one of [folder, ...made.map(parentOf)]) await syncFolder(fs, one);
}

/** Removes a note whose cause is gone, durably. */
export async function endNote(context: Home, { file }: KeptNote): Promise<void> {
  await removeIfThere(context.fs, `${asideFolder(context)}/${file}`);
  await syncFolder(context.fs, asideFolder(context));
  // Where it was the last one.
  await context.fs.rmdir(asideFolder(context)).catch(() => {});
}

/** The note in a file; `null` where the engine did not write it. */
export function parseNote(file: string, bytes: Uint8Array): KeptNote | null {
  try {
    const note = JSON.parse(new TextDecoder().decode(bytes)) as Note;
    return isNote(note) && exactOf(note) ? { ...note, file } : null;
  } catch {
    return null;
  }
}

function isNote({ records, ref, paths, why, cause, since, exact }: Note): boolean {
  const [first] = records;
  return (
    records.every(
      one => checkedRecord(one) && one.worktree === first!.worktree && one.prefix === first!.prefix,
    ) &&
    records.at(-1)!.ref === ref &&
    paths.every(path => isTreePath(path) && records.some(one => holds(one, path))) &&
    [why, cause, since].every(text => typeof text === 'string' && text.length <= LONGEST) &&
    exact.every(([oid, text]) => isOid(oid) && typeof text === 'string')
  );
}

export function exactOf({ exact }: Note): LooseObject[] {
  return exact.map(([oid, text]) => ({ oid, deflated: fromLatin1(atob(text)) }));
}
