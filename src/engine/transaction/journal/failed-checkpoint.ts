/**
 * Why the journal cannot be made durable in its own place, where that fails: `vedit/unsettled`. Nothing is lost by it, but the
 * journal grows, and plain git alone would miss what it holds after a power cut.
 */

import { readJson, removeIfThere, writeJson } from '../../../fs/durable.ts';
import { failureWords } from '../../../fs/failures.ts';
import { systemCode } from '../../../fs/fs.ts';
import type { Context } from '../../context.ts';

export interface Unsettled {
  /** The code of the system, and the words, which name the path. */
  code: string;
  why: string;
  /** The time of the last failure, ISO 8601. */
  at: string;
}

const pathOf = ({ folder }: Context): string => `${folder}/unsettled`;

/** Notes a failure for who asks, here or in another process, as far as that can be written. */
export async function noteFailedCheckpoint(where: Context, error: unknown, at: Date): Promise<void> {
  const why = failureWords(error).slice(0, LONGEST);
  const note: Unsettled = { code: systemCode(error) ?? 'unknown', why, at: at.toISOString() };
  await writeJson(where.fs, pathOf(where), note);
}

const LONGEST = 400;

export async function endFailedCheckpoint(where: Context): Promise<void> {
  await removeIfThere(where.fs, pathOf(where));
}

/** Reads why the last checkpoint failed; `null` where it did not, or the note cannot be read. */
export async function failedCheckpoint(where: Context): Promise<Unsettled | null> {
  const { code, why, at } = Object(await readJson(where.fs, pathOf(where)).catch(() => null));
  const isNote = [code, why, at].every(text => typeof text === 'string' && text.length <= LONGEST);
  return isNote ? { code, why, at } : null;
}

export function failedCheckpointWords({ why }: Unsettled): string {
  return `The journal could not be made durable in its own place: ${why}. No edit is lost; it is tried again, less and less often, and the journal grows until the cause is gone.`;
}
