/**
 * One step on recorded contents: straight where the path holds what the step expects, by three-way merge where other
 * lines were changed, and a conflict where the same lines were. Nothing is written.
 */

import { EditError } from '../../errors.ts';
import type { Codec } from '../../git/objects/object.ts';
import { type MergeConflict, type MergeResult, merge } from '../../text/diff/merge.ts';
import { encodeText, type TextFile, textFile } from '../../text/document.ts';
import { type Recorded, type Step, sameRecorded } from '../steps.ts';

/** Where contents are read, by blob id. */
export interface Blobs {
  codec: Codec;
  read(oid: string): Promise<Uint8Array>;
}

/** Lines that two sides changed, 1-based, of the text that is there; `end_line` below `start_line` is a gap. */
export interface JoinConflict {
  start_line: number;
  end_line: number;
  present: string;
  wanted: string;
}

/** What the path holds after the step, with the content where that is a new one. No regions: the files cannot be joined. */
export type Joined = { recorded: Recorded; content?: Uint8Array } | { conflict: JoinConflict[] };

export async function joinStep(
  blobs: Blobs,
  now: Recorded,
  step: Pick<Step, 'path' | 'from' | 'to'>,
): Promise<Joined> {
  const { from, to } = step;
  if (sameRecorded(now, from)) return { recorded: to };
  if (sameRecorded(now, to)) return { recorded: now };
  if (!now || !from || !to || ![now, from, to].every(isFile)) return { conflict: [] };
  const mode = now.mode === from.mode ? to.mode : now.mode;
  if (from.oid === to.oid || now.oid === to.oid) return { recorded: { mode, oid: now.oid } };
  if (now.oid === from.oid) return { recorded: { mode, oid: to.oid } };
  return mergeTexts(blobs, step.path, [from.oid, now.oid, to.oid], mode);
}

function isFile(recorded: NonNullable<Recorded>): boolean {
  return recorded.mode.startsWith('100');
}

async function mergeTexts(
  blobs: Blobs,
  path: string,
  oids: readonly string[],
  mode: string,
): Promise<Joined> {
  const files: TextFile[] = [];
  let joined: MergeResult;
  try {
    for (const oid of oids) files.push(textFile(path, await blobs.read(oid), oid));
    const [base, ours, theirs] = files;
    joined = merge(base!.text, ours!.text, theirs!.text);
  } catch (error) {
    if (error instanceof EditError && NO_TEXT.has(error.code)) return { conflict: [] };
    throw error;
  }
  if (!joined.clean) return { conflict: joined.conflicts.map(region) };
  const [base, now, to] = files.map(file => file.bom);
  const content = encodeText(joined.text, now === base ? to! : now!);
  return { recorded: { mode, oid: await blobs.codec.hash('blob', content) }, content };
}

const NO_TEXT: ReadonlySet<string> = new Set(['BINARY_FILE', 'NOT_UTF8', 'TOO_LARGE']);

function region({ ours, theirs }: MergeConflict): JoinConflict {
  return { start_line: ours.start + 1, end_line: ours.end, present: ours.text, wanted: theirs.text };
}
