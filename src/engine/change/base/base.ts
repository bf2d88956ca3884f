/**
 * Is the edit still about the file that it was decided on? Decided by content alone, never by time stamps; of several edits
 * of one change each must be about the same version of a file, under whatever name.
 */

import { EditError } from '../../../errors.ts';
import { lookup } from '../../../git/objects/tree.ts';
import type { Recorded } from '../../../history/steps.ts';
import { readEntry } from '../../../history/walk.ts';
import { late } from '../../../lazy.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { textFile } from '../../../text/document.ts';
import { linesOf } from '../../../text/lines.ts';
import type { LineRange } from '../../../text/snippet.ts';
import { fieldName, ifField, ifTool, Look, pathName, shortId } from '../../../wording.ts';
import { toTrail } from '../../context.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { areShown, type Seen, type Viewer } from '../../views.ts';
import type { Rebased } from './rebase.ts';
import type { Claimant, Stale } from './stale.ts';

const wasOnceAt = late(() => import('./stale.ts'), 'wasOnceAt');
const oldFile = late(() => import('./stale.ts'), 'oldFile');
const staleError = late(() => import('./stale.ts'), 'staleError');

/** The claim of an edit about the version that it was decided on. */
export interface Precondition extends Claimant {
  /** A commit, as findCommit takes it. */
  base?: string | undefined;
  /** A blob id, or 4 or more hex digits of one. */
  version?: string | undefined;
  /** The action when the base is old. */
  onStale: 'refuse' | 'rebase';
  /** The edit holds line numbers, so silence is not enough. */
  addressesLines: boolean;
}

/** `null` where the path is what the claim says. Throws NOT_VIEWED when line numbers claim nothing, INVALID_INPUT. */
async function checkBase(snapshot: Snapshot, path: string, claim: Precondition): Promise<Stale | null> {
  const { version, base } = claim;
  const present = await snapshot.file(path);
  const stale = version === undefined ? null : await checkVersion(snapshot, version, path, present, claim);
  if (stale) return stale;
  if (base !== undefined) return checkCommit(snapshot, base, path, present, claim);
  return version === undefined && present ? checkSeen(snapshot, path, present, claim) : null;
}

/** `null` where the file has the version with these first digits. Throws INVALID_INPUT. */
export async function checkVersion(
  snapshot: Snapshot,
  version: string,
  path: string,
  present: StoredFile | null,
  by: Claimant,
): Promise<Stale | null> {
  checkVersionForm(version);
  if (present?.version.startsWith(version)) return null;
  if ((await snapshot.asRecorded(path))?.version.startsWith(version)) return null;
  const was = await versionNamed(snapshot, version, path, by.viewer);
  return { path, present, was, base: null, what: `version ${version.slice(0, 12)}`, lastView: false, by };
}

/** Throws INVALID_INPUT for what cannot be the start of a blob id. */
export function checkVersionForm(version: string): void {
  if (/^[0-9a-f]{4,40}$/.test(version)) return;
  throw new EditError(
    'INVALID_INPUT',
    `${fieldName('version')} ${JSON.stringify(version.slice(0, 60))} is not a blob id: give the version that ${ifTool('view', tool => `${tool} answered`, 'the file has')}, or at least 4 hex digits of it.`,
    { field: 'version' },
  );
}

async function checkCommit(
  snapshot: Snapshot,
  named: string,
  path: string,
  present: StoredFile | null,
  by: Claimant,
): Promise<Stale | null> {
  const base = await snapshot.commit(named);
  const held = await heldAt(snapshot, base, path);
  if (await snapshot.conversion.holds(path, present, held)) return null;
  return {
    path,
    present,
    was: held?.oid ?? null,
    base,
    what: `commit ${shortId(base)}`,
    lastView: false,
    by,
  };
}

