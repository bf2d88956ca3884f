/**
 * Random histories of a file that formatters go over: whoever wrote a line stays its author, whatever became of its blanks,
 * quotes and commas, and whatever came and went around it. Each line is unique but for its format, and says who wrote it.
 */

import type { LineEvent } from '../../../src/line/event.ts';
import { putBy, textOf } from '../../../src/line/row.ts';
import { Folder } from './folder.ts';
import { Random } from './random.ts';
import { World } from './world.ts';

/** Plays one history. Answers what was found wrong. */
export function playFormatted(
  seed: number,
  acts: number,
  counts: { formatted: number; blame: number },
): string[] {
  const random = new Random(seed);
  const world = new World(Array.from({ length: 10 }, (_, at) => `base${at} = 'x';`));
  const folder = new Folder(world.disk);
  const writers = new Map<string, LineEvent>();
  const edits: LineEvent[] = [];
  const trace: string[] = [];
  let next = 0;

  const change = (mark: string) => (text: readonly string[]) => {
    const at = random.below(text.length + 1);
    const gone = Math.min(random.below(3), text.length - at);
    const put = Array.from(
      { length: random.below(3) || Number(gone === 0) },
      () => `${mark}${next++} = 'y';`,
    );
    return text.toSpliced(at, gone, ...put);
  };
  const format = (line: string): string => {
    const [one, other] = random.below(2) ? ["'", '"'] : ['"', "'"];
    const bare = line
      .trim()
      .replaceAll(one!, other!)
      .replace(/;?$/, random.below(2) ? ';' : '');
    return ' '.repeat(random.below(4)) + bare;
  };

  for (let act = 0; act < acts; act++) {
    const what = random.below(10);
    if (what < 4) {
      const event = folder.edit(change(`A${act}_`));
      edits.push(event);
      for (const line of world.disk.file) if (line.startsWith(`A${act}_`)) writers.set(nameOf(line), event);
    } else if (what === 4) world.disk.file = change('P')(world.disk.file);
    else if (what < 8) {
      folder.look();
      const [from, to] = [random.below(world.disk.file.length + 1), random.below(world.disk.file.length + 1)];
      world.disk.file = world.disk.file.map((line, at) => (at >= from && at < to ? format(line) : line));
      counts.formatted++;
    } else if (what === 8 && edits.length > 0) folder.undo(new Set([random.one(edits)]));
    else world.commit();
    folder.look();
    trace.push(`${what} -> ${world.disk.file.join(' | ')}`);
    const wrong = folder.weave.live.flatMap(row => {
      counts.blame++;
      const name = nameOf(textOf(row)!);
      const event = putBy(row);
      const writer = writers.get(name);
      const isRight = writer ? event === writer : event.kind === (name.startsWith('P') ? 'outside' : 'head');
      return isRight
        ? []
        : [`seed ${seed}: ${name} is of ${event.kind} ${event.id}\n  ${trace.slice(-6).join('\n  ')}`];
    });
    if (wrong.length > 0) return wrong;
  }
  return [];
}

/** A line without its format. */
const nameOf = (line: string): string => line.trim().split(' ')[0]!;
