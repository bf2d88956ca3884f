/**
 * Is the edit still about the file that it was decided on? Decided by content alone, never by time stamps; of several edits
 * of one change each must be about the same version of a file, under whatever name.
 */

import type { FileChange } from '../../../edits/edit.ts';
import { EditError } from '../../../errors.ts';
import { lookup } from '../../../git/objects/tree.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { textFile } from '../../../text/document.ts';
import { linesOf } from '../../../text/lines.ts';
import type { LineRange } from '../../../text/snippet.ts';
import { readEntry } from '../../../trail/walk.ts';
import { fieldName, ifField, ifTool, Look, pathName, shortId } from '../../../wording.ts';
import { toTrail } from '../../context.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import { areShown, type Seen, type Viewer } from '../../views.ts';
import type { Rebased } from './rebase.ts';
import type { Repair, Stale, StaleTexts } from './stale.ts';

const heldOnce: typeof import('./stale.ts').heldOnce = async (...args) =>
  (await import('./stale.ts')).heldOnce(...args);
const oldFile: typeof import('./stale.ts').oldFile = async (...args) =>
  (await import('./stale.ts')).oldFile(...args);
const staleError: typeof import('./stale.ts').staleError = async (...args) =>
  (await import('./stale.ts')).staleError(...args);

/** The claim of an edit about the version that it was decided on. */
export interface Precondition {
  /** A commit, as findCommit takes it. */
  base?: string | undefined;
  /** A blob id, or 4 or more hex digits of one. */
  version?: string | undefined;
  /** The action when the base is old. */
  onStale: 'refuse' | 'rebase';
  /** The edit holds line numbers, so silence is not enough. */
  addressesLines: boolean;
  /** Those lines, where the edit can tell. */
  lines?: ReadonlyArray<{ start: number; end: number }> | undefined;
  /** Returns what to send instead of an edit that is refused as stale, where what it is about is unchanged. */
  repair?: ((texts: StaleTexts) => Repair | null) | undefined;
}

/** `null` where the path is what the claim says. Throws NOT_VIEWED when line numbers claim nothing, INVALID_INPUT. */
export async function checkBase(
  snapshot: Snapshot,
  claim: Precondition,
  path: string,
  viewer: Viewer,
  session: string,
): Promise<Stale | null> {
  const present = await snapshot.file(path);
  const { version, base, lines, repair, addressesLines } = claim;
  const who = { session, viewer, lines, repair };
  if (version !== undefined) {
    const stale = await checkVersion(snapshot, version, path, present, who);
    if (stale) return stale;
  }
  if (base !== undefined) return checkCommit(snapshot, base, path, present, who);
  const silent = version === undefined && addressesLines;
  return silent && present ? checkSeen(snapshot, path, present, who) : null;
}

/** The claimant of what the file was, and of which lines. */
interface Claimant extends Pick<Precondition, 'lines' | 'repair'> {
  session: string;
  viewer: Viewer;
}

/** `null` where the file has the version with these first digits. Throws INVALID_INPUT. */
export async function checkVersion(
  snapshot: Snapshot,
  version: string,
  path: string,
  present: StoredFile | null,
  { viewer, ...who }: Claimant,
): Promise<Stale | null> {
  checkVersionForm(version);
  if (present?.version.startsWith(version)) return null;
  if ((await snapshot.asRecorded(path))?.version.startsWith(version)) return null;
  const was = await versionNamed(snapshot, version, path, viewer);
  const what = `version ${version.slice(0, 12)}`;
  return { path, present, was, base: null, what, lastView: false, ...who };
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
  { viewer: _, ...who }: Claimant,
): Promise<Stale | null> {
  const { objects } = snapshot.context;
  const base = await snapshot.commit(named);
  const { tree } = await readEntry(objects, base);
  const held = await lookup(objects, tree, toTrail(snapshot.context, path));
  if (await snapshot.conversion.holds(path, present, held)) return null;
  const what = `commit ${shortId(base)}`;
  return { path, present, was: held?.oid ?? null, base, what, lastView: false, ...who };
}

