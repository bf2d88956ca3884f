/**
 * Rejections and comments reach the agent: the next answer of the session whose edit it was, and of any that views or edits the
 * file, tells who rejected what and why, or said what of it, and so does each after it, until a later call of the session shows
 * that it arrived.
 */

import { utf8 } from '../../bytes.ts';
import { ensureFolder, replaceFile } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import type { LineFile, LineFiles } from '../../line/files.ts';
import { type LineSpan, lookAt, presentLines, type RejectedPlace, runsIn } from '../../line/rejected.ts';
import { textOf } from '../../line/row.ts';
import type { HunkLines, TextLines } from '../../line/text-lines.ts';
import { counted, cutLine, lineWords } from '../../text/words.ts';
import { fieldName, ifTool, pathName, shortId } from '../../wording.ts';
import { isReadable } from '../admission/policy/readable.ts';
import type { By } from '../calls/events.ts';
import { syncedSnapshot } from '../change/sync.ts';
import { type Context, fromTrail, toTrail } from '../context.ts';
import { standing } from '../standing.ts';
import type { Moment, Views } from '../views.ts';
import { commentedRows } from './comments.ts';
import { quotedLines, reasonWords } from './put-back.ts';
import { type StandingRejection, standingRejections, textsBack } from './rejected-text.ts';
import { type Booked, type BookedComment, isRejection, type Rejection } from './rejection-book.ts';

export interface ToldRejection {
  /** On the trail. */
  commit: string;
  path: string;
  reviewer: string;
  /** The person's reason; '' for none. */
  reason: string;
  lines: string[];
  /** True for lines that this session wrote. */
  own: boolean;
}

export interface ToldComment {
  /** By which the agent replies to it. */
  comment: string;
  path: string;
  author: string;
  text: string;
  /** Where the lines are now, 1-based; `null`: the whole file, or lines that are gone. */
  lines: { start_line: number; end_line: number } | null;
  /** True for lines that this session wrote. */
  own: boolean;
}

/** The part that is added to an answer: a line for each, and the same as data. */
export interface Told {
  message: string;
  rejections: ToldRejection[];
  comments: ToldComment[];
}

export interface NotifiedCall {
  /** The answers that were known when the call was made. */
  known: Moment;
  /** Its id, by which it is known again when it is sent twice; undefined: none. */
  id: string | undefined;
  /** The data of its answer, or of its refusal, which names the files. */
  data: unknown;
}

/** The answer that told it, by its number in this process; 0: that of an earlier process. */
interface NoticeOf {
  answer: number;
  call: string | null;
}

type Note = Rejection | BookedComment;

const pathsOf = (note: Note): string[] =>
  isRejection(note) ? note.lines.map(({ path }) => path) : [note.path];

/** The most rejections and comments that are told in one answer. */
const MOST = 5;

/** A file that something was said of. `isNear`: the call is about it. */
interface NotedFile {
  path: string;
  names: readonly string[];
  line: LineFile;
  text: TextLines;
  places: readonly StandingRejection[];
  isNear: boolean;
}

export class RejectionNotifier {
  readonly #context: Context;
  readonly #by: By;
  readonly #views: Views;
  readonly #isKept: boolean;
  readonly #told = new Map<string, NoticeOf>();
  readonly #arrived = new Set<string>();
  #isRead = false;

  /** `isKept`: what was told is known to later processes of the session; one without an id of its own has none. */
  constructor(context: Context, by: By, views: Views, isKept: boolean) {
    this.#context = context;
    this.#by = by;
    this.#views = views;
    this.#isKept = isKept;
  }

  /**
   * Returns what the answer to this call has to tell; `null`: nothing, as where nobody has said anything. Never throws.
   */
  async tell(call: NotifiedCall): Promise<Told | null> {
    try {
      return await this.#tellOf(await this.#context.rejections.read(), call);
    } catch {
      // That it is told is worth less than the answer itself.
      return null;
    }
  }

