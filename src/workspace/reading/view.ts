/** View: a file as numbered lines, or a folder as a listing of two levels. */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { preflight } from '../../git/preflight.ts';
import type { StoredFile } from '../../stores/store.ts';
import { textFile } from '../../text/document.ts';
import { type Lines, linesOf } from '../../text/lines.ts';
import { numbered } from '../../text/numbered.ts';
import type { TrailHead } from '../../trail/head.ts';
import { readEntry } from '../../trail/walk.ts';
import type { Answer } from '../answer.ts';
import { syncTrail } from '../change/sync.ts';
import { type Context, toTrail } from '../context.ts';
import { wayTo } from '../missing.ts';
import { openTrail } from '../open-trail.ts';
import { findCommit } from '../revision.ts';
import { fileIn, Snapshot } from '../snapshot.ts';
import type { Views } from '../views.ts';
import { listFolder, MAX_ENTRIES } from './listing.ts';

export interface ViewInput {
  path: string;
  /** First and last line, 1-based; -1 is the end of the file. */
  view_range?: readonly number[] | undefined;
  /** A commit, as findCommit takes it. */
  at?: string | undefined;
  /** The most characters to show, notices not counted; default 60,000, at least 50. */
  max_characters?: number | undefined;
  /** The most entries of a folder; default 1,000. */
  max_entries?: number | undefined;
}

export const MAX_CHARACTERS = 60_000;
/** A smaller limit would show nothing of use: it is taken for this one, and the notices say so. */
export const LEAST_CHARACTERS = 50;
/** A longer line is cut, with a notice. */
export const MAX_LINE = 2_000;
/** What a cut line has besides its text: the number, the tab, how much is missing, the line end. */
const AROUND_CUT_LINE = 40;

export async function view(context: Context, input: ViewInput, views: Views): Promise<Answer> {
  await preflight(context.repo);
  const trail = await openTrail(context, 'begun');
  const snapshot = new Snapshot(context, (await syncTrail(context, trail)).trail);
  const at = input.at === undefined ? null : await findCommit(context, trail, input.at);
  const tree = at ? (await readEntry(context.objects, at)).tree : null;
  // Agents that see the workspace as all there is begin with `/`.
  const path = await snapshot.resolveFolder(input.path === '/' ? '.' : input.path);
  const limit = Math.max(input.max_characters ?? MAX_CHARACTERS, LEAST_CHARACTERS);
  const most = input.max_entries ?? MAX_ENTRIES;
  if (path === '') return listFolder(snapshot, path, { tree, at, limit, most });
  const find = (one: string): Promise<StoredFile | null> =>
    at ? fileIn(context, tree, one) : snapshot.file(one);
  const file = await orFolder(() => find(path));
  if (file === 'folder') return listFolder(snapshot, path, { tree, at, limit, most });
  if (!file) throw await notFound(snapshot, path, at, tree);
  // Refuses the slash that only a folder's name may end with.
  await snapshot.resolve(input.path);
  const kept = at ? file : (await snapshot.asRecorded(path))!;
  const commit = at ?? (await newestWith(context, trail, toTrail(context, path), kept.version));
  const recorded = at ? kept.version : (await snapshot.recorded(path))?.oid;
  const where = { commit, recorded: recorded === kept.version };
  const answer = viewFile(path, file, { range: input.view_range, limit }, where);
  // Only now: who is refused has been shown nothing.
  views.show(path, { version: file.version, recorded: kept.version, commit });
  return answer;
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
  const held = await lookup(objects, (await readEntry(objects, head)).tree, path);
  return held?.oid === version ? head : parent;
}

async function orFolder(read: () => Promise<StoredFile | null>): Promise<StoredFile | null | 'folder'> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof EditError && error.code === 'IS_DIRECTORY') return 'folder';
    throw error;
  }
}

async function notFound(
  snapshot: Snapshot,
  path: string,
  at: string | null,
  tree: string | null,
): Promise<EditError> {
  const where = at ? ` in ${at.slice(0, 12)}` : '';
  const { folder, suggestion, advice } = await wayTo(snapshot, path, tree);
  const message = `There is no file ${path}${where}. ${advice}`;
  return new EditError('FILE_NOT_FOUND', message, { path, folder, suggestion });
}

function viewFile(
  path: string,
  file: StoredFile,
  wanted: { range: readonly number[] | undefined; limit: number },
  where: { commit: string | null; recorded: boolean },
): Answer {
  const lines = linesOf(textFile(path, file.bytes, file.version).text);
  const range = checkRange(lines.count, wanted.range, path);
  const { limit } = wanted;
  const { text, last, cutLines } = shownLines(lines, range, limit);
  const notices = cutLines.map(cut => cutLineWords(lines, cut));
  if (last < range.to)
    notices.push(
      `[cut at ${limit} characters: lines ${last + 1}-${range.to} are not shown; view them with view_range [${last + 1}, ${range.to}]]`,
    );
  if (!where.recorded) notices.push('[the file differs from the trail: it was changed outside the engine]');
  const about = lines.count === 0 ? 'empty file' : `lines ${range.from}-${last} of ${lines.count}`;
  const commit = where.commit ? `, commit ${where.commit.slice(0, 12)}` : '';
  notices.push(`[${path}: ${about}, version ${file.version}${commit}]`);
  return {
    message: text + notices.join('\n'),
    data: {
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

interface Range {
  from: number;
  to: number;
}

/** The wanted lines of a file with `count` lines. Throws LINE_OUT_OF_RANGE with the valid range. */
export function checkRange(count: number, range: readonly number[] | undefined, path: string): Range {
  if (!range) return { from: Math.min(1, count), to: count };
  const [from, end] = range as [number, number];
  const to = end === -1 ? count : end;
  const inside = from >= 1 && to >= from && to <= count;
  if (inside) return { from, to };
  const valid =
    count === 0
      ? 'the file is empty: view it without view_range'
      : `give 1 <= first <= last <= ${count}, or -1 as last for the end of the file`;
  throw new EditError(
    'LINE_OUT_OF_RANGE',
    `view_range [${from}, ${end}] does not fit ${path}, which has ${count} lines: ${valid}.`,
    { path, min: 1, max: count, lines: count },
  );
}

interface CutLine {
  line: number;
  /** So many characters of it are shown. */
  at: number;
}

function cutLineWords(lines: Lines, { line, at }: CutLine): string {
  const more = at < MAX_LINE ? ': a larger max_characters shows more of it' : '';
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
