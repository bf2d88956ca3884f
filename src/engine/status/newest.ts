/** The newest commits of a history: as far as it is read where nothing older is asked for. */

import { type TrailRow, walkRows } from '../../history/walk.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** The number of these commits. */
export const COUNTED = 1_000;

/** Returns them, newest first, and whether there are older ones. */
export async function newestOf({
  context,
  trail,
}: Snapshot): Promise<{ rows: readonly TrailRow[]; more: boolean }> {
  const found: TrailRow[] = [];
  const options = { ownOnly: !trail.checkedOut, limit: COUNTED + 1 };
  for await (const rows of walkRows(context.objects, trail.tip && trail.parent, options)) found.push(...rows);
  return { rows: found.slice(0, COUNTED), more: found.length > COUNTED };
}
