/** Histories drawn by lot in which somebody lands, and what is wrong with what was landed. */

import { isEditError, type LandData, type LandOptions } from '../../../src/index.ts';
import { git } from '../../helpers/landing.ts';
import { lots } from '../../helpers/random-work.ts';
import { act, type Draw, Person } from './acts.ts';
import { type Asked, type Scene, type Version, versionOf } from './history.ts';
import { Judge } from './oracle.ts';
import { type Held, memoryPlace, type Place, realPlace, type Tree } from './place.ts';
import { FILES, type FileName, NAMES, rowsIn } from './rows.ts';

export interface Tally {
  /** Of all that is there; and of some edits, sessions or paths, or as a commit each. */
  landed: { whole: number; chosen: number };
  nothing: number;
  refused: number;
  /** What is wrong, with what was done before. */
  wrong: string[];
}

export const noLandings = (): Tally => ({
  landed: { whole: 0, chosen: 0 },
  nothing: 0,
  refused: 0,
  wrong: [],
});

export function inWords({ landed: { whole, chosen }, nothing, refused }: Tally): string {
  return `landings: ${whole} of all, ${chosen} of some, ${nothing} with nothing to land, ${refused} refused`;
}

export interface Played {
  /** With the real git; else in memory. */
  real: boolean;
  /** So many landings are tried without being made, each time. */
  tries: number;
  tally: Tally;
}

const lines = (from: number, count: number, end = '\n'): Uint8Array =>
  Buffer.from(Array.from({ length: count }, (_, n) => `base ${from + n}${end}`).join(''));

const START: Tree = new Map<string, Held>([
  ['a.txt', { mode: '100644', bytes: lines(0, 12) }],
  ['b.txt', { mode: '100644', bytes: lines(20, 6, '\r\n') }],
  ['i.bin', { mode: '100644', bytes: Buffer.from('00ff', 'hex') }],
]);

const TOPIC = 'topic';

/** Plays one history, with the landings that are asked for in it. */
export async function played(seed: number, { real, tries, tally }: Played): Promise<void> {
  const draw = lots(seed * 7919 + 23);
  const place = await (real ? realPlace : memoryPlace)(START, draw(3) === 0);
  const story = new Story(place, draw, seed);
  for (let left = 5 + draw(14); left > 0; left--) {
    await story.act();
    if (left > 1 && draw(7) > 0) continue;
    for (let n = 0; n < tries && tally.wrong.length === 0; n++) await story.land(tally, true);
    if (real || draw(2)) await story.land(tally, false);
    if (tally.wrong.length > 0) break;
  }
  await place.workspace.close();
}

class Story {
  readonly #place: Place;
  readonly #person: Person;
  readonly #seed: number;
  readonly #done: string[] = [];
  readonly #heads: Tree[] = [START];
  /** Rejections before somebody accepted something. */
  readonly #accepted = new Set<string>();

  constructor(place: Place, draw: Draw, seed: number) {
    this.#place = place;
    this.#person = new Person(place, draw);
    this.#seed = seed;
  }

