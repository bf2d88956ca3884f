/** The answer to an edit whose base is old: what changed since, by whom, and what to cite next. */

import { type ChangedBy, EditError } from '../../../errors.ts';
import { lookup } from '../../../git/objects/tree.ts';
import { changedPaths } from '../../../history/changed-paths.ts';
import type { TrailMeta } from '../../../history/message.ts';
import { type TrailEntry, walkTrail } from '../../../history/walk.ts';
import { isHead, isOutside } from '../../../operations.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { unifiedDiff } from '../../../text/diff/diff.ts';
import { textFile } from '../../../text/document.ts';
import type { LineRange } from '../../../text/snippet.ts';
import { cutLine } from '../../../text/words.ts';
import { fieldName, ifField, ifTool, look, pathName } from '../../../wording.ts';
import { toTrail } from '../../context.ts';
import { overRecorded } from '../../files/conversion.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import type { Viewer } from '../../views.ts';

/** The finding of a check of a base: the file is another than the caller said. */
export interface Stale {
  path: string;
  present: StoredFile | null;
  /** The blob that the edit was decided on; `null`: there was none; `undefined`: nobody knows of such a version. */
  was: string | null | undefined;
  /** The commit that the edit was decided on, when one is known. */
  base: string | null;
  /** The stale version in words: `version 1a2b3c`, `commit 1a2b3c`, `your last view`. */
  what: string;
  /** The base is what the session was last shown: its own edits count only because they moved lines. */
  lastView: boolean;
  by: Claimant;
}

/** The session that makes a call, and what it was shown by then. */
export interface Caller {
  session: string;
  /** See TurnOptions. */
  mayBeBroken?: boolean | undefined;
  viewer: Viewer;
}

/** An edit or a call that says what a file was, and of which lines. */
export interface Claimant extends Caller {
  /** The lines that the edit names, where it can tell, in the text that it was decided on. */
  lines?: readonly LineRange[] | undefined;
  /** Returns what to send instead of an edit that is refused as stale, where what it is about is unchanged. */
  repair?: ((texts: StaleTexts) => Repair | null) | undefined;
}

/** The call to send in place of an edit that is stale only in what it says of its base. */
export interface Repair {
  /** One line for callers that can cite a version: what is unchanged, and what to send. */
  words: string;
  /** The fields of the edit that have to be other values, by their paths (`edits[0].from`). */
  fields: Record<string, number>;
}

/** The two texts of a file whose edit is stale. */
export interface StaleTexts {
  path: string;
  base: StoredFile;
  present: StoredFile;
}

/** Limits of a diff, of which the beginning is shown: lines, characters of a line, and of all. */
const DIFF_LINES = 120;
const LONG_LINE = 300;
const DIFF_UNITS = 8_000;
/** Lines around each change in the message. */
const CLOSE = 1;
/** The most commits that are searched for who changed a path. */
const SEARCH = 500;

/** The refusal, with what changed since, by whom, and what to send instead. */
export async function staleError(snapshot: Snapshot, stale: Stale): Promise<EditError<'STALE'>> {
  const { path, present, what, was, base, lastView, by } = stale;
  const version = present?.version ?? null;
  const data = { path, version, commit: snapshot.shown.parent };
  if (was === undefined) {
    // What it says may be about another file.
    const message = `${pathName(path)} is not at ${what}, and is not known to have been.\n${nextStep(path, version)}`;
    return new EditError('STALE', message, {
      ...data,
      base: null,
      base_version: null,
      diff: null,
      changed_by: [],
    });
  }
  const since = await changesSince(snapshot, stale);
  const old = await oldFile(snapshot, stale);
  const whole = old === undefined ? null : diffOf(stale, old);
  const near = old === undefined ? '' : nearDiff(diffOf(stale, old, CLOSE) ?? '', by.lines);
  const repair = old && present && by.repair ? by.repair({ path, base: old, present }) : null;
  const next = lastView ? nextAfterView(path, version, near !== '') : nextStep(path, version);
  const message = [
    `${pathName(path)} changed since ${what}${whoWords(since, lastView)}.${near === '' ? '' : ` What changed${by.lines ? ' near there' : ''}:\n${near}`}`,
    // Without a version to cite, the right numbers would be refused as the wrong ones are.
    repair === null ? next : ifField('version', repair.words, next),
  ].join('\n');
  return new EditError('STALE', message, {
    ...data,
    base,
    base_version: was,
    diff: whole && cut(whole),
    changed_by: since,
    ...(repair ? { repair: repair.fields } : {}),
  });
}

