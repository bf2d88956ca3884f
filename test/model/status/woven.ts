/** What the engine says of a scene: its weave, its fates, its words. */

import { fatesIn, type Present, type RowFate, type SeenHead } from '../../../src/trail/history/status.ts';
import { type StepKind, Weave, type WovenRow } from '../../../src/trail/history/weave.ts';
import type { Text } from './lines.ts';
import { ancestors, PATHS, type Scene } from './world.ts';

/** The words of a line. */
export type Words = (line: number) => string;

export interface Woven {
  weave: Weave;
  present: Present;
  /** The text of the file, as its words. */
  file: readonly string[];
}

export function woven(scene: Scene, path: string, words: Words): Woven {
  const said = (text: Text): string[] => text.map(words);
  const [first, ...rest] = ancestors(scene.tip);
  const weave = new Weave(said(first!.files[path]!));
  const seen: SeenHead[] = [{ step: 0, held: new Set(weave.live) }];
  const heads: Array<{ step: number; live: readonly WovenRow[]; text: string[] }> = [];
  let { head } = first!;
  for (const version of rest) {
    const about = { id: version.id, kind: version.kind as StepKind, brings: version.kind === 'back' };
    weave.step(about, said(version.files[path]!));
    if (version.head === head) continue;
    head = version.head;
    heads.push({ step: weave.steps.length - 1, live: weave.live, text: said(head.files[path]!) });
  }
  // When all is woven: HEAD may have had lines that the trail was told of later.
  const newest = weave.live;
  for (const { step, live, text } of heads) {
    weave.live = live;
    seen.push({ step, held: weave.place(text).held });
  }
  weave.live = newest;
  const file = said(scene.work[path]!);
  const elsewhere = scene.elsewhere.map(({ where, files, from }) => {
    const { held } = weave.place(said(files[path]!));
    return { where, held, ...(from ? { from: weave.place(said(from[path]!)).held } : {}) };
  });
  const head_ = weave.place(said(scene.head[path]!)).held;
  return { weave, file, present: { file: weave.place(file), head: head_, seen, elsewhere } };
}

/** By the id of a version, over all paths. */
export function toldOf(scene: Scene, words: Words): Map<string, Array<RowFate & { path: string }>> {
  const told = new Map<string, Array<RowFate & { path: string }>>();
  for (const path of PATHS) {
    const { weave, present } = woven(scene, path, words);
    for (const [id, fates] of fatesIn(weave, present))
      told.set(id, [...(told.get(id) ?? []), ...fates.map(one => ({ ...one, path }))]);
  }
  return told;
}
