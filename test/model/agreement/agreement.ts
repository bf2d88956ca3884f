/**
 * Says whether all surfaces tell the same of every line: log, blame, why, status, review, a landing that is tried, the page's data and
 * the answers of tools. Each text stands once in a history, so that a line and an edit are matched by it.
 */

import type { EditStatus, LogEntry, Session } from '../../../src/index.ts';
import { isEditError } from '../../../src/index.ts';
import { lots } from '../../helpers/random-work.ts';
import { act, Person } from '../landings/acts.ts';
import { type Held, memoryPlace, type Place, type Tree } from '../landings/place.ts';
import { FILES } from '../landings/rows.ts';

const START: Tree = new Map([
  ['a.txt', { mode: '100644', bytes: base(0, 12) }],
  ['b.txt', { mode: '100644', bytes: base(20, 6) }],
]);

function base(from: number, count: number): Uint8Array {
  return Buffer.from(Array.from({ length: count }, (_, n) => `base ${from + n}\n`).join(''));
}

export interface Counts {
  lines: number;
  open: number;
  reviewed: number;
  landed: number;
}

/** Plays one history, and compares the surfaces some times. Answers what they tell differently. */
export async function disagreements(seed: number, counts: Counts): Promise<string[]> {
  const draw = lots(seed * 6007 + 11);
  const place = await memoryPlace(START, false);
  const person = new Person(place, draw);
  const done: string[] = [];
  for (let left = 4 + draw(14); left > 0; left--) {
    done.push(await act(person));
    if (left > 1 && draw(6) > 0) continue;
    // Blame tells of recorded lines: what was typed is recorded first.
    await recordTyped(person);
    const wrong = await new Surfaces(place, person.sessions[0]!, counts).compared();
    if (wrong.length > 0) return [`${seed}: ${done.join('; ')}`, ...wrong];
  }
  await place.workspace.close();
  return [];
}

async function recordTyped({ place, sessions }: Person): Promise<void> {
  for (const path of ['a.txt', 'moved.txt', 'b.txt', 'n.txt'])
    await sessions[0]!.record([path], { outside: true }).catch(error => {
      if (!isEditError(error)) throw error;
    });
  const text = `poke ${(pokes += 1)}\n`;
  await place.workspace
    .session({ id: 'poke' })
    .edit('create', { path: 'z.txt', file_text: text, overwrite: true });
}

let pokes = 0;

/** One line of a file, and who wrote it. */
interface Line {
  path: string;
  number: number;
  text: string;
  commit: string;
  isAgents: boolean;
  isInHead: boolean;
}

class Surfaces {
  readonly #place: Place;
  readonly #session: Session;
  readonly #counts: Counts;
  readonly #wrong: string[] = [];

  constructor(place: Place, session: Session, counts: Counts) {
    this.#place = place;
    this.#session = session;
    this.#counts = counts;
  }

  async compared(): Promise<string[]> {
    const entries = (await this.#session.log()).data.entries;
    const lines = await this.#lines();
    // A copy of a file has each text twice: whose a line is cannot be told by it then.
    if (new Set(lines.map(({ text }) => text)).size < lines.length) return [];
    await this.#whyIsBlame(lines);
    await this.#wordsAreLines(entries, lines);
    await this.#countsAre(entries);
    await this.#reviewIs(entries, lines);
    await this.#landingIs(lines);
    await this.#pageIs(entries);
    return this.#wrong;
  }

  async #lines(): Promise<Line[]> {
    const inHead = await this.#textsAt(await this.#place.ref('HEAD'));
    const found: Line[] = [];
    for (const path of [...FILES.a, ...FILES.crlf, ...FILES.made]) {
      const held = await this.#place.read(path);
      if (!held || held.bytes.length === 0) continue;
      const { data } = await this.#session.blame({ path });
      const texts = textsOf(held.bytes);
      this.#is(data.recorded && data.lines.length === texts.length, `${path} is not blamed as it is`);
      // A last line may end in a CR alone, which is none of its end then.
      for (const { line, text: told, commit, agent } of data.lines) {
        const text = told.replaceAll('\r', '');
        const [isAgents, isInHead] = [agent !== null, inHead.has(text)];
        found.push({ path, number: line, text, commit, isAgents, isInHead });
      }
    }
    this.#counts.lines += found.length;
    return found;
  }

  async #textsAt(commit: string | null | undefined): Promise<Set<string>> {
    const tree = commit ? (await this.#place.at(commit)).tree : new Map<string, Held>();
    return new Set([...tree.values()].flatMap(({ bytes }) => textsOf(bytes)));
  }

  async #whyIsBlame(lines: readonly Line[]): Promise<void> {
    for (const { path, number, commit, isAgents } of lines.filter((_, at) => at % 5 === 0)) {
      const { edit } = (await this.#place.workspace.why({ path, line: number })).data;
      if (isAgents)
        this.#is(edit?.commit === commit, `why ${path}:${number} is ${edit?.commit}, blame ${commit}`);
    }
  }