/**
 * Says what to do about an old base that was cited; `version` is the present one, `null` where there is no file any more.
 */
export function nextStep(path: string, version: string | null): string {
  if (version === null)
    return `There is no such file now: ${look('folder')} its folder${ifTool('create', ', or create the file')}${ifField('version', ', without base and version')}.`;
  const orLook = ifTool('view first', `: ${look()} ${pathName(path)} again`);
  return `Decide the edit again on the present text${ifField('version', ` and cite ${citing(version)}`, orLook)}.`;
}

/** As nextStep, for line numbers of a view; `isShown`: the message shows what changed there. */
function nextAfterView(path: string, version: string | null, isShown: boolean): string {
  if (version === null) return nextStep(path, version);
  const byDiff = isShown
    ? ifField('version', ` with line numbers of the diff and ${citing(version)}, or`)
    : ':';
  const again = `Decide the edit again${byDiff} ${look()} ${pathName(path)} again.`;
  return ifTool('view first', again, nextStep(path, version));
}

function citing(version: string): string {
  return `${fieldName('version')} "${version.slice(0, 12)}"`;
}

/** True when the path held the blob at one of the newest commits. */
export async function wasOnceAt({ context, trail }: Snapshot, path: string, blob: string): Promise<boolean> {
  for await (const entry of walkTrail(context.objects, trail.parent, { ownOnly: false, limit: SEARCH }))
    if ((await lookup(context.objects, entry.tree, toTrail(context, path)))?.oid === blob) return true;
  return false;
}

async function changesSince(snapshot: Snapshot, facts: Stale): Promise<ChangedBy[]> {
  const { context, trail } = snapshot;
  const path = toTrail(context, facts.path);
  const since: ChangedBy[] = [];
  const recorded = await snapshot.recorded(facts.path);
  if (!(await snapshot.conversion.holds(facts.path, facts.present, recorded)))
    since.push({ commit: null, op: 'outside', by: 'outside' });
  for await (const entry of walkTrail(context.objects, trail.parent, { ownOnly: false, limit: SEARCH })) {
    if (entry.commit === facts.base) break;
    const held = await lookup(context.objects, entry.tree, path);
    if (facts.was === null ? facts.base !== null && !held : held?.oid === facts.was) break;
    const [changed] = await changedPaths(context.objects, entry, [path]);
    if (changed !== undefined) since.push(describe(entry, facts.by.session));
  }
  return since;
}

/** Says whose a change is. A commit that joins HEAD's history stands for the person's, whose id it has. */
export function describe({ commit, meta }: TrailEntry, session: string): ChangedBy {
  if (!meta || isHead(meta.op)) return { commit: meta?.head ?? commit, op: 'commit', by: 'outside' };
  const { op, session: theirs, agent } = meta;
  const by = isOutside(op) ? 'outside' : theirs === session ? 'this session' : 'another session';
  return {
    commit,
    op,
    by,
    ...(theirs ? { session: theirs } : {}),
    ...(agent ? { agent } : {}),
  };
}

/** An editor as history knows them: `codex, session 7f3a`. */
export function editorWords({ agent, session }: Pick<TrailMeta, 'agent' | 'session'>): string {
  return [agent, session && `session ${session}`].filter(Boolean).join(', ') || 'somebody else';
}

function whoWords(since: readonly ChangedBy[], movedLines: boolean): string {
  const own = since.filter(one => one.by === 'this session').length;
  const others = since.filter(one => one.by === 'another session');
  const outside = since.some(one => one.by === 'outside');
  const words: string[] = [];
  if (own > 0)
    words.push(`your own ${own === 1 ? 'edit' : 'edits'}${movedLines ? ', which moved lines' : ''}`);
  words.push(...new Set(others.map(one => one.agent ?? `session ${one.session}`)));
  if (outside) words.push('somebody, not through vedit');
  return words.length > 0 ? `, by ${words.join('; by ')}` : '';
}

