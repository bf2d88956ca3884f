/** View: a file as numbered lines, or a folder as a listing of two levels. */

import type { Answer } from '../engine/answer.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import { type Context, toTrail } from '../engine/context.ts';
import { type FolderView, listFolder, MAX_ENTRIES } from '../engine/files/listing.ts';
import { wayTo } from '../engine/files/missing.ts';
import { fileIn, type Snapshot } from '../engine/files/snapshot.ts';
import { otherFormNote } from '../engine/files/unicode-name.ts';
import { findCommit } from '../engine/revision.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { waitingWords } from '../engine/transaction/aside/asides.ts';
import type { Views } from '../engine/views.ts';
import { EditError, ifRefused } from '../errors.ts';
import { lookup } from '../git/objects/tree.ts';
import { preflight } from '../git/repository/preflight.ts';
import type { TrailHead } from '../history/head.ts';
import { treeOf } from '../history/walk.ts';
import { late } from '../lazy.ts';
import type { StoredFile } from '../stores/store.ts';
import type { SymbolLines } from '../symbols/find.ts';
import { textFile } from '../text/document.ts';
import { type Lines, linesOf } from '../text/lines.ts';
import { numbered } from '../text/snippet.ts';
import { fieldName, look, pathName, shortId } from '../wording.ts';
import type { ViewInput } from './read-options.ts';

const outline = late(() => import('../symbols/index.ts'), 'outline');
const findSymbol = late(() => import('../symbols/index.ts'), 'findSymbol');

/** A file as view answers it. */
export interface FileView {
  kind: 'file';
  path: string;
  /** To cite in edits: the git blob id of the content. */
  version: string;
  /** The newest commit that holds it so; `null` where there is none. */
  commit: string | null;
  /** False when the file differs from the trail. */
  recorded: boolean;
  mode: StoredFile['mode'];
  /** The first and the last line that are shown, 1-based. */
  from: number;
  to: number;
  /** Lines and bytes of the whole file. */
  lines: number;
  bytes: number;
  /** True when something of the range is not shown. */
  cut: boolean;
  /** The shown lines, without numbers. */
  text: string;
  /** The symbols of the file, where they were asked for in place of the text. */
  outline?: readonly SymbolLines[];
  entries?: undefined;
}

export type ViewData = FileView | FolderView;

export const MAX_CHARACTERS = 60_000;
/** A smaller limit would show nothing of use: it is taken for this one, and the notices say so. */
export const LEAST_CHARACTERS = 50;
/** A longer line is cut, with a notice. */
export const MAX_LINE = 2_000;
/** The characters that a cut line has besides its text: the number, the tab, how much is missing, the line end. */
const AROUND_CUT_LINE = 40;

export async function view(context: Context, input: ViewInput, views: Views): Promise<Answer<ViewData>> {
  await preflight(context.repo);
  const trail = await openTrail(context);
  const snapshot = await syncedSnapshot(context, trail);
  const at = input.at === undefined ? null : await findCommit(context, trail, input.at);
  const tree = at ? await treeOf(context.objects, at) : null;
  // Agents that see the workspace as all there is begin with `/`.
  const path = await snapshot.resolveFolder(input.path === '/' ? '.' : input.path);
  const limit = Math.max(input.maxCharacters ?? MAX_CHARACTERS, LEAST_CHARACTERS);
  const most = input.maxEntries ?? MAX_ENTRIES;
  if (path === '') return listFolder(snapshot, path, { tree, at, limit, most });
  const find = (one: string): Promise<StoredFile | null> =>
    at ? fileIn(context, tree, one) : snapshot.file(one);
  const file = await find(path).catch(ifRefused<'folder'>('folder', 'IS_DIRECTORY'));
  if (file === 'folder') return listFolder(snapshot, path, { tree, at, limit, most });
  const note = at ? undefined : (await context.asides.of(context, trail.ref)).get(toTrail(context, path));
  const aside = note && waitingWords(note, path);
  if (!file) throw await notFound(snapshot, path, { at, tree, aside });
  // Refuses the slash that only a folder's name may end with.
  await snapshot.resolve(input.path);
  const kept = at ? file : (await snapshot.asRecorded(path))!;
  const commit = at ?? (await newestWith(context, trail, toTrail(context, path), kept.version));
  const recorded = at ? kept.version : (await snapshot.recorded(path))?.oid;
  const name = otherFormNote(input.path, path);
  const where = { commit, recorded: recorded === kept.version, aside, name };
  try {
    const { text } = textFile(path, file.bytes, file.version);
    const symbols = input.outline ? await outline(path, text) : undefined;
    const symbol = input.symbol === undefined ? undefined : await findSymbol(path, text, input.symbol);
    const range = symbol ? [symbol.doc_line, symbol.end_line] : input.viewRange;
    const whole = viewFile(path, file, { range: symbols ? [1, 1] : range, limit }, where);
    const answer = symbols ? outlined(whole, symbols, limit) : whole;
    // Only now: who is refused has been shown nothing.
    views.show(path, { version: file.version, recorded: kept.version, commit });
    return answer;
  } catch (error) {
    throw await snapshot.conversion.explained(error, file);
  }
}

/** The trail's newest commit; HEAD's where only that holds the content, because HEAD moved since the trail looked. */
async function newestWith(
  { objects }: Context,
  { parent, tree, head }: TrailHead,
  path: string,
  version: string,
): Promise<string | null> {
  if (head === null || head === parent) return parent;
  if (tree && (await lookup(objects, tree, path))?.oid === version) return parent;
  const held = await lookup(objects, await treeOf(objects, head), path);
  return held?.oid === version ? head : parent;
}

