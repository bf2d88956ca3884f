/** Histories drawn by lot, what is wrong in them, and the shortest of them that is. */

import { lastText } from '../../../src/line/row.ts';
import { statusOf } from '../../../src/line/standing.ts';
import { lots } from '../../helpers/random-work.ts';
import { ACTS } from './acts.ts';
import { type Fate, fatesOf, wordOf } from './oracle.ts';
import { toldOf, type Words } from './told.ts';
import { type Scene, World } from './world.ts';

const WEIGHT = ACTS.reduce((sum, [, weight]) => sum + weight, 0);

/** An act, and the seed of what it draws. */
export type Item = readonly [act: number, seed: number];

export function itemsOf(seed: number): Item[] {
  const draw = lots(seed * 7919 + 17);
  return Array.from({ length: 6 + draw(24) }, () => {
    let at = draw(WEIGHT);
    const act = ACTS.findIndex(([, weight]) => (at -= weight) < 0);
    return [act, draw(1 << 20)] as const;
  });
}

/** The world that the acts end in; `lengths` of the two files at first. */
export function played(items: readonly Item[], lengths: readonly number[] = [12, 7]): World {
  const world = new World(lengths);
  for (const [act, seed] of items) ACTS[act]![2](world, lots(seed));
  return world;
}

/** What is said of lines, one a line, in any order. */
const listed = (said: readonly string[]): string => [...said].sort().join('\n    ');

/** Every edit of which the line says something else than the oracle, where all lines differ. */
export function differences(scene: Scene): string[] {
  const told = toldOf(scene, line => `line ${line}`);
  const expected = fatesOf(scene);
  const unclear = new Set(
    [...expected.values()]
      .flat()
      .filter(one => one.isTwice)
      .map(lineIn),
  );
  const found: string[] = [];
  for (const id of new Set([...told.keys(), ...expected.keys()])) {
    const [fates, own] = [told.get(id) ?? [], expected.get(id) ?? []];
    const numbered = fates.map(one => ({ ...one, line: numberIn(lastText(one.row)) }));
    const [is, should] = [numbered, own].map(some =>
      some.filter(one => !unclear.has(lineIn(one))).map(saidOf),
    ) as [string[], string[]];
    if (listed(is) !== listed(should))
      found.push(`${id}\n  is\n    ${listed(is)}\n  not\n    ${listed(should)}`);
    if (own.some(one => one.isTwice)) continue;
    const [whole, wanted] = [inOneWord(statusOf(fates)), inOneWord(wordOf(own))];
    if (whole !== wanted) found.push(`${id} is ${whole}, not ${wanted}`);
  }
  return found;
}

const lineIn = ({ path, line }: Pick<Fate, 'path' | 'line'>): string => `line ${line} of ${path}`;

const numberIn = (text: string): number => Number(text.slice('line '.length));

function saidOf(fate: Omit<Fate, 'isTwice'>): string {
  return `${fate.isPut ? '+' : '-'}${lineIn(fate)}: ${fate.word} by ${fate.by}`;
}

function inOneWord({ now, lines }: { now: string; lines: Partial<Record<string, number>> }): string {
  return `${now} (${listed(Object.entries(lines).map(([word, count]) => `${count} ${word}`))})`;
}

export interface Tally {
  edits: number;
  /** Edits of which another word is said than by the oracle. */
  other: number;
  /** Lines that are said to be open or landed, and are not in the file or in HEAD. */
  unsound: number;
}

/** Counts what is said where lines are alike. */
export function tally(world: World, words: Words, sum: Tally): void {
  const scene = world.scene();
  if (!scene) return;
  const told = toldOf(scene, words);
  for (const [id, own] of fatesOf(scene)) {
    if (!id.startsWith('edit') || own.some(one => one.isTwice)) continue;
    sum.edits++;
    sum.other += Number(statusOf(told.get(id) ?? []).now !== wordOf(own).now);
  }
  for (const { path, isPut, row, word } of [...told.values()].flat()) {
    if (!isPut || (word !== 'open' && word !== 'landed')) continue;
    const text = (word === 'open' ? scene.work : scene.head)[path]!;
    sum.unsound += Number(!text.some(line => words(line) === lastText(row)));
  }
}

/** The items without those that the fault does not need. */
export function shortened(
  items: readonly Item[],
  isWrong: (items: readonly Item[]) => boolean,
): readonly Item[] {
  let short = items;
  for (let at = short.length - 1; at >= 0; at--) {
    const less = short.filter((_, n) => n !== at);
    if (isWrong(less)) short = less;
  }
  return short;
}

export function inWords(items: readonly Item[]): string {
  return items.map(([act, seed]) => `${ACTS[act]![0]} (${seed})`).join('; ');
}
