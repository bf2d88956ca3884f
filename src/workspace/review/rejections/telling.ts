/**
 * Rejections reach the agent: the next answer of the session whose edit it was, and of any that views or edits the file,
 * tells who rejected what and why, and so does each after it, until a later call of the session shows that it arrived.
 */

import { utf8 } from '../../../bytes.ts';
import { ensureFolder, replaceFile } from '../../../fs/durable.ts';
import { isMissing } from '../../../fs/fs.ts';
import { randomToken } from '../../../fs/lock/processes.ts';
import { counted } from '../../../text/words.ts';
import { pathName } from '../../../wording.ts';
import type { By } from '../../calls/events.ts';
import { type Context, fromTrail, toTrail } from '../../context.ts';
import { Snapshot } from '../../files/snapshot.ts';
import { openTrail } from '../../trails/open-trail.ts';
import type { Moment, Views } from '../../views.ts';
import { placeNow, quotedLines, reasonWords } from './put-back.ts';
import { bare } from './rejected-lines.ts';
import type { RejectedPlace, Rejection } from './rejection-book.ts';

/** A rejection as data. */
export interface ToldRejection {
  /** On the trail. */
  commit: string;
  path: string;
  reviewer: string;
  /** As the person gave it; '' for none. */
  reason: string;
  /** The lines that were rejected. */
  lines: string[];
  /** True where they were this session's own. */
  own: boolean;
}

/** What is added to an answer: a paragraph for the agent, and the same as data. */
export interface Told {
  message: string;
  rejections: ToldRejection[];
}

/** A call, as far as it tells what its caller knows. */
export interface ToldCall {
  /** The answers that were known when it was made. */
  known: Moment;
  /** Its id, by which it is known again when it is sent twice; undefined: none. */
  id: string | undefined;
  /** The data of its answer, or of its refusal, which names the files. */
  data: unknown;
}

/** Which answer told it, by its number in this process; 0: that of an earlier process. */
interface TellingOf {
  answer: number;
  call: string | null;
}

/** So many are told in one answer. */
const MOST = 5;

export class Telling {
  readonly #context: Context;
  readonly #by: By;
  readonly #views: Views;
  readonly #isKept: boolean;
  readonly #told = new Map<string, TellingOf>();
  readonly #arrived = new Set<string>();
  #isRead = false;

  /** `isKept`: what was told is known to later processes of the session; one without an id of its own has none. */
  constructor(context: Context, by: By, views: Views, isKept: boolean) {
    this.#context = context;
    this.#by = by;
    this.#views = views;
    this.#isKept = isKept;
  }

