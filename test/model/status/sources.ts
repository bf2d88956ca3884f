/** Words of lines as sources have them: half of all lines that are put in say what others say. */

import { readdirSync, readFileSync } from 'node:fs';
import { lots } from '../../helpers/random-work.ts';
import type { Words } from './told.ts';
import type { World } from './world.ts';

const FOLDER = new URL('../../../src/text/', import.meta.url);

const LINES: readonly string[] = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .sort()
  .flatMap(name => readFileSync(new URL(name, FOLDER), 'utf8').split('\n'));

/** `base`: so many lines stood there at first, one below the other in a source. */
export function sourceWords({ instead }: Pick<World, 'instead'>, seed: number, base: number): Words {
  const draw = lots(seed * 104_729 + 3);
  const start = draw(LINES.length - base);
  const said = LINES.slice(start, start + base);
  const any = (): string => (draw(2) ? said[draw(said.length)]! : LINES[draw(LINES.length)]!);
  return line => {
    while (said.length <= line) {
      const gone = (instead.get(said.length) ?? []).map(one => said[one]);
      let words = any();
      while (gone.includes(words)) words = any();
      said.push(words);
    }
    return said[line]!;
  };
}
