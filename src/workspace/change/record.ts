/**
 * Recording what is in the files already: an edit that other tools made for a session, or what a person did before one.
 * No file is touched.
 */

import * as z from 'zod';
import { EditError } from '../../errors.ts';
import { type CheckOptions, camelCased, optionsCheck } from '../calls/call-options.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import { type WayBackOptions, wayBackFields } from '../history/back-fields.ts';
import type { Planned } from './draft.ts';
import type { InPlace } from './drafted-change.ts';
import { isTaken } from './known-edits.ts';
import { type ToldEdit, toldFields, toldVersions } from './told.ts';

/** Options of `record`. */
export interface RecordOptions extends WayBackOptions {
  /** The name of the edit in the history, such as that of the tool that made it; default `record`. */
  op?: string | undefined;
  /** The present text is not the session's work: it is recorded as a change made outside the engine. */
  outside?: boolean | undefined;
  /**
   * The source of what is known of the changes of the call: the tool's own words say it; it is all that changed while
   * the call ran; or other calls ran then, too.
   */
  certain?: 'tool' | 'window' | 'during' | undefined;
  /** The tool's own words of the one file: then what others changed before it and after it is not the session's. */
  told?: ToldEdit | undefined;
}

export const checkRecord: CheckOptions<RecordOptions> = optionsCheck(
  () => ({
    op: z.string().optional(),
    outside: z.boolean().optional(),
    certain: z.enum(['tool', 'window', 'during']).optional(),
    told: toldFields().optional(),
    ...camelCased(wayBackFields()),
  }),
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

/** Throws INVALID_INPUT where there are no files beside the history, IGNORED_PATH, and the codes of a path that is not allowed. */
export async function planRecord(
  snapshot: Snapshot,
  given: readonly string[],
  { outside, told, certain }: RecordOptions,
): Promise<Planned> {
  const { context } = snapshot;
  if (!context.store.separate) {
    const words = 'Files live in the history alone here, so there is nothing that is not recorded.';
    throw new EditError('INVALID_INPUT', words, { field: 'paths' });
  }
  const paths = new Set<string>();
  for (const one of given) {
    const path = await snapshot.resolve(one);
    if (!(await snapshot.recorded(path))) await context.guards.checkNew(toTrail(context, path));
    paths.add(path);
  }
  const as: InPlace['as'] = outside ? 'outside' : 'edit';
  const inPlace: InPlace = { paths: [...paths], as };
  const plan: Planned = { targets: new Map(), moves: [], inPlace, meta: { certain } };
  if (!told) return plan;
  if (outside || paths.size !== 1) throw toldOfSeveral();
  const versions = await toldVersions(snapshot, inPlace.paths[0]!, told);
  // Nobody can tell what of it is the tool's.
  if (!versions) return { ...plan, inPlace: { ...inPlace, as: 'during' } };
  return { ...plan, inPlace: { ...inPlace, told: versions }, meta: { certain: certain ?? 'tool' } };
}

function toldOfSeveral(): EditError {
  const words = 'told is about the edit of one file: record each file by itself, and without outside.';
  return new EditError('INVALID_INPUT', words, { field: 'told' });
}