async function notFound(
  snapshot: Snapshot,
  path: string,
  { at, tree, aside }: { at: string | null; tree: string | null; aside: string | undefined },
): Promise<EditError> {
  const where = at ? ` in ${shortId(at)}` : '';
  const { folder, suggestion, advice } = await wayTo(snapshot, path, tree);
  const message = `There is no file ${pathName(path)}${where}. ${aside ?? advice}`;
  return new EditError('FILE_NOT_FOUND', message, { path, folder, suggestion });
}

function viewFile(
  path: string,
  file: StoredFile,
  wanted: { range: readonly number[] | undefined; limit: number },
  where: { commit: string | null; recorded: boolean; aside: string | undefined; name: string | null },
): Answer<FileView> {
  const lines = linesOf(textFile(path, file.bytes, file.version).text);
  const range = checkRange(lines.count, wanted.range, path);
  const { limit } = wanted;
  const { text, last, cutLines } = shownLines(lines, range, limit);
  const notices = cutLines.map(cut => cutLineWords(lines, cut));
  if (last < range.to)
    notices.push(
      `[cut at ${limit} characters: lines ${last + 1}-${range.to} are not shown; ${look()} them with ${fieldName('view_range')} [${last + 1}, ${range.to}]]`,
    );
  if (where.name) notices.push(`[${where.name}]`);
  if (where.aside) notices.push(`[${where.aside}]`);
  else if (!where.recorded)
    notices.push('[the file differs from history: it was changed, not through vedit]');
  const about = lines.count === 0 ? 'empty file' : `lines ${range.from}-${last} of ${lines.count}`;
  const commit = where.commit ? `, commit ${shortId(where.commit)}` : '';
  notices.push(`[${pathName(path)}: ${about}, version ${file.version}${commit}]`);
  return {
    message: text + notices.join('\n'),
    data: {
      kind: 'file',
      path,
      version: file.version,
      commit: where.commit,
      recorded: where.recorded,
      mode: file.mode,
      from: range.from,
      to: last,
      lines: lines.count,
      bytes: file.bytes.length,
      cut: last < range.to || cutLines.length > 0,
      text: last < Math.max(range.from, 1) ? '' : lines.text.slice(lines.start(range.from), lines.end(last)),
    },
  };
}

/** The answer with the symbols in place of the lines, as many as fit. */
function outlined(
  { message, data }: Answer<FileView>,
  symbols: readonly SymbolLines[],
  limit: number,
): Answer<FileView> {
  const rows = symbols.map(one => `${one.start_line}-${one.end_line}\t${one.name} (${one.kind})\n`);
  let size = 0;
  const shown = rows.filter((row, n) => (size += row.length) <= limit || n === 0);
  const more = rows.length - shown.length;
  const cut = `[cut at ${limit} characters: ${more} more symbols; ${fieldName('symbol')} shows one by its name]\n`;
  const [about] = message.split('\n').slice(-1) as [string];
  return {
    message:
      shown.join('') +
      (more > 0 ? cut : '') +
      about.replace(/: [^,]*/, `: ${rows.length} symbols in ${data.lines} lines`),
    data: { ...data, from: 0, to: 0, cut: more > 0, text: '', outline: symbols.slice(0, shown.length) },
  };
}

interface Range {
  from: number;
  to: number;
}

/**
 * The wanted lines of a file with `count` lines, up to its end where the range ends behind it. Throws LINE_OUT_OF_RANGE
 * with the valid range.
 */
export function checkRange(count: number, range: readonly number[] | undefined, path: string): Range {
  if (!range) return { from: Math.min(1, count), to: count };
  const [from, end] = range as [number, number];
  const to = end === -1 ? count : Math.min(end, count);
  if (from >= 1 && to >= from) return { from, to };
  // The first lines of an empty file are none.
  if (from === 1 && count === 0 && end !== 0) return { from: 0, to: 0 };
  const valid =
    count === 0
      ? `the file is empty: ${look()} it without ${fieldName('view_range')}`
      : `give 1 <= first <= ${count} and first <= last, or -1 as last for the end of the file`;
  throw new EditError(
    'LINE_OUT_OF_RANGE',
    `${fieldName('view_range')} [${from}, ${end}] does not fit ${pathName(path)}, which has ${count} lines: ${valid}.`,
    { path, min: 1, max: count, line_count: count },
  );
}

interface CutLine {
  line: number;
  /** The number of characters of the line that are shown. */
  at: number;
}

function cutLineWords(lines: Lines, { line, at }: CutLine): string {
  const more = at < MAX_LINE ? `: a larger ${fieldName('max_characters')} shows more of it` : '';
  return `[line ${line} is ${lines.content(line).length} characters long, cut at ${at}${more}]`;
}

/** As many whole lines of the range as fit; of the first, when it does not fit, as much as does. */
function shownLines(
  lines: Lines,
  range: Range,
  limit: number,
): { text: string; last: number; cutLines: CutLine[] } {
  const parts: string[] = [];
  const cutLines: CutLine[] = [];
  let size = 0;
  let last = range.from - 1;
  for (let line = range.from; line <= range.to && line > 0; line++) {
    let at = MAX_LINE;
    let one = shownLine(lines, line, at);
    if (size + one.length > limit && parts.length > 0) break;
    if (one.length > limit) {
      at = Math.min(MAX_LINE, limit - AROUND_CUT_LINE);
      one = shownLine(lines, line, at);
    }
    parts.push(one);
    size += one.length;
    last = line;
    if (lines.content(line).length > at) cutLines.push({ line, at });
  }
  return { text: parts.join(''), last: Math.max(last, 0), cutLines };
}

function shownLine(lines: Lines, line: number, maxLineLength: number): string {
  return `${numbered(lines, line, line, { maxLineLength })}\n`;
}
