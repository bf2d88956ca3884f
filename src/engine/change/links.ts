/** A link is not what it leads to: whoever names it is not to lose the file or folder at its end. */

import { EditError } from '../../errors.ts';
import { pathName } from '../../wording.ts';
import type { Snapshot } from '../files/snapshot.ts';

/**
 * Throws SPECIAL_FILE for a link among the paths of a change that deletes or moves a whole file. Git and rm take the link itself,
 * which is not edited here. `real`: the real path of each path that was given.
 */
export async function assertNoLinks(
  snapshot: Snapshot,
  paths: readonly string[],
  real: ReadonlyMap<string, string>,
): Promise<void> {
  for (const given of paths)
    await assertNoLink(snapshot, given, { path: real.get(given) ?? given, kind: 'file' });
}

/** Throws SPECIAL_FILE where the name that was given is a link to what is at the real path. */
export async function assertNoLink(
  snapshot: Snapshot,
  given: string,
  { path, kind }: { path: string; kind: 'file' | 'folder' },
): Promise<void> {
  if (given === path) return;
  const at = given.lastIndexOf('/');
  const above = at < 0 ? '' : await snapshot.resolveFolder(given.slice(0, at) || '/');
  const own = `${above === '' ? '' : `${above}/`}${given.slice(at + 1)}`;
  if (own === path || given.endsWith('.')) return;
  const meant = kind === 'folder' ? 'if all of it is meant' : 'if it is meant';
  const message = `${pathName(given)} is a link to the ${kind} ${pathName(path)}. Nothing was changed. Name that ${kind} ${meant}; the link itself is removed or moved by a command (rm, mv).`;
  throw new EditError('SPECIAL_FILE', message, { path: given, target: path });
}
