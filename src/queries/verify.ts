/** The check of a workspace: the trail by what it holds itself, then the files against its newest commit. */

import type { Answer } from '../engine/answer.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { purgedHere, sincePurged } from '../engine/revision.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { isInterrupted } from '../engine/transaction/journal/interrupted.ts';
import { EditError } from '../errors.ts';
import { exists } from '../fs/durable.ts';
import { orNull } from '../fs/fs.ts';
import { openObjects } from '../git/objects/object-database.ts';
import { preflight } from '../git/repository/preflight.ts';
import type { TrailHead } from '../history/head.ts';
import { type Fault, type FaultKind, fault, faultsOf } from '../history/verify/faults.ts';
import { type TrailReport, verifyTrail } from '../history/verify/verify.ts';
import { reviewFaults } from '../review/verify.ts';
import { checkSignatures, type SignedHead } from '../signing/check-signatures.ts';
import { shortId } from '../wording.ts';
import type { VerifyOptions } from './read-options.ts';

export type { Fault, FaultKind };

export interface VerifyData {
  /** True when nothing was found. */
  sound: boolean;
  trail: string | null;
  /** The newest commit: the id to note, and to expect the next time. */
  head: string | null;
  /** The commit that those checked came after, where only they were asked for and it is in the trail. */
  since: string | null;
  commits: number;
  files: number;
  /** At most FAULT_LIMIT; `found` counts all of them. */
  faults: Fault[];
  found: number;
  /** The newest commit that is signed; `null` where none is, or where a fault says why. */
  signed: SignedHead | null;
  /** Files that are not as the newest commit has them, each with why: no fault, as typing is none. At most FAULT_LIMIT. */
  changed: ChangedFile[];
}

export interface ChangedFile {
  /** As the workspace names it. */
  path: string;
  message: string;
}

const FAULT_LIMIT = 500;

/** The most changed files to name in the message. */
const NAMED = 16;

/** Checks the workspace, and changes nothing. Faults of the trail are answered. Throws INVALID_INPUT, STORE_FAILED. */
export async function verify(context: Context, options: VerifyOptions = {}): Promise<Answer<VerifyData>> {
  const expect = options.expect ?? [];
  expect.forEach(checkExpected);
  await preflight(context.repo);
  const trail = await headOrFault(context);
  if ('message' in trail)
    return answer(null, { faults: [trail], commits: 0, since: null, paths: [] }, null, []);
  const since = options.since === undefined ? undefined : await notedCommit(context, options.since);
  const report = await checkTrail(context, trail, { ...options, since, expect });
  const changed = context.store.separate ? await changedFiles(context, report.paths) : [];
  const { signed, faults } = await checkSignatures(context, trail);
  const all = [...report.faults, ...faults, ...(await interrupted(context))];
  return answer(trail, { ...report, faults: all }, signed, changed);
}

function checkExpected(id: string): void {
  if (/^[0-9a-f]{4,40}$/i.test(id)) return;
  const shown = JSON.stringify(id.slice(0, 60));
  const words = `${shown} cannot be expected: give the id of a commit, or 4 or more digits of it.`;
  throw new EditError('INVALID_INPUT', words, { field: 'expect' });
}

/** Returns the full id, where there is one such commit; else what was given, which is in no trail then. */
async function notedCommit(context: Context, given: string): Promise<string> {
  const { objects } = context;
  const shown = JSON.stringify(given.slice(0, 60));
  if (!/^[0-9a-f]{7,40}$/i.test(given)) {
    const words = `Nothing can be checked since ${shown}: give the id of a commit that was noted, or 7 or more digits of it.`;
    throw new EditError('INVALID_INPUT', words, { field: 'since' });
  }
  const found = await objects.expand(await sincePurged(context, given));
  if (found.length < 2) return found[0] ?? given;
  const words = `${shown} is the start of ${found.length} ids. Give more of it.`;
  throw new EditError('INVALID_INPUT', words, { field: 'since', candidates: found });
}

/** Opens the trail. A ref or a newest commit that cannot be read is a fault to find, and is returned. */
async function headOrFault(context: Context): Promise<TrailHead | Fault> {
  let trail: TrailHead | null = null;
  const [found] = await faultsOf('', null, async () => {
    trail = await openTrail(context);
    return [];
  });
  return trail ?? { ...found!, commit: null };
}

/** Checks trail and reviews. Reads objects from the disk again, past everything that this process remembers of them. */
async function checkTrail(
  context: Context,
  trail: TrailHead,
  options: VerifyOptions & { expect: readonly string[] },
): Promise<TrailReport> {
  const { fs, codec, repo } = context;
  const { maxEntries } = context.objects;
  const objectsDir = `${repo.commonDir}/objects`;
  const objects = openObjects({ fs, codec, objectsDir, maxEntries });
  // Ways back are made of characters, so they are checked by what encodings are declared.
  if (context.objects.ofPath) objects.ofPath = context.objects.ofPath;
  try {
    const purged = await purgedHere(context);
    const shallow = await shallowCommits(context);
    const report = await verifyTrail(objects, trail, { ...options, shallow, purged });
    const reviews = await reviewFaults(objects, repo, trail.ref);
    return { ...report, faults: [...report.faults, ...reviews] };
  } finally {
    await objects.close();
  }
}

