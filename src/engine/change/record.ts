/**
 * Recording what is in the files already: an edit that other tools made for a session, or what a person did before one.
 * No file is touched.
 */

import { EditError } from '../../errors.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';
import type { InPlace, Planned } from './planned.ts';
import type { RecordOptions } from './record-options.ts';
import { recordedVersions } from './recorded-versions.ts';

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
  const as: InPlace['as'] = outside ? (certain === 'person' ? 'person' : 'outside') : 'edit';
  const inPlace: InPlace = { paths: [...paths], as };
  const plan: Planned = { targets: new Map(), moves: [], inPlace, meta: { certain } };
  if (!told) return plan;
  if (outside || paths.size !== 1) {
    const words = 'told is about the edit of one file: record each file by itself, and without outside.';
    throw new EditError('INVALID_INPUT', words, { field: 'told' });
  }
  const versions = await recordedVersions(snapshot, inPlace.paths[0]!, told);
  // Nobody can tell what of it is the tool's.
  if (!versions) return { ...plan, inPlace: { ...inPlace, as: 'during' } };
  return { ...plan, inPlace: { ...inPlace, told: versions }, meta: { certain: certain ?? 'tool' } };
}
