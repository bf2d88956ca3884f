/** Is the edit still about the file that it was decided on? Decided by content alone, never by time stamps. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import type { StoredFile } from '../../stores/store.ts';
import { readEntry } from '../../trail/walk.ts';
import { toTrail } from '../context.ts';
import type { Snapshot } from '../snapshot.ts';
import type { Seen, Views } from '../views.ts';
import { heldOnce, staleError, unknownVersion } from './stale.ts';

/** What an edit says about the version that it was decided on. */
export interface BaseClaim {
  /** A commit, as findCommit takes it. */
  base?: string | undefined;
  /** A blob id, or 4 or more hex digits of one. */
  version?: string | undefined;
  /** What to do when the base is old. */
  onStale: 'refuse' | 'rebase';
  /** The edit holds line numbers, so silence is not enough. */
  addressesLines: boolean;
}

/** Throws STALE when a path is not what the claim says, NOT_VIEWED when line numbers claim nothing. */
export async function checkBase(
  snapshot: Snapshot,
  claim: BaseClaim,
  path: string,
  views: Views,
  session: string,
): Promise<void> {
  const present = await snapshot.file(path);
  if (claim.version !== undefined) await checkVersion(snapshot, claim.version, path, present, views, session);
  if (claim.base !== undefined) await checkCommit(snapshot, claim.base, path, present, session);
  const silent = claim.version === undefined && claim.base === undefined;
  if (silent && claim.addressesLines && present) await checkSeen(snapshot, path, present, views, session);
}

/** Throws STALE when the file is another than the version with these first digits. */
export async function checkVersion(
  snapshot: Snapshot,
  version: string,
  path: string,
  present: StoredFile | null,
  views: Views,
  session: string,
): Promise<void> {
  checkVersionForm(version);
  if (present?.version.startsWith(version)) return;
  if ((await snapshot.asRecorded(path))?.version.startsWith(version)) return;
  const was = await versionNamed(snapshot, version, path, views);
  if (was === null) throw unknownVersion(snapshot, path, present, version);
  throw await staleError(snapshot, {
    path,
    present,
    was,
    base: null,
    what: `version ${version.slice(0, 12)}`,
    lastView: false,
    session,
  });
}

/** Throws INVALID_INPUT for what cannot be the start of a blob id. */
export function checkVersionForm(version: string): void {
  if (/^[0-9a-f]{4,40}$/.test(version)) return;
  throw new EditError(
    'INVALID_INPUT',
    `version ${JSON.stringify(version.slice(0, 60))} is not a blob id: give the version that view answered, or at least 4 hex digits of it.`,
    { field: 'version' },
  );
}

async function checkCommit(
  snapshot: Snapshot,
  base: string,
  path: string,
  present: StoredFile | null,
  session: string,
): Promise<void> {
  const { context } = snapshot;
  const commit = await snapshot.commit(base);
  const held = await lookup(
    context.objects,
    (await readEntry(context.objects, commit)).tree,
    toTrail(context, path),
  );
  if (await snapshot.conversion.holds(path, present, held)) return;
  throw await staleError(snapshot, {
    path,
    present,
    was: held?.oid ?? null,
    base: commit,
    what: `commit ${commit.slice(0, 12)}`,
    lastView: false,
    session,
  });
}

async function checkSeen(
  snapshot: Snapshot,
  path: string,
  present: StoredFile,
  views: Views,
  session: string,
): Promise<void> {
  const seen = views.get(path);
  if (!seen) {
    throw new EditError(
      'NOT_VIEWED',
      `This session has not seen ${path}, so its line numbers are a guess. View it first, or say which version they are from: version "${present.version}" is the present one.`,
      { path, version: present.version, commit: snapshot.shown.parent },
    );
  }
  if (seen.version === present.version) return;
  throw await staleError(snapshot, {
    path,
    present,
    was: await blobSeen(snapshot, path, seen),
    base: seen.commit,
    what: 'your last view',
    lastView: true,
    session,
  });
}

/** The blob that git recorded, or would have recorded, of what was seen; an edit of the session recorded its own. */
async function blobSeen(snapshot: Snapshot, path: string, seen: Seen): Promise<string> {
  if (seen.recorded !== null || seen.commit === null) return seen.recorded ?? seen.version;
  const { context } = snapshot;
  const { tree } = await readEntry(context.objects, seen.commit);
  return (await lookup(context.objects, tree, toTrail(context, path)))?.oid ?? seen.version;
}

/** The blob of the file that the digits name, as far as the session or the trail knows it; else `null`. */
async function versionNamed(
  snapshot: Snapshot,
  digits: string,
  path: string,
  views: Views,
): Promise<string | null> {
  const seen = views.find(path, digits);
  if (seen) return blobSeen(snapshot, path, seen);
  const { objects } = snapshot.context;
  const [found, ...more] = await objects.expand(digits);
  if (found === undefined || more.length > 0) return null;
  if ((await objects.readOrNull(found))?.type === 'commit') {
    const message = `version ${digits} is a commit: give it as base. The version of a file is what view answers.`;
    throw new EditError('INVALID_INPUT', message, { field: 'version', base: found });
  }
  return (await heldOnce(snapshot, path, found)) ? found : null;
}