/** Refuses line numbers without a base of a file that was never viewed (NOT_VIEWED); answers that view where the file has changed since. */
async function checkSeen(
  snapshot: Snapshot,
  path: string,
  present: StoredFile,
  by: Claimant,
): Promise<Stale | null> {
  const seen = by.viewer.get(path);
  if (seen?.version === present.version) return null;
  const shown = by.viewer.lines(path, present.version);
  if (shown && by.lines) {
    const { count } = linesOf(textFile(path, present.bytes, present.version).text);
    if (areShown(by.lines, shown, count)) return null;
  }
  if (!seen) {
    const { version } = present;
    const message = `${notShown(path, shown)}, so what stands in it is a guess. ${lookWords()}`;
    throw new EditError('NOT_VIEWED', message, { path, version, commit: snapshot.shown.parent });
  }
  const was = await blobSeen(snapshot, path, seen);
  return { path, present, was, base: seen.commit, what: 'your last view', lastView: true, by };
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
  return (await heldAt(snapshot, seen.commit, path))?.oid ?? seen.version;
}

async function heldAt({ context }: Snapshot, commit: string, path: string): Promise<Recorded> {
  const { tree } = await readEntry(context.objects, commit);
  return lookup(context.objects, tree, toTrail(context, path));
}

/** The blob of the file that the digits name, as far as the session or the trail knows it. */
async function versionNamed(
  snapshot: Snapshot,
  digits: string,
  path: string,
  viewer: Viewer,
): Promise<string | undefined> {
  const seen = viewer.find(path, digits);
  if (seen) return blobSeen(snapshot, path, seen);
  const { objects } = snapshot.context;
  const [found, ...more] = await objects.expand(digits);
  if (found === undefined || more.length > 0) return undefined;
  if ((await objects.readOrNull(found))?.type === 'commit') {
    const message = `${fieldName('version')} ${digits} is a commit: give it as ${fieldName('base')}.${ifTool('view', tool => ` The version of a file is what ${tool} answers.`)}`;
    throw new EditError('INVALID_INPUT', message, { field: 'version', base: found });
  }
  return (await wasOnceAt(snapshot, path, found)) ? found : undefined;
}

/** Holds the claims of the edits of one change against the files, and remembers the versions that they are planned on. */
export class Preconditions {
  /** The files that are planned on an old version, by their names before the change. */
  readonly rebased: Map<string, Rebased> = new Map();
  readonly #snapshot: Snapshot;
  /** Files of which an edit said the version: what comes after it without a word means the same. */
  readonly #named = new Set<string>();

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  /** Returns the file to plan the first edit of a path on, as it was or as it is. Throws STALE and NOT_VIEWED. */
  async first(path: string, claim: Precondition): Promise<StoredFile | null> {
    const claims = claim.base !== undefined || claim.version !== undefined;
    const old = claims || claim.addressesLines ? await this.#oldOf(path, claim) : null;
    const present = await this.#snapshot.file(path);
    if (claims) this.#named.add(path);
    if (!old) return present;
    this.rebased.set(path, { ...old, present });
    return old.base;
  }

  /**
   * Checks a further edit of a file, whose text is that of the plan by now and not looked at any more. `path` is its name
   * by now, `origin` that before the change. Throws INVALID_INPUT where it is about another version than the edits before.
   */
  async again(path: string, origin: string, claim: Precondition): Promise<void> {
    const present = await this.#snapshot.file(origin);
    const isSilent = claim.base === undefined && claim.version === undefined;
    if (!present || (isSilent && (!claim.addressesLines || this.#named.has(origin)))) return;
    const old = await this.#oldOf(origin, claim);
    const planned = this.rebased.get(origin);
    if (!old && !(planned && claim.addressesLines)) return;
    if (old && planned && old.base?.version === planned.base?.version) return;
    throw new EditError(
      'INVALID_INPUT',
      `${pathName(path)}: an earlier edit of this change was decided on another version of it. Nothing was changed. Give all edits of one file the same ${fieldName('base')} or ${fieldName('version')}, or send them one after another.`,
      { path, version: present.version },
    );
  }

  /** The old file to plan on, when the base is old and the caller wants the edit rebased; else `null`. */
  async #oldOf(path: string, claim: Precondition): Promise<Omit<Rebased, 'present'> | null> {
    const stale = await checkBase(this.#snapshot, path, claim);
    if (stale === null) return null;
    const base = claim.onStale === 'rebase' ? await oldFile(this.#snapshot, stale) : undefined;
    if (base === undefined) throw await staleError(this.#snapshot, stale);
    return { base, stale };
  }
}