  async act(): Promise<void> {
    const name = await act(this.#person);
    this.#done.push(name);
    await this.#look(name === 'accept');
  }

  async #look(isAccepting: boolean): Promise<void> {
    const head = await this.#person.head();
    if (this.#heads.at(-1) !== head) this.#heads.push(head);
    if (!isAccepting) return;
    for (const { id, kind } of await this.#versions()) if (kind === 'reject') this.#accepted.add(id);
  }

  /** Of the trail, oldest first. */
  async #versions(): Promise<Version[]> {
    const found: Version[] = [];
    let next = await this.#place.ref('refs/vedit/main');
    while (next !== null && found.at(-1)?.kind !== 'base') {
      const commit = await this.#place.at(next);
      found.push(await versionOf(commit, async id => (await this.#place.at(id)).tree));
      next = commit.parents[0] ?? null;
    }
    return found.reverse();
  }

  /** Asks for a landing and judges it. A trail that has not seen HEAD is brought up to it first: the oracle merges nothing. */
  async land(tally: Tally, dryRun: boolean): Promise<void> {
    await this.#person.poke();
    const scene: Scene = {
      versions: await this.#versions(),
      file: await this.#person.tree(),
      head: await this.#person.head(),
      heads: this.#heads,
      acceptedSince: rejection => this.#accepted.has(rejection),
    };
    const options = wishOf(this.#person.draw, scene.versions, dryRun);
    if (NAMES.some(name => isUnclear(scene, name))) return;
    const onto = options.onto === undefined ? scene.head : START;
    const judge = new Judge({ ...scene, head: onto }, askedOf(options, scene.versions));
    const wrong = await this.#faults(judge, options, { onto, tally, dryRun });
    if (!dryRun) await this.#look(false);
    const how = `${this.#seed}: ${this.#done.join('; ')}\n  land ${JSON.stringify({ ...options, git: undefined })}`;
    if (wrong.length > 0) tally.wrong.push([how, ...wrong].join('\n  '));
    if (!dryRun) this.#done.push(`land ${JSON.stringify({ ...options, git: undefined })}`);
  }

  async #faults(
    judge: Judge,
    options: LandOptions,
    { onto, tally, dryRun }: { onto: Tree; tally: Tally; dryRun: boolean },
  ): Promise<string[]> {
    try {
      const { states, data } = await (dryRun ? this.#place.plan(options, onto) : this.#made(options));
      const isWhole = Object.keys(options).every(key => key === 'outside');
      tally.landed[isWhole ? 'whole' : 'chosen']++;
      const leftOut = data.left_out.map(({ path }) => path);
      return judge.faults(states, { outside: data.outside, leftOut });
    } catch (error) {
      if (!isEditError(error)) throw error;
      if (error.code === 'NO_CHANGE') tally.nothing++;
      else tally.refused++;
      const fault = judge.faultOfRefusal(error.code);
      return fault === null ? [] : [`${fault}: ${error.message}`, ...judge.shown];
    }
  }

  async #made(options: LandOptions): Promise<{ states: Tree[]; data: LandData }> {
    const { data } = await this.#place.workspace.land(this.#place.isReal ? { ...options, git } : options);
    const ids = data.commits.map(({ commit }) => commit!);
    return { states: await Promise.all(ids.map(async id => (await this.#place.at(id)).tree)), data };
  }
}

/** True where a file has two names, or has another one and another content at once by no edit: who says that it is the same? */
function isUnclear({ versions, file, head }: Scene, name: FileName): boolean {
  const own = versions.filter(({ kind }) => kind === 'own').map(({ tree }) => tree);
  const trees = [...versions.map(({ tree }) => tree), file];
  const texts = [...trees, head].map(tree => rowsIn(tree, name));
  return texts.some((rows, at) => {
    if (rows === null) return true;
    const before = at > 0 && at < trees.length && !own.includes(trees[at]!) ? texts[at - 1] : null;
    if (!before || before.length === 0 || rows.length === 0 || before[0] === rows[0]) return false;
    return before.slice(1).join('\n') !== rows.slice(1).join('\n');
  });
}

/** A landing as somebody may ask for it. */
function wishOf(draw: Draw, versions: readonly Version[], dryRun: boolean): LandOptions {
  const own = versions.filter(({ kind }) => kind === 'own').map(({ id }) => id);
  const some = own.filter(() => draw(3) === 0);
  const kinds: LandOptions[] = [
    {},
    {},
    { outside: true },
    { session: `s${1 + draw(2)}` },
    { session: `s${1 + draw(2)}`, outside: true },
    { paths: [...FILES.a, ...(draw(2) ? FILES.crlf : [])] },
    { each: true },
    { each: true, session: `s${1 + draw(2)}` },
    { commits: own.slice(-1 - draw(3)).slice(0, 1) },
    { commits: some },
    { commits: some, outside: true },
    { commits: some, each: true },
    { onto: TOPIC, ...(draw(2) ? { commits: some } : {}) },
  ];
  const all = dryRun ? kinds : kinds.slice(0, -1);
  const options = { ...all[draw(all.length)]! };
  if (options.commits?.length === 0) options.commits = own.slice(-1);
  if (options.commits?.length === 0) delete options.commits;
  return options;
}

function askedOf(options: LandOptions, versions: readonly Version[]): Asked {
  const { session, paths, commits, outside = false, onto } = options;
  const isMeant = ({ id, kind, session: by }: Version): boolean =>
    (kind === 'own' || kind === 'reject') &&
    (session === undefined || by === session) &&
    (commits === undefined || commits.includes(id));
  const taken = new Set(versions.filter(isMeant).map(({ id }) => id));
  return {
    takes: commit => taken.has(commit),
    outside,
    named: commits !== undefined,
    whole: commits === undefined && onto === undefined,
    isAbout: file => paths === undefined || FILES[file].some(path => paths.includes(path)),
    narrow: session !== undefined,
  };
}
