/**
 * The bytes that a file had. History holds what git records of it, and each commit says the form that the file had before and
 * after it, where that was another (`Vedit-Bytes`): a way back gives the file its bytes, not those of a checkout.
 *
 * The form says in a few characters what the bytes have besides what git records of them. `c`: each line end is CRLF and git
 * recorded LF; `12c3lc`: of how many, line by line; `utf-16>:c`: in which encoding, and that the order of bytes is big-endian.
 */

import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { aboutPath, type TrailMeta } from '../../history/message.ts';
import { fileAt, fileAtCommit, type Recorded } from '../../history/steps.ts';
import { type TrailEntry, walkRows } from '../../history/walk.ts';
import type { StoredFile } from '../../stores/store.ts';
import { hasMark, UTF16BE } from '../../text/encodings.ts';
import type { DraftedChange } from '../change/planned.ts';
import { toTrail } from '../context.ts';
import type { Known, Over } from './conversion.ts';
import { ENCODING, fromEncoded, type GitEncoding, gitEncoding, toEncoded } from './git-encoding.ts';
import type { Snapshot } from './snapshot.ts';

/** The trailer of a commit that makes these changes; of a file in place, nobody saw what it was before. */
export async function formTrailers(
  snapshot: Snapshot,
  changes: readonly DraftedChange[],
): Promise<Pick<TrailMeta, 'forms'>> {
  const forms: string[] = [];
  for (const { path, before, after, recorded, inPlace } of changes) {
    const [was, is] = [
      await formNow(snapshot, path, before, recorded.before),
      await formNow(snapshot, path, after, recorded.after),
    ];
    if (was === SAME && is === SAME) continue;
    forms.push(aboutPath(`${inPlace ? '?' : was}..${is}`, toTrail(snapshot.context, path)));
  }
  return forms.length > 0 ? { forms } : {};
}

/** True for a trailer of the file that the trail has at this path. */
export function isFormOf(trailer: string, path: string): boolean {
  return trailer === aboutPath(trailer.split(' ', 1)[0]!, path);
}

async function formNow(
  { conversion }: Snapshot,
  path: string,
  exact: StoredFile | null,
  recorded: StoredFile | null,
): Promise<string> {
  if (!exact || !recorded || exact.version === recorded.version) return SAME;
  return formOf(exact.bytes, recorded.bytes, await conversion.encoding(path));
}

/** A file as a commit found it, or left it. */
interface FormSide {
  recorded: Recorded;
  form: string;
}

interface FormSides {
  commit: string;
  before: FormSide;
  after: FormSide;
}

/** The most changes of the file that are searched for the text that comes back. */
const MOST = 200;

/** A file, the recorded one that its present text is over, the text that is to be recorded, and the edits that this is about. */
interface WayTo {
  now: StoredFile | null;
  over: Over | null;
  to: StoredFile;
  edits?: ReadonlySet<string>;
}

/** The file, and the text over which git would record it again as it was. */
type BroughtBack = StoredFile & { over?: StoredFile };

/**
 * Returns what a file becomes by a way back: the bytes that the text had when it was there, where nobody else changed the
 * file since; else lines that stay keep their line ends, and those that come back have the ones that they had.
 */
export async function broughtBack(
  snapshot: Snapshot,
  path: string,
  { now, over, to, edits = new Set() }: WayTo,
): Promise<BroughtBack> {
  const { conversion, context } = snapshot;
  const present = now && (await conversion.recorded(path, now, over));
  const isPlain = now?.version === present?.version && (await conversion.isByteForByte(path));
  const known: Known[] = [];
  let isAsLeft = now === null ? true : undefined;
  for await (const { commit, before, after } of formsOf(snapshot, path)) {
    // Where none was ever noted, nothing is to be looked for.
    if (isPlain && before.form === SAME && after.form === SAME) break;
    isAsLeft ??=
      after.recorded?.oid === present!.version &&
      after.form === (await formNow(snapshot, path, now, present));
    const held = [before, after].find(side => side.recorded?.oid === to.version);
    const bytes = held && (await inForm(path, to.bytes, held.form));
    if (bytes && isAsLeft)
      return { ...to, over: to, bytes, version: await context.codec.hash('blob', bytes) };
    if (held || edits.has(commit)) known.push(...(await textsOf(snapshot, [before, after])));
    if (bytes) break;
  }
  return conversion.onto(path, now, over, to, known);
}

/** The texts before and after a commit, with the line ends that they had. */
async function textsOf({ context }: Snapshot, sides: readonly FormSide[]): Promise<Known[]> {
  const known: Known[] = [];
  for (const { recorded, form } of sides) {
    if (!recorded?.mode.startsWith('100')) continue;
    const plain = (await context.objects.read(recorded.oid, 'blob')).content;
    const exact = withLineEnds(plain, form);
    if (exact) known.push({ exact, plain });
  }
  return known;
}