  /** The lines that stand open, or landed, are as many as the log counts for their edit; what HEAD had already counts not. */
  async #wordsAreLines(entries: readonly LogEntry[], lines: readonly Line[]): Promise<void> {
    const edits = entries.filter(({ op }) => op !== 'outside' && op !== 'head');
    for (const {
      commit,
      head,
      status: { lines: told, now },
    } of edits) {
      const had = await this.#textsAt(head);
      const own = lines.filter(one => one.commit === commit && !(one.isInHead && had.has(one.text)));
      const open = own.filter(({ isInHead }) => !isInHead).length;
      this.#counts.open += open;
      if (own.length === 0) continue;
      this.#is(
        (told.open ?? 0) === open,
        `${commit} has ${open} open lines, and the log says ${words(told)} (${now})`,
      );
      const landed = own.length - open;
      const isTold = (told.landed ?? 0) >= landed || now === 'nothing left';
      this.#is(isTold, `${commit} has ${landed} landed lines, and the log says ${words(told)} (${now})`);
    }
  }

  async #countsAre(entries: readonly LogEntry[]): Promise<void> {
    const open = entries.filter(({ status }) => (status.lines.open ?? 0) > 0);
    const { data } = await this.#session.status();
    this.#is(data.left <= open.length, `status counts ${data.left} open edits, the log ${open.length}`);
    this.#is(
      (data.left === 0) === (open.length === 0),
      `status says ${data.left} open, the log ${open.length}`,
    );
  }

  /** Every line that is to review is an agent's, or stands in a place where an agent took something out. */
  async #reviewIs(entries: readonly LogEntry[], lines: readonly Line[]): Promise<void> {
    const { hunks } = (await this.#place.workspace.review()).data;
    const known = new Set(entries.map(({ commit }) => commit));
    for (const { path, lines: at, edits, renamed } of hunks) {
      const ids = new Set(edits.map(({ commit }) => commit));
      for (const commit of ids)
        if (commit) this.#is(known.has(commit), `review names ${commit}, and the log does not`);
      const inside = lines.filter(
        one => one.path === path && one.number >= at.start_line && one.number <= at.end_line,
      );
      // Of a file with another name only what changed beside that is to review.
      const isMoved = ({ text }: Line): boolean =>
        renamed !== undefined && !renamed.diff.includes(`+${text}\n`);
      // What HEAD has is accepted: beside it a mark may be to review, as of a last line without its end.
      for (const one of inside.filter(line => line.isAgents && !line.isInHead && !isMoved(line))) {
        this.#counts.reviewed++;
        this.#is(
          ids.has(one.commit),
          `review of ${path}:${one.number} does not name ${one.commit}, blame does`,
        );
      }
    }
  }

  /** What would land is HEAD's or the file's; and what agents have open lands, or the answer says why not. */
  async #landingIs(lines: readonly Line[]): Promise<void> {
    const onto = (await this.#place.at((await this.#place.ref('HEAD'))!)).tree;
    try {
      const { states, data } = await this.#place.plan({ dryRun: true }, onto);
      const landed = new Set([...states.at(-1)!.values()].flatMap(({ bytes }) => textsOf(bytes)));
      const told = new Set([...data.outside, ...data.left_out.map(({ path }) => path)]);
      for (const { path, text, isAgents, isInHead, number } of lines) {
        if (!isAgents || isInHead) continue;
        this.#counts.landed++;
        this.#is(landed.has(text) || told.has(path), `${path}:${number} is open, and does not land`);
      }
    } catch (error) {
      if (!isEditError(error, 'NO_CHANGE', 'CONFLICT')) throw error;
      if (error.code === 'NO_CHANGE') {
        const open = lines.filter(({ isAgents, isInHead }) => isAgents && !isInHead);
        const isTold = /reject|by hand|Left out/.test(error.message);
        this.#is(
          open.length === 0 || isTold,
          `nothing lands, and ${open.length} lines are open: ${error.message}`,
        );
      }
    }
  }

  async #pageIs(entries: readonly LogEntry[]): Promise<void> {
    const { entries: shown } = await this.#session.timeline();
    const told = (list: ReadonlyArray<{ commit: string; status: EditStatus }>): string =>
      JSON.stringify(list.map(({ commit, status }) => [commit, status]));
    this.#is(told(shown) === told(entries), 'the page tells other words than the log');
  }

  #is(holds: boolean, fault: string): void {
    if (!holds) this.#wrong.push(fault);
  }
}

function words(lines: EditStatus['lines']): string {
  return JSON.stringify(lines);
}

function textsOf(bytes: Uint8Array): string[] {
  if (bytes.includes(0)) return [];
  const texts = Buffer.from(bytes).toString().replaceAll('\r', '').split('\n');
  if (texts.at(-1) === '') texts.pop();
  return texts;
}