/** Refuses line numbers without a base of a file that was never viewed (NOT_VIEWED); answers that view where the file has changed since. */
async function checkSeen(
  snapshot: Snapshot,
  path: string,
  present: StoredFile,
  { viewer, ...who }: Claimant,
): Promise<Stale | null> {
  const seen = viewer.get(path);
  if (seen?.version === present.version) return null;
  const shown = viewer.lines(path, present.version);
  if (shown && who.lines) {
    const { count } = linesOf(textFile(path, present.bytes, present.version).text);
    if (areShown(who.lines, shown, count)) return null;
  }
  if (!seen) {
    const { version } = present;
    const message = `${notShown(path, shown)}, so its line numbers are a guess. ${lookWords()}`;
    throw new EditError('NOT_VIEWED', message, { path, version, commit: snapshot.shown.parent });
  }
  const was = await blobSeen(snapshot, path, seen);
  return { path, present, was, base: seen.commit, what: 'your last view', lastView: true, ...who };
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
  return (await heldOnce(snapshot, path, found)) ? found : undefined;
}

export class Preconditions {
  /** The files that are planned on an old version, by their names before the change. */
  readonly rebased: Map<string, Rebased> = new Map();
  readonly #snapshot: Snapshot;
  readonly #viewer: Viewer;
  readonly #session: string;
  /** Names of this change, and what they were before it; `null`: the change made that file. */
  readonly #origins = new Map<string, string | null>();
  /** Files of which an edit said the version: what comes after it without a word means the same. */
  readonly #named = new Set<string>();

  constructor(snapshot: Snapshot, viewer: Viewer, session: string) {
    this.#snapshot = snapshot;
    this.#viewer = viewer;
    this.#session = session;
  }

  /** The first edit of a path. Throws STALE and NOT_VIEWED. Answers the file to plan on, as it was or as it is. */
  async first(path: string, claim: Precondition): Promise<StoredFile | null> {
    const claims = !isSilent(claim);
    const old = claims || claim.addressesLines ? await this.#oldOf(path, claim) : null;
    const present = await this.#snapshot.file(path);
    if (claims) this.#named.add(path);
    if (!old) return present;
    this.rebased.set(path, { ...old, present });
    return old.base;
  }

  /** A further edit of a path: its text is that of the plan by now, and not looked at any more. */
  async again(path: string, claim: Precondition): Promise<void> {
    const origin = this.#originOf(path);
    if (origin === null || !(await this.#snapshot.file(origin))) return;
    if (isSilent(claim) && this.#named.has(origin)) return;
    const old = await this.#oldOf(origin, claim);
    const planned = this.rebased.get(origin);
    if (!old && !(planned && claim.addressesLines)) return;
    if (old && planned && old.base?.version === planned.base?.version) return;
    throw new EditError(
      'INVALID_INPUT',
      `${pathName(path)}: an earlier edit of this change was decided on another version of it. Nothing was changed. Give all edits of one file the same ${fieldName('base')} or ${fieldName('version')}, or send them one after another.`,
      { path, version: (await this.#snapshot.file(origin))?.version ?? null },
    );
  }

  /** The names of files go with what the change does to them. */
  follow(change: FileChange): void {
    const { path } = change;
    if (change.kind === 'move') {
      this.#origins.set(change.to, this.#originOf(path));
      this.#origins.set(path, null);
    } else if (change.kind === 'delete') this.#origins.set(path, null);
  }

  #originOf(path: string): string | null {
    const known = this.#origins.get(path);
    return known === undefined ? path : known;
  }

  /** The old file to plan on, when the base is old and the caller wants the edit rebased; else `null`. */
  async #oldOf(path: string, claim: Precondition): Promise<Omit<Rebased, 'present'> | null> {
    const stale = await checkBase(this.#snapshot, claim, path, this.#viewer, this.#session);
    if (stale === null) return null;
    const base = claim.onStale === 'rebase' ? await oldFile(this.#snapshot, stale) : undefined;
    if (base === undefined) throw await staleError(this.#snapshot, stale);
    return { base, stale };
  }
}

function isSilent(claim: Precondition): boolean {
  return claim.base === undefined && claim.version === undefined;
}
