/**
 * Rejections reach the agent: the next answer of the session whose edit it was, and of any that views or edits the file,
 * tells who rejected what and why, and so does each after it, until a later call of the session shows that it arrived.
 */

import { utf8 } from '../../bytes.ts';
import { ensureFolder, replaceFile } from '../../fs/durable.ts';
import { orNull } from '../../fs/fs.ts';
import { randomToken } from '../../fs/lock/processes.ts';
import {
  type LineSpan,
  lookAt,
  presentLines,
  type RejectedPlace,
  runsIn,
  type TextLines,
} from '../../line/rejected.ts';
import { counted } from '../../text/words.ts';
import { pathName } from '../../wording.ts';
import { isReadable } from '../admission/policy/readable.ts';
import type { By } from '../calls/events.ts';
import { syncedSnapshot } from '../change/sync.ts';
import { type Context, fromTrail, toTrail } from '../context.ts';
import { standing } from '../standing.ts';
import type { Moment, Views } from '../views.ts';
import { quotedLines, reasonWords } from './put-back.ts';
import { standingRejections, textsBack } from './rejected-text.ts';
import type { Rejection } from './rejection-book.ts';

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

/** The part that is added to an answer: a paragraph for the agent, and the same as data. */
export interface Told {
  message: string;
  rejections: ToldRejection[];
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

/** The most rejections that are told in one answer. */
const MOST = 5;

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
   * Returns what the answer to this call has to tell; `null`: nothing, as where nobody has rejected anything. Never
   * throws.
   */
  async tell(call: NotifiedCall): Promise<Told | null> {
    try {
      return await this.#tellOf(await this.#context.rejections.all(), call);
    } catch {
      // That it is told is worth less than the answer itself.
      return null;
    }
  }

  async #tellOf(known: readonly Rejection[], call: NotifiedCall): Promise<Told | null> {
    await this.#read();
    const before = this.#state();
    this.#noteArrived(call);
    const paths = new Set(pathsIn(call.data).map(path => toTrail(this.#context, path)));
    const isOurs = (one: Rejection): boolean =>
      one.sessions.has(this.#by.session) || one.lines.some(({ path }) => paths.has(path));
    const open = known.filter(one => !this.#arrived.has(one.commit) && isOurs(one));
    // A refusal for a rejection tells of it itself.
    const refusal: { commit?: unknown; reviewer?: unknown } = Object(call.data);
    const said = open.filter(({ commit }) => refusal.reviewer !== undefined && commit === refusal.commit);
    const left = open.filter(one => !said.includes(one));
    const told = left.length === 0 ? null : await this.#words(left.slice(0, MOST), paths);
    const all = [...said, ...(told?.rejections ?? [])];
    const answer = all.length > 0 ? this.#views.tells() : 0;
    for (const { commit } of all) this.#told.set(commit, { answer, call: call.id ?? null });
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

  async #words(open: readonly Rejection[], paths: ReadonlySet<string>): Promise<Told | null> {
    const lines: string[] = [];
    const rejections: ToldRejection[] = [];
    const snapshot = await syncedSnapshot(this.#context);
    const named = open.flatMap(one => one.lines.map(({ path }) => path));
    const read = await standing(snapshot, named);
    const files = await Promise.all(
      read.files.map(async ({ names, weave, ...file }) => {
        const text = presentLines(weave);
        const places = await standingRejections(this.#context, read, { names, weave, ...file });
        const back = new Set(textsBack(places, text).map(({ place }) => place));
        // Of text that stands in the file again an agent is told nothing.
        return { names, text, places: places.filter(({ place }) => !back.has(place)) };
      }),
    );
    const layers = await this.#context.policies.layers();
    for (const one of open) {
      const own = one.sessions.has(this.#by.session);
      for (const { names, text, places } of files) {
        const path = fromTrail(this.#context, names.at(-1)!);
        if (path === null || !(own || names.some(name => paths.has(name)))) continue;
        if (!(await isReadable(this.#context, layers, path))) continue;
        for (const { place } of places.filter(({ rejection }) => rejection.commit === one.commit)) {
          const { commit, reviewer, reason } = one;
          lines.push(paragraph(path, one, place, { own, now: linesNow(text, place) }));
          rejections.push({ commit, path, reviewer, reason, lines: [...place.added], own });
        }
      }
      if (!rejections.some(({ commit }) => commit === one.commit)) this.#arrived.add(one.commit);
    }
    return rejections.length === 0 ? null : { message: lines.join('\n'), rejections };
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
  const where =
    now.end - now.start > 1 ? `lines ${now.start + 1}-${now.end} are` : `line ${now.start + 1} is`;
  return ` ${where} now ${quotedLines(restored)}.`;
}

/** Lists the files that the data of an answer or a refusal is about. */
function pathsIn(data: unknown): string[] {
  const { path, paths } = Object(data) as { path?: unknown; paths?: unknown };
  const listed = Array.isArray(paths) ? paths.map(one => (typeof one === 'string' ? one : one?.path)) : [];
  return [path, ...listed].filter(one => typeof one === 'string');
}
