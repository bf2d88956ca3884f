/** Is the edit still about the file that it was decided on? Decided by content alone, never by time stamps. */

import { EditError } from '../../../errors.ts';
import { lookup } from '../../../git/objects/tree.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { textFile } from '../../../text/document.ts';
import { linesOf } from '../../../text/lines.ts';
import type { LineRange } from '../../../text/snippet.ts';
import { readEntry } from '../../../trail/walk.ts';
import { fieldName, ifField, ifTool, Look, pathName, toolName } from '../../../wording.ts';
import { toTrail } from '../../context.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { areShown, type Seen, type Viewer } from '../../views.ts';
import { heldOnce, type Repair, type StaleTexts, staleError, unknownVersion } from './stale.ts';

/** What an edit says about the version that it was decided on. */
export interface Precondition {
  /** A commit, as findCommit takes it. */
  base?: string | undefined;
  /** A blob id, or 4 or more hex digits of one. */
  version?: string | undefined;
  /** What to do when the base is old. */
  onStale: 'refuse' | 'rebase';
  /** The edit holds line numbers, so silence is not enough. */
  addressesLines: boolean;
  /** Those lines, where the edit can tell. */
  lines?: ReadonlyArray<{ start: number; end: number }> | undefined;
  /** What to send instead of an edit that is refused as stale, where what it is about is unchanged. */
  repair?: ((texts: StaleTexts) => Repair | null) | undefined;
}

/** Throws STALE when a path is not what the claim says, NOT_VIEWED when line numbers claim nothing. */
export async function checkBase(
  snapshot: Snapshot,
  claim: Precondition,
  path: string,
  viewer: Viewer,
  session: string,
): Promise<void> {
  const present = await snapshot.file(path);
  const { version, base } = claim;
  if (version !== undefined) await checkVersion(snapshot, version, path, present, viewer, session, claim);
  if (base !== undefined) await checkCommit(snapshot, base, path, present, session, claim);
  const silent = version === undefined && base === undefined;
  if (silent && claim.addressesLines && present)
    await checkSeen(snapshot, claim, path, present, viewer, session);
}

/** Throws STALE when the file is another than the version with these first digits. */
export async function checkVersion(
  snapshot: Snapshot,
  version: string,
  path: string,
  present: StoredFile | null,
  viewer: Viewer,
  session: string,
  { lines, repair }: Pick<Precondition, 'lines' | 'repair'> = {},
): Promise<void> {
  checkVersionForm(version);
  if (present?.version.startsWith(version)) return;
  if ((await snapshot.asRecorded(path))?.version.startsWith(version)) return;
  const was = await versionNamed(snapshot, version, path, viewer);
  if (was === null) throw unknownVersion(snapshot, path, present, version);
  throw await staleError(snapshot, {
    path,
    present,
    was,
    base: null,
    what: `version ${version.slice(0, 12)}`,
    lastView: false,
    session,
    lines,
    repair,
  });
}

/** Throws INVALID_INPUT for what cannot be the start of a blob id. */
export function checkVersionForm(version: string): void {
  if (/^[0-9a-f]{4,40}$/.test(version)) return;
  throw new EditError(
    'INVALID_INPUT',
    `${fieldName('version')} ${JSON.stringify(version.slice(0, 60))} is not a blob id: give the version that ${ifTool('view', `${toolName('view')} answered`, 'the file has')}, or at least 4 hex digits of it.`,
    { field: 'version' },
  );
}

async function checkCommit(
  snapshot: Snapshot,
  base: string,
  path: string,
  present: StoredFile | null,
  session: string,
  { lines, repair }: Pick<Precondition, 'lines' | 'repair'>,
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
    lines,
    repair,
  });
}

/** Line numbers without a base are those of the last view, or of lines that an answer has shown since. */
async function checkSeen(
  snapshot: Snapshot,
  claim: Precondition,
  path: string,
  present: StoredFile,
  viewer: Viewer,
  session: string,
): Promise<void> {
  const seen = viewer.get(path);
  if (seen?.version === present.version) return;
  const shown = viewer.lines(path, present.version);
  if (shown && claim.lines) {
    const { count } = linesOf(textFile(path, present.bytes, present.version).text);
    if (areShown(claim.lines, shown, count)) return;
  }
  if (!seen) {
    const { version } = present;
    const message = `${notShown(path, shown)}, so its line numbers are a guess. ${lookWords()}`;
    throw new EditError('NOT_VIEWED', message, { path, version, commit: snapshot.shown.parent });
  }
  throw await staleError(snapshot, {
    path,
    present,
    was: await blobSeen(snapshot, path, seen),
    base: seen.commit,
    what: 'your last view',
    lastView: true,
    session,
    lines: claim.lines,
    repair: claim.repair,
  });
}

function notShown(path: string, shown: readonly LineRange[] | null): string {
  const [range] = shown ?? [];
  if (!range || range.end < range.start) return `This session has not seen ${pathName(path)}`;
  const words = shown!.map(({ start, end }) => (start === end ? `${start}` : `${start}-${end}`));
  return `Of ${pathName(path)} as it is now this session has only been shown lines ${words.join(', ')}`;
}

/** The present version is not told: with it, the guess would pass. */
function lookWords(): string {
  const cite = ifField(
    'version',
    `${Look()} it, and send the ${fieldName('version')} that it has with the line numbers.`,
    'Edit it by its text.',
  );
  return ifTool('view first', `${Look()} it first.`, cite);
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
  viewer: Viewer,
): Promise<string | null> {
  const seen = viewer.find(path, digits);
  if (seen) return blobSeen(snapshot, path, seen);
  const { objects } = snapshot.context;
  const [found, ...more] = await objects.expand(digits);
  if (found === undefined || more.length > 0) return null;
  if ((await objects.readOrNull(found))?.type === 'commit') {
    const message = `${fieldName('version')} ${digits} is a commit: give it as ${fieldName('base')}.${ifTool('view', ` The version of a file is what ${toolName('view')} answers.`)}`;
    throw new EditError('INVALID_INPUT', message, { field: 'version', base: found });
  }
  return (await heldOnce(snapshot, path, found)) ? found : null;
}