  /** What the answer to this call has to tell; `null`: nothing, as where nobody has rejected anything. Never throws. */
  async tell(call: ToldCall): Promise<Told | null> {
    if (this.#by.person) return null;
    try {
      const known = await this.#context.rejections.of(null);
      return known.length === 0 ? null : await this.#tellOf(known, call);
    } catch {
      // That it is told is worth less than the answer itself.
      return null;
    }
  }

  async #tellOf(known: readonly Rejection[], call: ToldCall): Promise<Told | null> {
    await this.#read();
    const before = this.#state();
    this.#noteArrived(call);
    const paths = new Set(pathsIn(call.data).map(path => toTrail(this.#context, path)));
    const isOurs = (one: Rejection): boolean =>
      one.sessions.has(this.#by.session) || one.places.some(({ path }) => paths.has(path));
    const open = known.filter(one => !this.#arrived.has(one.commit) && isOurs(one));
    const told = open.length === 0 ? null : await this.#words(open.slice(0, MOST), paths);
    const answer = told ? this.#views.tells() : 0;
    for (const { commit } of told?.rejections ?? [])
      this.#told.set(commit, { answer, call: call.id ?? null });
    if (this.#isKept && this.#state() !== before) await this.#write().catch(() => {});
    return told;
  }

  /** A call that was made when the answer was known, and is not the same one sent again, shows that it arrived. */
  #noteArrived({ known, id }: ToldCall): void {
    for (const [commit, { answer, call }] of this.#told) {
      const isKnown = known.some(([after, upTo]) => answer > after && answer <= upTo);
      if (!isKnown || (call !== null && call === id)) continue;
      this.#told.delete(commit);
      this.#arrived.add(commit);
    }
  }

  async #words(open: readonly Rejection[], paths: ReadonlySet<string>): Promise<Told | null> {
    const snapshot = new Snapshot(this.#context, await openTrail(this.#context));
    const lines: string[] = [];
    const rejections: ToldRejection[] = [];
    for (const one of open) {
      const own = one.sessions.has(this.#by.session);
      for (const place of one.places.filter(({ path }) => own || paths.has(path))) {
        const now = await placeNow(snapshot, one, place);
        const path = fromTrail(this.#context, place.path);
        if (now === null || path === null) continue;
        lines.push(paragraph(path, one, place, { own, now }));
        const { commit, reviewer, reason } = one;
        rejections.push({ commit, path, reviewer, reason, lines: place.added.map(bare), own });
      }
      if (!rejections.some(({ commit }) => commit === one.commit)) this.#arrived.add(one.commit);
    }
    return rejections.length === 0 ? null : { message: lines.join('\n'), rejections };
  }

  /** What was told to this session by other processes. */
  async #read(): Promise<void> {
    if (this.#isRead || !this.#isKept) return;
    this.#isRead = true;
    const { fs } = this.#context;
    const bytes = await fs.readFile(await this.#path()).catch(error => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (!bytes) return;
    const { told, arrived } = JSON.parse(new TextDecoder().decode(bytes)) as Stored;
    for (const [commit, call] of told) this.#told.set(commit, { answer: 0, call });
    for (const commit of arrived) this.#arrived.add(commit);
  }

  #state(): string {
    const told = [...this.#told].map(([commit, { call }]) => [commit, call] as const);
    const stored: Stored = { told, arrived: [...this.#arrived].slice(-KEPT) };
    return JSON.stringify(stored);
  }

  async #write(): Promise<void> {
    const { fs, folder } = this.#context;
    await ensureFolder(fs, toldFolder(folder));
    await ensureFolder(fs, `${folder}/tmp`);
    const temp = `${folder}/tmp/told-${randomToken()}`;
    await replaceFile(fs, await this.#path(), utf8(this.#state()), temp, { sync: false });
  }

  async #path(): Promise<string> {
    const { codec, folder } = this.#context;
    return `${toldFolder(folder)}/${await codec.hash('blob', utf8(this.#by.session))}`;
  }
}

/** Where it is kept what each session was told: a file for each, named by the hash of its id. */
export function toldFolder(engineFolder: string): string {
  return `${engineFolder}/told`;
}

/** Commits, each with the id of the call whose answer told it. */
export interface Stored {
  told: ReadonlyArray<readonly [commit: string, call: string | null]>;
  arrived: readonly string[];
}

/** So many that arrived are remembered. */
const KEPT = 1_000;

/** Ada rejected what you wrote in src/a.ts: "tokens must expire". It was `...`; line 5 is now `...`. */
function paragraph(
  path: string,
  { reviewer, reason }: Rejection,
  { added, now: restored }: RejectedPlace,
  { own, now }: { own: boolean; now: { start: number; end: number } },
): string {
  const whose = own ? 'what you wrote' : 'what an agent wrote';
  const took = added.length === 0 ? `that ${counted(restored.length, 'line')} were taken out` : whose;
  const was = added.length === 0 ? '' : ` It was ${quotedLines(added)};`;
  const where =
    now.end - now.start > 1 ? `lines ${now.start + 1}-${now.end} are` : `line ${now.start + 1} is`;
  const stands =
    now.end === now.start ? ' it is gone from the file.' : ` ${where} now ${quotedLines(restored)}.`;
  const words = `Note: ${reviewer} rejected ${took} in ${pathName(path)}${reasonWords(reason)}.${was}${stands}`;
  const next = added.length === 0 ? 'Do not take them out again' : 'Do not put it back; go on without it';
  return `${words} ${next}, or ask the person.`;
}

/** The files that an answer or a refusal is about. */
function pathsIn(data: unknown): string[] {
  const { path, paths } = Object(data) as { path?: unknown; paths?: unknown };
  const listed = Array.isArray(paths) ? paths.map(one => (typeof one === 'string' ? one : one?.path)) : [];
  return [path, ...listed].filter(one => typeof one === 'string');
}
