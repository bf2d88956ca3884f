/** Answers to a page, whichever way it asks: over HTTP, or through the host that shows it as an MCP App. */

import type { Answer } from '../../../engine/answer.ts';
import { asEditError } from '../../../engine/calls/failure.ts';

import type { BlameLine } from '../../../queries/blame.ts';
import type { Timeline } from '../../../queries/timeline.ts';
import { type Refusal, refusal } from '../../../tools/run.ts';
import { ALL_HUNKS, IMAGES, typeOf } from '../listing.ts';
import { Actions, type ActorInSession, type Asked, type PageActor } from './actions.ts';
import { CurrentReview } from './current-review.ts';
import { News } from './news.ts';

const ENTRIES = 100;
const SAVED_ENTRIES = 1000;
/** Characters of all texts of files in a saved page together. */
const SAVED_CHARACTERS = 4_000_000;
const MOST_ENTRIES = 20_000;
/** Hunks that a page may ask for at once. */
const MOST_HUNKS = 200;

export class PageAnswers {
  readonly #actor: ActorInSession;
  readonly #actions: Actions;
  readonly #news: News;
  readonly #review: CurrentReview;
  /** That of the folder, once it was read. */
  #name: string | undefined;

  constructor(actor: PageActor) {
    const { workspace, person } = actor;
    this.#review = new CurrentReview(workspace, person);
    this.#news = new News(workspace);
    const session = workspace.session({ person, id: person.email });
    this.#actor = { ...actor, session, review: this.#review };
    this.#actions = new Actions(this.#actor);
  }

  /** Reads what the first page will ask for, while the browser starts: the first review of a long history takes a while. */
  prepare(): void {
    void this.#review.now().catch(() => {});
  }

  /** Ends to follow what happens. */
  close(): void {
    this.#news.close();
  }

  /** Does what the person asked for. Throws EditError; `undefined` for an action that there is not. */
  async act(asked: Asked): Promise<({ ok: true } & Answer<unknown>) | undefined> {
    const answer = await this.#actions.act(asked);
    return answer && { ok: true, ...answer };
  }

  /** Answers what a page asks, by name, with all that it sends, of any kind. Never throws. */
  async ask(name: string, input: Asked): Promise<object> {
    const { limit, since } = input;
    const answers: Readonly<Record<string, () => Promise<object | undefined>>> = {
      history: () => this.#history(limit),
      open: () => this.#open(input),
      hunks: async () => ({ ok: true, hunks: (await this.#review.last()).hunks(numbersIn(input.ids)) }),
      lines: () => this.#lines(input),
      image: () => this.#image(String(input.path)),
      events: () => this.#news.since(since === undefined ? undefined : String(since)),
    };
    const act = name === 'take_back' ? 'back' : name;
    try {
      const answer = await (answers[name]?.() ?? this.act({ ...input, act }));
      return answer ?? { ok: false, code: 'INVALID_INPUT', message: 'There is no such action.' };
    } catch (error) {
      return refused(error);
    }
  }

  /** Answers all that a page asks which shows and does not follow, for one that is saved. Throws EditError. */
  async all(): Promise<Readonly<Record<string, object>>> {
    const { workspace, person } = this.#actor;
    const history = await this.#history(SAVED_ENTRIES);
    return {
      history,
      open: (await workspace.review({ reviewer: person })).data,
      outside: (await this.#actor.session.status()).data,
      ...(await this.#newestFiles(history.timeline)),
    };
  }

  /** Reads the newest text of each file, as long as there is room for it, by the name that FileAt has in a saved page. */
  async #newestFiles({ entries }: Timeline): Promise<Readonly<Record<string, object>>> {
    const found: Record<string, object> = {};
    const done = new Set<string>();
    let left = SAVED_CHARACTERS;
    for (const { commit, files } of entries)
      for (const { path, kind, binary } of files) {
        if (done.has(path) || left <= 0) continue;
        done.add(path);
        const text = kind === 'delete' || binary ? null : await this.#fileAt(path, commit).catch(() => null);
        left -= JSON.stringify(text).length;
        if (text && left > 0) found[`${commit} ${path}`] = text;
      }
    return found;
  }

  /** Lists what is to review, as a ListFilter narrows it, with the first hunks from `at` on. `look`: the files are looked at again. */
  async #open({ at, look, ...given }: Asked): Promise<object> {
    const listing = await this.#review.now(Boolean(look));
    const filter = { ...ALL_HUNKS };
    for (const name of Object.keys(filter) as Array<keyof typeof filter>)
      filter[name] = String(given[name] ?? '');
    const listed = listing.list(filter);
    const { session } = this.#actor;
    this.#name ??= (await session.timeline({ limit: 1 })).name;
    return {
      ok: true,
      me: session.id,
      name: this.#name,
      ...listed,
      ...(look ? { outside: (await session.status()).data.outside } : {}),
      hunks: listing.first(listed, at === undefined ? '' : String(at)),
    };
  }

  /** Reads lines of a file as it is now, for who wants to see more around a hunk; or the file as a commit has it. */
  async #lines({ path, from, to, commit }: Asked): Promise<object> {
    if (commit !== undefined) return this.#fileAt(String(path), String(commit));
    const viewRange: [number, number] = [Number(from) || 1, Number(to) || 1];
    const { data } = await this.#actor.session.read({ path: String(path), viewRange });
    const text = data.kind === 'file' ? data.text : '';
    return {
      ok: true,
      lines: text.replace(/\n$/, '').split('\n'),
      total: data.kind === 'file' ? data.lines : 0,
    };
  }

  /** Reads a picture that is to review, as it was accepted and as it is: data URLs, `null` where there is none. */
  async #image(path: string): Promise<object> {
    const { workspace, person: reviewer } = this.#actor;
    const { hunks } = (await workspace.review({ path, reviewer, bytes: true })).data;
    const { before, after } = hunks[0]?.bytes ?? { before: null, after: null };
    const url = (bytes: Uint8Array | null): string | null =>
      bytes && `data:${IMAGES.get(typeOf(path))};base64,${base64(bytes)}`;
    return { ok: true, before: url(before), after: url(after) };
  }

  async #fileAt(path: string, at: string): Promise<FileAt> {
    const { lines } = (await this.#actor.session.blame({ path, at })).data;
    const writers = new Map(lines.map(({ line, text, op, ...writer }) => [writer.commit, writer]));
    const places = [...writers.keys()];
    const by = lines.map(({ commit }) => places.indexOf(commit));
    return { ok: true, lines: lines.map(({ text }) => text), by, writers: [...writers.values()] };
  }

  /** Reads the newest entries with their changes. */
  async #history(limit: unknown): Promise<{ ok: true; timeline: Timeline }> {
    const { session } = this.#actor;
    const asked = Math.trunc(Number(limit ?? ENTRIES)) || ENTRIES;
    const timeline = await session.timeline({ limit: Math.min(Math.max(1, asked), MOST_ENTRIES) });
    return { ok: true, timeline };
  }
}

/** A file as a commit has it: its lines without their ends, and of each who wrote it, as a place in `writers`. */
export interface FileAt {
  ok: true;
  lines: string[];
  by: number[];
  writers: Array<Omit<BlameLine, 'line' | 'text' | 'op'>>;
}

/** Returns the numbers of a list such as `12,40`. */
function numbersIn(ids: unknown): number[] {
  return String(ids ?? '')
    .split(',')
    .map(Number)
    .slice(0, MOST_HUNKS);
}

/** Makes an answer of a refusal. */
export function refused(thrown: unknown): Refusal {
  return refusal(asEditError(thrown));
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}