/** The commits of the trail that changed a file, newest first, with its forms; before it was moved, under its old name. */
async function* formsOf({ context, trail }: Snapshot, path: string): AsyncGenerator<FormSides> {
  let name = toTrail(context, path);
  const { objects } = context;
  let count = 0;
  const from = trail.tip && trail.parent;
  for await (const rows of walkRows(objects, from, { ownOnly: !trail.checkedOut })) {
    for (const row of rows) {
      if (row.isPlain && !row.paths.includes(name)) continue;
      const entry = await row.entry();
      if (!entry.meta?.paths.includes(name)) continue;
      const sides = await sidesOf(objects, entry, name);
      yield sides;
      if (sides.before.recorded === null) name = (await nameBefore(objects, entry, sides)) ?? name;
      if (++count === MOST) return;
    }
  }
}

/** The name that a file had before a commit that made it out of one that went with the same text. */
async function nameBefore(
  objects: ObjectDatabase,
  { parents, tree, meta }: TrailEntry,
  { after }: FormSides,
): Promise<string | null> {
  for (const path of meta!.paths) {
    const was = (await fileAt(objects, tree, path)) ? null : await fileAtCommit(objects, parents[0], path);
    if (was !== null && was.oid === after.recorded?.oid) return path;
  }
  return null;
}

async function sidesOf(
  objects: ObjectDatabase,
  { commit, parents, tree, meta }: TrailEntry,
  name: string,
): Promise<FormSides> {
  const said = meta!.forms?.find(one => isFormOf(one, name));
  const [was = SAME, is = SAME] = (said ?? '').split(' ', 1).flatMap(form => (form ? form.split('..') : []));
  const before = await fileAtCommit(objects, parents[0], name);
  const after = await fileAt(objects, tree, name);
  return { commit, before: { recorded: before, form: was }, after: { recorded: after, form: is } };
}

/** The form of a file whose bytes are what is recorded, and one that nobody knows. */
const SAME = '=';
const UNKNOWN = '?';

/** No trailer holds more; only a file that changes its line ends on thousands of lines has a longer one. */
const LONGEST = 3000;

const [LF, CR] = [10, 13];

/** Says the form of a file of which git records `recorded` by this encoding; `?` for one that cannot be told so. */
function formOf(exact: Uint8Array, recorded: Uint8Array, gits: GitEncoding | null): string {
  if (exact === recorded) return SAME;
  const plain = fromEncoded(gits, exact);
  const runs = plain && lineEndRuns(plain, recorded);
  if (runs === null) return UNKNOWN;
  const order = hasMark(exact, UTF16BE) ? '>' : '';
  const form = gits?.declared ? `${gits.label}${order}:${runs}` : runs;
  return form === '' || /^l?$/.test(form) ? SAME : form.length > LONGEST ? UNKNOWN : form;
}

/** Returns the bytes of a file that has this form; `null` where nobody knows it. */
async function inForm(path: string, recorded: Uint8Array, form: string): Promise<Uint8Array | null> {
  const plain = withLineEnds(recorded, form);
  const { label, order } = partsOf(form) ?? {};
  if (plain === null || label === undefined) return plain;
  const gits = await gitEncoding({ [ENCODING]: label });
  return toEncoded(gits, { path, plain, like: order ? UTF16BE.mark : null });
}

/** As `inForm`, with the line ends of the form and not its encoding. */
function withLineEnds(recorded: Uint8Array, form: string): Uint8Array | null {
  if (form === SAME) return recorded;
  const { runs } = partsOf(form) ?? {};
  return runs === undefined ? null : withRuns(recorded, runs);
}

function partsOf(form: string): Record<string, string | undefined> | undefined {
  return /^(?:(?<label>[\w.-]+)(?<order>>)?:)?(?<runs>(?:\d*[cl])*)$/.exec(form)?.groups;
}

/** The line ends of `plain`, of which git records the other bytes, as runs; the last one is as long as the file. */
function lineEndRuns(plain: Uint8Array, recorded: Uint8Array): string | null {
  const runs: Array<{ end: 'c' | 'l'; count: number }> = [];
  let at = 0;
  for (const byte of recorded) {
    const isDropped = byte === LF && plain[at] === CR && plain[at + 1] === LF;
    if (isDropped) at++;
    if (plain[at++] !== byte) return null;
    if (byte !== LF) continue;
    const end = isDropped ? 'c' : 'l';
    if (runs.at(-1)?.end === end) runs.at(-1)!.count++;
    else runs.push({ end, count: 1 });
  }
  if (at !== plain.length) return null;
  return runs.map(({ end, count }, n) => (n === runs.length - 1 || count === 1 ? '' : count) + end).join('');
}

function withRuns(recorded: Uint8Array, runs: string): Uint8Array {
  const wanted = [...runs.matchAll(/(\d*)([cl])/g)].map(([, count, end]) => ({
    end,
    left: Number(count || 1),
  }));
  const bytes = new Uint8Array(recorded.length + recorded.filter(byte => byte === LF).length);
  let [to, run] = [0, 0];
  for (const byte of recorded) {
    if (byte === LF && wanted.length > 0) {
      while (run < wanted.length - 1 && wanted[run]!.left === 0) run++;
      if (wanted[run]!.end === 'c') bytes[to++] = CR;
      wanted[run]!.left--;
    }
    bytes[to++] = byte;
  }
  return bytes.slice(0, to);
}
