/** What the line says of a scene: its rows, their fates, its words. */

import type { EventKind, LineEvent } from '../../../src/line/event.ts';
import { headStep } from '../../../src/line/head-step.ts';
import { heldRows } from '../../../src/line/row.ts';
import { type RowsElsewhere, type ToldFate, toldFate } from '../../../src/line/standing.ts';
import { Weave } from '../../../src/line/weave.ts';
import { fatesIn } from '../../../src/line/words.ts';
import type { Text } from './lines.ts';
import { ancestors, type Kind, PATHS, type Scene } from './world.ts';

/** The words of a line. */
export type Words = (line: number) => string;

const KINDS: Readonly<Record<Kind, EventKind>> = {
  base: 'head',
  head: 'head',
  edit: 'edit',
  command: 'outside',
  outside: 'outside',
  back: 'back',
  reject: 'back',
  redo: 'undo',
};

/** By the id of a version, over all paths. */
export function toldOf(scene: Scene, words: Words): Map<string, Array<ToldFate & { path: string }>> {
  const told = new Map<string, Array<ToldFate & { path: string }>>();
  for (const path of PATHS) {
    const said = (text: Text): string[] => text.map(words);
    const weave = weaveOf(scene, path, said);
    const rows = weave.rows();
    const elsewhere = scene.elsewhere.map(({ where, files, from }): RowsElsewhere => {
      const held = heldRows(rows, said(files[path]!));
      return { where, held, ...(from ? { from: heldRows(rows, said(from[path]!)) } : {}) };
    });
    for (const [{ id }, fates] of fatesIn(rows)) {
      if (id === '') continue;
      const own = fates.map(one => ({ ...toldFate(one, elsewhere, () => 'HEAD'), path }));
      told.set(id, [...(told.get(id) ?? []), ...own]);
    }
  }
  return told;
}

function weaveOf(scene: Scene, path: string, said: (text: Text) => string[]): Weave {
  const [first, ...rest] = ancestors(scene.tip);
  const weave = new Weave();
  const event = (id: string, at: number, kind: Kind): LineEvent => {
    return { id, at, kind: KINDS[kind], byAgent: false, isRejection: kind === 'reject' };
  };
  const base = said(first!.files[path]!);
  headStep(weave, event('', -1, 'base'), base, base);
  let { head } = first!;
  for (const [at, version] of rest.entries()) {
    const own = event(version.id, at, version.kind);
    const text = said(version.files[path]!);
    if (version.head !== head) headStep(weave, own, said(version.head.files[path]!), text);
    head = version.head;
    weave.step(own, text);
  }
  weave.step(event('', rest.length, 'outside'), said(scene.work[path]!));
  return weave;
}
