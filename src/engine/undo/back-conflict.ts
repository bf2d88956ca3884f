/** The refusal of an undo, redo or the like: what is in the way, who holds it, and what to do first. */

import { type ConflictRegion, EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import { regionWords } from '../../text/diff/merge.ts';
import { counted, listedSome } from '../../text/words.ts';
import { ifTool, pathName, shortId } from '../../wording.ts';
import type { Planned } from '../change/planned.ts';
import { holdersIn, type LaterLine, laterWords } from './holders.ts';

/** The regions that could not be joined in one file. Lines are 1-based, of the present text. */
export interface StepConflict {
  path: string;
  /** The commit that was to be taken back or put back. */
  commit: string;
  regions: ConflictRegion[];
  /**
   * The version of the present file, where the lines are those of it and not of what earlier steps would make of it.
   */
  version?: string;
  /** The later changes that are in the way, where it is known. */
  held?: LaterLine[];
  /** Says how the file as a whole stands against the step, where there is nothing to be joined. */
  note?: string;
}

/** The files of a way back, by path of the workspace, as they shall be, and what stands in its way. */
export interface WayBackFiles {
  targets: Map<string, StoredFile | null>;
  conflicts: StepConflict[];
}

/** The plan of a way back; where anything stands in its way, no file changes. */
export function plannedBack(
  { targets, conflicts }: WayBackFiles,
  about: Pick<Planned, 'meta' | 'notes'>,
): Planned {
  if (conflicts.length === 0) return { targets, moves: [], ...about };
  const conflict = { paths: conflicts.map(({ path }) => path), error: conflictError(conflicts) };
  return { targets: new Map(), moves: [], conflict, ...about };
}

/** Stands for any content of a file. */
export const NOTHING = 'file';

export function wholeFile(path: string, now: StoredFile | null, to: unknown): string {
  if (!now) return `${pathName(path)} is gone now`;
  return to
    ? `${pathName(path)} is another file now: move it away to make room`
    : `${pathName(path)} was to be deleted: ${ifTool('delete', tool => `use ${tool}`, 'delete it')} to do that all the same`;
}

/** Refuses the whole operation, naming every region that could not be joined. */
function conflictError(conflicts: readonly StepConflict[]): EditError {
  const words = conflicts.map(({ path, commit, regions }) => {
    const lines = regions.map(one =>
      one.end_line < one.start_line ? `at line ${one.start_line}` : `lines ${one.start_line}-${one.end_line}`,
    );
    const where = lines.length > 0 ? ` (${lines.join(', ')})` : '';
    return `${path}${where} was changed after ${shortId(commit)}`;
  });
  const byHand = conflicts.some(one => one.regions.length > 0) ? 'Edit those lines' : 'Change the file';
  const shown = conflicts.slice(0, SHOWN);
  const more = conflicts.length - SHOWN;
  const held = conflicts.flatMap(one => one.held ?? []);
  const message = [
    `${listedSome(words, NAMED, '; ')}: going on would overwrite what came later. Nothing was written.`,
    ...laterWords(held),
    ...shown.flatMap(shownConflict),
    ...(more > 0 ? [`[and ${counted(more, 'more conflict')}]`] : []),
    `${byHand} by hand, or undo the later change first.`,
  ].join('\n');
  const builds_on = holdersIn(held.map(({ by }) => by));
  return new EditError('CONFLICT', message, {
    conflicts: conflicts.map(({ held: _, ...conflict }) => conflict),
    ...(builds_on.length > 0 ? { builds_on } : {}),
  });
}

function shownConflict({ path, regions, version, note }: StepConflict): string[] {
  if (note) return [`${note}.`];
  const at = version === undefined ? [] : [`${path} is at version "${version}".`];
  return [...regionWords(path, regions), ...at];
}

/** The most files that are shown with their lines, and the most named. */
const SHOWN = 5;
const NAMED = 20;