/** Reads the commits whose parents a shallow clone does not have; see gitrepository-layout(5). */
async function shallowCommits({ fs, repo }: Context): Promise<ReadonlySet<string>> {
  const bytes = await orNull(fs.readFile(`${repo.commonDir}/shallow`));
  const lines = new TextDecoder().decode(bytes ?? new Uint8Array()).split('\n');
  return new Set(lines.filter(Boolean));
}

const PURGING = 'A purge runs, or was interrupted: the same vedit purge once more ends it.';

async function interrupted(context: Context): Promise<Fault[]> {
  if (await exists(context.fs, `${context.folder}/purging`)) return [fault('interrupted', null, PURGING)];
  if (!(await isInterrupted(context))) return [];
  return [fault('interrupted', null, 'An edit was interrupted; the next edit finishes it or takes it back.')];
}

/** The most times that the files are looked at, where edits were made meanwhile. */
const LOOKS = 5;

async function changedFiles(context: Context, paths: readonly string[]): Promise<ChangedFile[]> {
  for (let look = 1; ; look++) {
    const trail = await openTrail(context);
    const snapshot = await syncedSnapshot(context, trail);
    const changed: ChangedFile[] = [];
    for (const path of paths) changed.push(...(await changeOf(snapshot, path)));
    const now = await openTrail(context);
    if (changed.length === 0 || look === LOOKS || now.tip === trail.tip) return changed;
  }
}

/** Compares the recorded content with what git would record of the file. */
async function changeOf(snapshot: Snapshot, recordedPath: string): Promise<ChangedFile[]> {
  const path = fromTrail(snapshot.context, recordedPath);
  if (path === null) return [];
  const told = (message: string): ChangedFile[] => [{ path, message }];
  const entry = await snapshot.recorded(path);
  const recorded = entry?.mode === '40000' ? null : entry;
  try {
    if (await snapshot.isLeftOut(path)) return [];
    if (recorded?.mode === '160000') return [];
    const isFile = recorded?.mode.startsWith('100');
    const file = await (isFile ? snapshot.file(path) : snapshot.entry(path));
    if (await snapshot.conversion.isRecorded(path, file, recorded)) return [];
    if (!file) return told(`${path} is gone; the newest commit has it.`);
    if (!recorded) return told(`${path} is there; the newest commit does not have it.`);
    return told(`${path} was changed since, not through vedit.`);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    return recorded || error.code !== 'IS_DIRECTORY' ? told(error.message) : [];
  }
}

function answer(
  trail: TrailHead | null,
  { faults, since, commits, paths }: TrailReport,
  signed: SignedHead | null,
  changed: readonly ChangedFile[],
): Answer<VerifyData> {
  const data: VerifyData = {
    sound: faults.length === 0,
    trail: trail?.ref ?? null,
    head: trail?.tip ?? null,
    since,
    commits,
    files: paths.length,
    faults: faults.slice(0, FAULT_LIMIT),
    found: faults.length,
    signed,
    changed: changed.slice(0, FAULT_LIMIT),
  };
  return { message: words(data), data };
}

function words(data: VerifyData): string {
  const named = data.changed.slice(0, NAMED).map(({ message }) => message);
  if (data.changed.length > named.length) named.push(`and ${data.changed.length - named.length} more`);
  return [
    verdict(data),
    ...(data.signed ? [signedWords(data.signed)] : []),
    ...(named.length > 0 ? ['Not a fault, but for you to know:', ...named] : []),
  ].join('\n');
}

function signedWords({ head, time, by, unsigned }: SignedHead): string {
  const after = unsigned === 1 ? 'the commit after it is' : `the ${unsigned} commits after it are`;
  const end = unsigned === 0 ? 'which is the newest' : `and ${after} not signed`;
  return `Signed up to ${shortId(head)} by ${by} at ${time}, ${end}.`;
}

function verdict({ sound, head, trail, since, commits, files, faults, found }: VerifyData): string {
  const after = since === null ? '' : ` since ${shortId(since)}`;
  const what = `${commits} ${commits === 1 ? 'commit' : 'commits'}${after} and ${files} ${files === 1 ? 'file' : 'files'}`;
  if (sound && !head) return 'Nothing to check: the history has not begun.';
  if (sound)
    return `${what} checked, no fault. Note ${head}: expect it the next time, and a history that was cut off is found.`;
  const lines = faults.map(
    ({ kind, commit, message }) => `${kind}: ${commit ? `${shortId(commit)}: ` : ''}${message}`,
  );
  if (found > faults.length) lines.push(`and ${found - faults.length} more`);
  return [
    `${found} ${found === 1 ? 'fault' : 'faults'} in ${trail ?? 'the history'} (${what} checked):`,
    ...lines,
  ].join('\n');
}
