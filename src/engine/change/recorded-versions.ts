/**
 * An edit as the tool tells it that made it: what the file held before and after, whatever others wrote before, after and
 * since.
 */

import { utf8 } from '../../bytes.ts';
import { editNamed } from '../../edits/index.ts';
import type { StoredFile } from '../../stores/store.ts';
import { encodeText, encodingOf, isNoText, readableText, textFile } from '../../text/document.ts';
import { applySpans } from '../../text/spans.ts';
import { overFile } from '../files/conversion.ts';
import { recordedFile, type Snapshot } from '../files/snapshot.ts';
import { borneOut, isBetween, type ToldTexts } from './borne-out.ts';
import type { DraftedChange, RecordedVersions } from './planned.ts';
import type { ToldEdit } from './record-options.ts';

/** By the words and what is recorded and there now. `null`: nobody can tell. */
export async function recordedVersions(
  snapshot: Snapshot,
  path: string,
  told: ToldEdit,
): Promise<RecordedVersions | null> {
  const present = await snapshot.file(path);
  const recorded = await checkedOutFile(snapshot, path);
  if (told.left === undefined && present?.version === recorded?.version)
    return { was: present, became: present };
  const texts = textsBefore(told, { path, recorded: textIn(recorded), present: textIn(present) });
  if (texts === null) return null;
  const like = present ?? recorded;
  const file = async (text: string | null): Promise<StoredFile | null> => {
    if (text === null) return null;
    for (const known of [present, recorded]) if (known && sameText(textIn(known), text)) return known;
    const encoding = like ? encodingOf(like.bytes) : undefined;
    const bytes = encodeText(likeFile(text, textIn(like)), false, encoding, path);
    const version = await snapshot.context.codec.hash('blob', bytes);
    return { bytes, mode: like?.mode ?? '100644', version };
  };
  try {
    return { was: await file(texts.was), became: await file(texts.became) };
  } catch (error) {
    // The file cannot have held a text that its encoding lacks characters for.
    if (isNoText(error)) return null;
    throw error;
  }
}

/** Returns the change to record for a tool's account; nothing where it left the file as it was, or is recorded. */
export async function recordedChange(
  snapshot: Snapshot,
  path: string,
  { was, became }: RecordedVersions,
): Promise<DraftedChange[]> {
  const { conversion } = snapshot;
  const recorded = await snapshot.recorded(path);
  if (was?.version === became?.version || (await conversion.isRecorded(path, became, recorded))) return [];
  if (became) await conversion.check(path);
  const over = overFile(await checkedOutFile(snapshot, path));
  const before = was && (await conversion.recorded(path, was, over));
  const after = became && (await conversion.recorded(path, became, over));
  return [{ path, before: was, after: became, recorded: { before, after }, inPlace: true }];
}

async function checkedOutFile(snapshot: Snapshot, path: string): Promise<StoredFile | null> {
  const recorded = await snapshot.recorded(path);
  if (!recorded?.mode.startsWith('100')) return null;
  const file = await recordedFile(snapshot.context, path, recorded);
  return snapshot.conversion.checkedOut(path, file);
}

/** Undefined: a file that is no text. */
type Text = string | null | undefined;

interface KnownTexts {
  path: string;
  recorded: Text;
  present: Text;
}

/** Pure. */
export function textsBefore(told: ToldEdit, { path, recorded, present }: KnownTexts): ToldTexts | null {
  const { original, result, steps, patch, left = { text: present } } = told;
  const there = left === 'unknown' ? undefined : left.text;
  const done = (from: Text): Text => {
    if (result !== undefined) return result;
    if (steps) return from === undefined ? undefined : replaced(from, steps);
    return patch !== undefined && from !== undefined ? patched(from, path, patch) : undefined;
  };
  for (const was of original === undefined ? [recorded] : [original, recorded]) {
    const became = done(was);
    if (was === undefined || became === undefined) break;
    if (there === undefined) return { was, became };
    const texts = { was: like(was), became: like(became) };
    if (recorded !== undefined && !isBetween(like(recorded), texts, like(there))) continue;
    const found = borneOut(texts, [like(there), ...(typeof present === 'string' ? [like(present)] : [])]);
    return { was, became: found === texts.became ? became : found === texts.was ? was : found };
  }
  if (!steps || typeof present !== 'string') return null;
  const back = steps.toReversed().map(({ old, new: now }) => ({ old: now, new: old }));
  const undone = replaced(present, back);
  const isNew = steps.some(({ new: now }) => !plainLineEnds(recorded ?? '').includes(plainLineEnds(now)));
  return undone === undefined || !isNew ? null : { was: undone, became: present };
}

/** Returns a text as tools tell it. */
function like(text: string | null): string | null {
  return text === null ? null : plain(text);
}

/** Undefined where an old text is not there, or where it cannot be told which is meant. */
function replaced(from: string | null, steps: NonNullable<ToldEdit['steps']>): string | undefined {
  let text = from === null ? '' : plainLineEnds(from);
  for (const { old, new: now, all } of steps) {
    const [wanted, given] = [plainLineEnds(old), plainLineEnds(now)];
    // That is how a file is made.
    if (wanted === '' && text !== '') return undefined;
    const parts = wanted === '' ? ['', ''] : text.split(wanted);
    if (parts.length < 2 || (parts.length > 2 && !all)) return undefined;
    text = parts.join(given);
  }
  return text;
}

/** Returns what the part of a patch that is about this file makes of the text. */
function patched(from: string | null, path: string, patch: string): Text {
  const parts = patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m).slice(1);
  const own = parts.filter(part => isAbout(path, /^\*\*\* \w+ File: (.+?)\r?$/m.exec(part)?.[1]));
  if (own.length !== 1) return undefined;
  const part = own[0]!.replace(/^\*\*\* End Patch[\s\S]*/m, '').replace(/File: .+/, () => `File: ${path}`);
  if (/^\*\*\* (Delete|Move to)/m.test(part)) return null;
  const file = from === null ? null : textFile(path, utf8(from), '');
  try {
    const input = { patch: `*** Begin Patch\n${part}*** End Patch\n` };
    const edit = editNamed('apply_patch')!;
    edit.check!(input as never);
    const [change] = edit.plan(input as never, new Map([[path, file]]));
    if (change?.kind === 'create') return change.text;
    return change?.kind === 'modify' && file ? applySpans(file.text, change.spans) : undefined;
  } catch {
    return undefined;
  }
}

function isAbout(path: string, named: string | undefined): boolean {
  const plain = named?.trim().replaceAll('\\', '/').replace(/^\.\//, '');
  return plain === path || (plain?.endsWith(`/${path}`) ?? false);
}

function textIn(file: StoredFile | null): Text {
  return file && readableText('', file)?.marked;
}

function plainLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Tools tell texts without a byte order mark, and with the line ends of their own. */
function sameText(known: Text, text: string): boolean {
  return typeof known === 'string' && plain(known) === plain(text);
}

function plain(text: string): string {
  return plainLineEnds(text.replace(/^\ufeff/, ''));
}

/** Returns the text with the byte order mark and the line ends of the file, where all of these are alike. */
function likeFile(text: string, file: Text): string {
  if (typeof file !== 'string') return text;
  const isCrLf = file.includes('\r\n') && !/(^|[^\r])\n/.test(file);
  const mark = file.startsWith('\ufeff') && !text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + (isCrLf ? plainLineEnds(text).replaceAll('\n', '\r\n') : text);
}