/** The file that the edit was decided on, as it would be now; `undefined` when its content is not known. */
export async function oldFile(
  snapshot: Snapshot,
  { path, present, was }: Stale,
): Promise<StoredFile | null | undefined> {
  if (was === undefined) return undefined;
  if (was === null) return null;
  const object = await snapshot.context.objects.readOrNull(was);
  if (object?.type !== 'blob') return undefined;
  const bytes = await asPresent(snapshot, path, object.content);
  return { bytes, mode: present?.mode ?? '100644', version: was };
}

/** The diff from the base's text to the present one; `null` where one of them is not text. */
function diffOf({ path, present }: Stale, base: StoredFile | null, context?: number): string | null {
  try {
    const [oldText, newText] = [base, present].map(
      file => file && textFile(path, file.bytes, file.version).text,
    );
    const texts = { oldText: oldText!, newText: newText! };
    return unifiedDiff({
      oldPath: path,
      newPath: path,
      ...texts,
      ...(context === undefined ? {} : { context }),
    }).text;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

/** Recorded content with the line ends that the present file has, so that a diff shows nothing else. */
async function asPresent(snapshot: Snapshot, path: string, recorded: Uint8Array): Promise<Uint8Array> {
  const present = await snapshot.file(path);
  const over = overRecorded(snapshot.context, await snapshot.recorded(path));
  const version = await snapshot.context.codec.hash('blob', recorded);
  const file = { bytes: recorded, mode: present?.mode ?? '100644', version } as const;
  return (await snapshot.conversion.onto(path, present, over, file)).bytes;
}

function cut(diff: string): string {
  const lines = diff.replace(/\n$/, '').split('\n');
  const shown: string[] = [];
  let left = DIFF_UNITS;
  for (const line of lines.slice(0, DIFF_LINES)) {
    const short = cutLine(line, LONG_LINE);
    left -= short.length + 1;
    if (left < 0) break;
    shown.push(short);
  }
  const more = lines.length - shown.length;
  return `${shown.join('\n')}\n${more > 0 ? `[${more} more lines of diff: view the file]\n` : ''}`;
}

/** The most lines that are shown, and the most lines from the named ones. */
const SHOWN = 20;
const NEAR = 3;

/** One line of a hunk, with the line of the old text that it is, or stands before. */
interface DiffLine {
  text: string;
  old: number;
}

interface DiffHunk {
  header: string;
  lines: DiffLine[];
}

/**
 * The hunks of a unified diff near the named lines, without the names of the files, and of a long hunk its part there;
 * '' where nothing changed near them. Without named lines, the beginning.
 */
function nearDiff(diff: string, named: readonly LineRange[] | undefined): string {
  const shown: string[] = [];
  for (const { header, lines } of hunksOf(diff)) {
    const isNear = ({ old }: DiffLine): boolean =>
      !named || named.some(({ start, end }) => old >= start - NEAR && old <= end + NEAR);
    const near = lines.filter(isNear);
    if (!near.some(({ text }) => /^[-+]/.test(text))) continue;
    const some = near.slice(0, Math.max(0, SHOWN - shown.length));
    if (some.length === 0) break;
    if (some[0] !== lines[0]) shown.push(`@@ from line ${some[0]!.old} @@`);
    else shown.push(header);
    shown.push(...some.map(({ text }) => cutLine(text, LONG_LINE)));
    if (some.length < near.length) shown.push('...');
  }
  return shown.join('\n');
}

function hunksOf(diff: string): DiffHunk[] {
  const hunks: DiffHunk[] = [];
  let old = 0;
  for (const text of diff.replace(/\n$/, '').split('\n')) {
    const header = /^@@ -(\d+)(,0)?/.exec(text);
    if (header) {
      old = Number(header[1]) + (header[2] ? 1 : 0);
      hunks.push({ header: text, lines: [] });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined || !/^[-+ \\]/.test(text)) continue;
    hunk.lines.push({ text, old });
    if (/^[- ]/.test(text)) old++;
  }
  return hunks;
}