  async #tellOf({ rejections, comments }: Booked, call: NotifiedCall): Promise<Told | null> {
    await this.#read();
    const before = this.#state();
    this.#noteArrived(call);
    const paths = new Set(pathsIn(call.data).map(path => toTrail(this.#context, path)));
    const open = (notes: readonly Note[]): Note[] =>
      notes.filter(
        note =>
          !this.#arrived.has(note.commit) &&
          (note.sessions.has(this.#by.session) || pathsOf(note).some(path => paths.has(path))),
      );
    // A refusal for a rejection tells of it itself.
    const refusal: { commit?: unknown; reviewer?: unknown } = Object(call.data);
    const isSaid = ({ commit }: Note): boolean => refusal.reviewer !== undefined && commit === refusal.commit;
    const all = [...open(rejections), ...open(comments)];
    const left = all.filter(note => !isSaid(note)).slice(0, MOST);
    const told = left.length === 0 ? null : await this.#words(left, paths);
    const said = all.filter(isSaid).map(({ commit }) => commit);
    if (told) said.push(...told.rejections.map(one => one.commit), ...told.comments.map(one => one.comment));
    const answer = said.length > 0 ? this.#views.tells() : 0;
    for (const commit of said) this.#told.set(commit, { answer, call: call.id ?? null });
    if (this.#isKept && this.#state() !== before) await this.#write().catch(() => {});
    return told;
  }

  /** A call that was made when the answer was known, and is not the same one sent again, shows that it arrived. */
  #noteArrived({ known, id }: NotifiedCall): void {
    for (const [commit, { answer, call }] of this.#told) {
      const isKnown = known.some(([after, upTo]) => answer > after && answer <= upTo);
      if (!isKnown || (call !== null && call === id)) continue;
      this.#told.delete(commit);
      this.#arrived.add(commit);
    }
  }

  /** Puts what people said into words; `null`: the session has nothing of it to hear. */
  async #words(notes: readonly Note[], paths: ReadonlySet<string>): Promise<Told | null> {
    const snapshot = await syncedSnapshot(this.#context);
    const read = await standing(snapshot, notes.flatMap(pathsOf));
    const files = await this.#filesOf(read, notes.filter(isRejection), paths);
    const lines: string[] = [];
    const told: Told = { message: '', rejections: [], comments: [] };
    for (const note of notes) {
      const own = note.sessions.has(this.#by.session);
      const near = files.filter(({ isNear }) => own || isNear);
      const said = isRejection(note)
        ? tellRejection(note, own, near, told)
        : tellComment(note, own, near, read, told);
      if (said.length === 0) this.#arrived.add(note.commit);
      lines.push(...said);
    }
    return lines.length === 0 ? null : { ...told, message: lines.join('\n') };
  }

  /** The files that the agent may see, with the places of rejections whose text does not stand there again. */
  async #filesOf(
    read: LineFiles,
    rejections: readonly Rejection[],
    paths: ReadonlySet<string>,
  ): Promise<NotedFile[]> {
    const layers = await this.#context.policies.layers();
    const found: NotedFile[] = [];
    for (const line of read.files) {
      const { names, weave } = line;
      const path = fromTrail(this.#context, names.at(-1)!);
      if (path === null || !(await isReadable(this.#context, layers, path))) continue;
      const text = presentLines(weave);
      const all = await standingRejections(this.#context, read, line, rejections);
      const back = new Set(textsBack(all, weave).map(({ place }) => place));
      const places = all.filter(({ place }) => !back.has(place));
      found.push({ path, names, line, text, places, isNear: names.some(name => paths.has(name)) });
    }
    return found;
  }

  /** Reads what was told to this session by other processes. */
  async #read(): Promise<void> {
    if (this.#isRead || !this.#isKept) return;
    this.#isRead = true;
    const bytes = await orNull(this.#context.fs.readFile(await this.#path()));
    if (!bytes) return;
    const { told, arrived } = JSON.parse(new TextDecoder().decode(bytes)) as Stored;
    for (const [commit, call] of told) this.#told.set(commit, { answer: 0, call });
    for (const commit of arrived) this.#arrived.add(commit);
  }

  #state(): string {
    const told = [...this.#told].map(([commit, { call }]) => [commit, call] as const);
    const stored: Stored = { told, arrived: [...this.#arrived].slice(-MOST_REMEMBERED) };
    return JSON.stringify(stored);
  }

  async #write(): Promise<void> {
    const { fs, folder } = this.#context;
    await ensureFolder(fs, notifiedFolder(folder));
    await ensureFolder(fs, `${folder}/tmp`);
    const temp = `${folder}/tmp/told-${randomToken()}`;
    await replaceFile(fs, await this.#path(), utf8(this.#state()), temp, { sync: false });
  }

  async #path(): Promise<string> {
    const { codec, folder } = this.#context;
    return `${notifiedFolder(folder)}/${await codec.hash('blob', utf8(this.#by.session))}`;
  }
}

/** Returns the folder that keeps what each session was told: a file for each, named by the hash of its id. */
export function notifiedFolder(engineFolder: string): string {
  return `${engineFolder}/told`;
}

/** Commits, each with the id of the call whose answer told it. */
export interface Stored {
  told: ReadonlyArray<readonly [commit: string, call: string | null]>;
  arrived: readonly string[];
}

/** The most commits of rejections that are remembered as arrived. */
const MOST_REMEMBERED = 1_000;

/** Adds the places of a rejection to what is told; answers the words, none where nothing of it stands. */
function tellRejection(note: Rejection, own: boolean, files: readonly NotedFile[], told: Told): string[] {
  const { commit, reviewer, reason } = note;
  const said: string[] = [];
  for (const { path, text, places } of files)
    for (const { place } of places.filter(({ rejection }) => rejection.commit === commit)) {
      said.push(paragraph(path, note, place, { own, now: linesNow(text, place) }));
      told.rejections.push({ commit, path, reviewer, reason, lines: [...place.added], own });
    }
  return said;
}

/** Adds a comment to what is told; answers the words. */
function tellComment(
  note: BookedComment,
  own: boolean,
  files: readonly NotedFile[],
  read: LineFiles,
  told: Told,
): string[] {
  const file = files.find(({ names }) => names.includes(note.path));
  const rows = file ? commentedRows(read, file.line, note) : [];
  // Of text that landed since, others have nothing to hear.
  if (!file || !(own || rows.some(row => row.head !== textOf(row)))) return [];
  const { path, text } = file;
  const there = text.linesOf(rows);
  const lines = note.lines && there.end_line >= there.start_line ? there : null;
  const { commit: comment, author, text: said } = note;
  told.comments.push({ comment, path, author, text: said, lines, own });
  return [commentWords(path, note, own, lines && { ...lines, lines: text.lines })];
}

/** Finds where the lines stand that the rejection put in; `null` where they are others by now. */
function linesNow(text: TextLines, place: RejectedPlace): LineSpan | null {
  const { gap } = lookAt(place, text);
  if (place.now.length === 0) return { start: gap.start, end: gap.start };
  return runsIn(text.lines, gap, place.now)[0] ?? null;
}

/** Ada rejected what you wrote in src/a.ts: "tokens must expire". It was `...`; line 5 is now `...`. */
function paragraph(
  path: string,
  { reviewer, reason }: Rejection,
  { added, now: restored }: RejectedPlace,
  { own, now }: { own: boolean; now: LineSpan | null },
): string {
  const whose = own ? 'what you wrote' : 'what an agent wrote';
  const took = added.length === 0 ? `that ${counted(restored.length, 'line')} were taken out` : whose;
  const was = added.length === 0 ? '' : ` It was ${quotedLines(added)}${now ? ';' : '.'}`;
  const words = `Note: ${reviewer} rejected ${took} in ${pathName(path)}${reasonWords(reason)}.${was}${standsWords(restored, now)}`;
  const next = added.length === 0 ? 'Do not take them out again' : 'Do not put it back; go on without it';
  return `${words} ${next}, or ask the person.`;
}

function standsWords(restored: readonly string[], now: LineSpan | null): string {
  if (!now) return '';
  if (now.end === now.start) return ' it is gone from the file.';
  const verb = now.end - now.start > 1 ? 'are' : 'is';
  return ` ${lineWords(now.start + 1, now.end)} ${verb} now ${quotedLines(restored)}.`;
}

/** Ada commented on what you wrote in src/a.ts line 5, `...`: "why not a constant?". It is no rejection: ... */
function commentWords(
  path: string,
  { commit, author, text, lines }: BookedComment,
  own: boolean,
  span: (HunkLines & { lines: readonly string[] }) | null,
): string {
  const whose = own ? 'what you wrote' : 'what is written';
  const now = span
    ? ` ${lineWords(span.start_line, span.end_line)}, now ${quotedLines(span.lines.slice(span.start_line - 1, span.end_line))}`
    : '';
  const where = lines && !span ? ', in lines that are gone' : now;
  const id = shortId(commit);
  const how = ifTool(
    'reply',
    tool => `answer it with ${tool}, ${fieldName('comment')} ${id}`,
    `answer it with: vedit reply ${id} <text>`,
  );
  const said = JSON.stringify(cutLine(text.replace(/\s+/g, ' '), QUOTED));
  return `Note: ${author} commented on ${whose} in ${pathName(path)}${where}: ${said}. It is no rejection, and the text stands: change it if you see why, and ${how}.`;
}

/** The most characters of a comment that are told. */
const QUOTED = 4_000;

/** Lists the files that the data of an answer or a refusal is about. */
function pathsIn(data: unknown): string[] {
  const { path, paths } = Object(data) as { path?: unknown; paths?: unknown };
  const listed = Array.isArray(paths) ? paths.map(one => (typeof one === 'string' ? one : one?.path)) : [];
  return [path, ...listed].filter(one => typeof one === 'string');
}
