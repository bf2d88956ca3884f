/**
 * Random histories of a file whose lines repeat, as sources do: braces, blanks, the same statement twice. Nobody can say of
 * equal lines which is whose; what holds by construction is judged: an undo of the newest edit is the text before, undo and redo
 * are nothing, two undos are one of both in whatever order, and a landing of all is the file.
 */

import type { LineEvent } from '../../../src/line/event.ts';
import { Folder } from './folder.ts';
import { Random } from './random.ts';
import { same, World } from './world.ts';

const LINES = ['{', '}', '', 'if (a) {', '} else {', '  return a;', '  b();', 'end', '  "x",', '];'];

export interface Tried {
  newest: number;
  both: number;
  landings: number;
  refused: number;
}

/** Plays one history. Answers what was found wrong. */
export function playRepeated(seed: number, acts: number, tried: Tried): string[] {
  const random = new Random(seed);
  const world = new World(Array.from({ length: 8 + random.below(12) }, () => random.one(LINES)));
  const folder = new Folder(world.disk);
  const edits: LineEvent[] = [];
  const wrong: string[] = [];
  const trace: string[] = [];
  const fail = (what: string): void =>
    void wrong.push(
      `seed ${seed}: ${what}\n${world.disk.file.join('\n')}\n  ${trace.slice(-8).join('\n  ')}`,
    );
  const change = (text: readonly string[]): string[] => {
    const at = random.below(text.length + 1);
    const gone = Math.min(random.below(4), text.length - at);
    const put = Array.from({ length: random.below(4) || Number(gone === 0) }, () => random.one(LINES));
    return text.toSpliced(at, gone, ...put);
  };

  for (let at = 0; at < acts && wrong.length === 0; at++) {
    const what = random.below(14);
    trace.push(`${what} -> ${world.disk.file.map(line => JSON.stringify(line)).join(' ')}`);
    if (what < 6) edits.push(folder.edit(change));
    else if (what < 8) world.disk.file = change(world.disk.file);
    else if (what === 8) world.commit();
    else if (what === 9) world.pull(change);
    else if (what === 10) world.stashed(() => world.switchTo(random.one(['main', 'other'])));
    else if (what === 11 && edits.length > 0) {
      if (folder.undo(new Set([random.one(edits)])).size > 0) tried.refused++;
    } else if (what === 12) tryNewest();
    else if (edits.length > 1) tryBoth(random.one(edits), random.one(edits));
    folder.look();
    if (!same(folder.weave.text, world.disk.file)) fail('the weave is not the file');
    tried.landings++;
    const all = folder.land(new Set(folder.events), true).text;
    if (!same(all, world.disk.file)) fail(`a landing of all is ${all.join('|')}`);
  }
  return wrong;

  function tryNewest(): void {
    folder.look();
    const before = [...world.disk.file];
    const event = folder.edit(change);
    const after = [...world.disk.file];
    if (same(before, after)) return;
    tried.newest++;
    if (folder.undo(new Set([event])).size > 0) fail('an undo of the newest edit is refused');
    if (!same(before, world.disk.file)) fail(`an undo of the newest edit is not ${before.join('|')}`);
    if (folder.redo(new Set([event])).size > 0) fail('a redo at once is refused');
    if (!same(after, world.disk.file)) fail(`undo and redo are not nothing but ${after.join('|')}`);
    edits.push(event);
  }

  function tryBoth(one: LineEvent, other: LineEvent): void {
    folder.look();
    const ways = [[[one, other]], [[one], [other]], [[other], [one]]];
    const texts: string[] = [];
    for (const way of ways) {
      const copy = folder.copy();
      if (way.every(events => copy.undo(new Set(events)).size === 0)) texts.push(copy.disk.file.join('\n'));
    }
    tried.both++;
    if (new Set(texts).size > 1)
      fail(
        `two undos differ by their order: ${[...new Set(texts)].map(text => text.replaceAll('\n', '|')).join(' / ')}`,
      );
  }
}
