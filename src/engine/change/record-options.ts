/** Options of a record, and the names that it may have. */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { type CheckOptions, optionsCheck } from '../calls/call-options.ts';
import * as option from '../calls/option.ts';
import { type WayBackOptions, wayBackFields } from '../undo/back-fields.ts';
import { isTaken } from './known-edits.ts';

/** Whole texts are believed before the others. */
export interface ToldEdit {
  /** The whole text before it; `null`: there was no file. */
  original?: string | null | undefined;
  /** The whole text after it; `null`: there is no file. */
  result?: string | null | undefined;
  /** The replacements, in order; each old text stands once, or with `all` at least once. */
  steps?: ReadonlyArray<{ old: string; new: string; all?: boolean | undefined }> | undefined;
  /** A patch in the form that begins with `*** Begin Patch`; other files in it are passed over. */
  patch?: string | undefined;
  /** The text of the file when the tool was done; 'unknown': what is told has to do. Default: what is there now. */
  left?: { text: string | null } | 'unknown' | undefined;
}

const step = () => z.strictObject({ old: z.string(), new: z.string(), all: z.boolean().optional() });

export const toldFields = (): z.ZodType<ToldEdit> =>
  z.strictObject({
    original: z.string().nullish(),
    result: z.string().nullish(),
    steps: z.array(step()).optional(),
    patch: z.string().optional(),
    left: z.union([z.literal('unknown'), z.strictObject({ text: z.string().nullable() })]).optional(),
  });

export interface RecordOptions extends WayBackOptions {
  /** The name of the edit in the history, such as that of the tool that made it; default `record`. */
  op?: string | undefined;
  /** The present text is not the session's work: it is recorded as a change made outside the engine. */
  outside?: boolean | undefined;
  /**
   * The source of what is known of the changes of the call: the tool's own words say it; it is all that changed while
   * the call ran; or other calls ran then, too. `person`: what is outside is the person's, as the tool says.
   */
  certain?: 'tool' | 'window' | 'during' | 'person' | undefined;
  /** The tool's own words of the one file: then what others changed before it and after it is not the session's. */
  told?: ToldEdit | undefined;
}

export const checkRecord: CheckOptions<RecordOptions> = optionsCheck(
  {
    op: option.text,
    outside: option.flag,
    certain: () => z.enum(['tool', 'window', 'during', 'person']).optional(),
    told: () => toldFields().optional(),
    ...wayBackFields,
  },
  { op: 'Edit' },
);

/** The name in the history. Throws INVALID_INPUT for one that is the engine's own or no name. */
export function recordedOp({ op = 'record', outside }: RecordOptions): string {
  if (outside) return 'outside';
  if (isRecordable(op)) return op;
  throw new EditError(
    'INVALID_INPUT',
    `op ${JSON.stringify(String(op).slice(0, 60))} cannot name a recorded edit: give the name of the tool that made it, letters, digits and _ . : - only, at most 40, and not the name of an edit of the engine.`,
    { field: 'op' },
  );
}

/** True for a name that an edit of another tool can have. */
export function isRecordable(op: string): boolean {
  return /^[A-Za-z][\w.:-]{0,39}$/.test(op) && !isTaken(op);
}
