/**
 * What edits by symbols are worth: made-up tasks in five languages, each done by its text and by its name. `TASKS` and
 * `EDITS` say how many; with `PRINT=1` the figures are printed.
 */

import { getEncoding } from 'js-tiktoken';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyChanges } from '../../src/edits/edit.ts';
import { parseInput } from '../../src/edits/input.ts';
import { loadSymbols } from '../../src/edits/symbols.ts';
import { isEditError } from '../../src/errors.ts';
import { newFaults } from '../../src/symbols/new-faults.ts';
import { edit, file } from '../edits/planning.ts';
import { dice, methodOf, type Place, type Program, programOf, type Roll, STYLES } from './programs.ts';

const TASKS = Number(process.env.TASKS ?? 40);
const EDITS = Number(process.env.EDITS ?? 200);
const PRINT = process.env.PRINT === '1';

const styles = Object.values(STYLES);
const counter = getEncoding('o200k_base');
const tokens = (calls: readonly object[]): number => counter.encode(JSON.stringify(calls)).length;

beforeAll(() => loadSymbols(...styles.map(({ path }) => path)));

interface Task {
  kind: 'rewrite' | 'delete' | 'insert' | 'move';
  text: string;
  /** The text that is wanted; `null`: the name is not enough, and a refusal is. */
  wanted: string | null;
  byName: { name: string; input: object };
  /** The calls that do the same by texts. */
  byText: object[];
}

const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

function taskOf({ style, lines, places }: Program, roll: Roll): Task {
  const { path } = style;
  const place = places[roll(places.length)]!;
  const { type, name, doc, from, to, isTwice } = place;
  const symbol = `${type}.${name}`;
  const [old, withDoc] = [lines.slice(from - 1, to), lines.slice(doc - 1, to)];
  const fresh = methodOf(style, type, name, roll);
  const other = places.find(one => one.type !== type && !one.isTwice) as Place | undefined;
  const rolled = (['rewrite', 'rewrite', 'rewrite', 'delete', 'insert', 'move'] as const)[roll(6)]!;
  const kind = other ? rolled : 'delete';
  const text = textOf(lines);
  const made = (wanted: string[], edited: string, input: object, byText: object[]): Task => ({
    ...{ kind, text, wanted: isTwice ? null : textOf(wanted) },
    ...{ byName: { name: edited, input: { path, ...input } }, byText },
  });
  const replace = (old_str: readonly string[], new_str: readonly string[]): object => ({
    ...{ path, old_str: old_str.join('\n') },
    ...(new_str.length > 0 && { new_str: new_str.join('\n') }),
  });
  if (kind === 'delete' || !other) {
    const input = { symbol, with_doc: true };
    return made(lines.toSpliced(doc - 1, withDoc.length), 'replace_symbol', input, [replace(withDoc, [])]);
  }
  if (kind === 'rewrite') {
    const input = { symbol, new_content: fresh.join('\n') };
    return made(lines.toSpliced(from - 1, old.length, ...fresh), 'replace_symbol', input, [
      replace(old, fresh),
    ]);
  }
  if (kind === 'insert') {
    const added = ['', ...methodOf(style, type, 'extra', roll)];
    const input = { after_symbol: symbol, insert_text: added.join('\n') };
    return made(lines.toSpliced(to, 0, ...added), 'insert', input, [
      replace(old.slice(-3), [...old.slice(-3), ...added]),
    ]);
  }
  const rest = lines.toSpliced(doc - 1, withDoc.length);
  const at = other.doc - 1 - (other.doc > doc ? withDoc.length : 0);
  const anchor = lines.slice(other.from - 1, other.from);
  const input = { symbol, before_symbol: `${other.type}.${other.name}` };
  const calls = [replace(withDoc, []), replace(anchor, [...withDoc, ...anchor])];
  return made(rest.toSpliced(at, 0, ...withDoc), 'move_lines', input, calls);
}

/** The text after a task; a code where it was refused. */
function done({ text, byName: { name, input } }: Task): string {
  const known = edit(name);
  const parsed = parseInput(known, input) as never;
  const [path] = known.paths(parsed) as [string];
  try {
    const files = new Map([[path, file(path, text)]]);
    known.check?.(parsed);
    return applyChanges(files, known.plan(parsed, files)).get(path)!.text;
  } catch (error) {
    if (!isEditError(error)) throw error;
    return error.code;
  }
}

describe(`${TASKS} tasks in five languages`, () => {
  it('end at the right place or are refused, for at most 60 % of the tokens', () => {
    const sums: Record<string, { count: number; refused: number; byName: number; byText: number }> = {};
    for (let n = 0; n < TASKS; n++) {
      const roll = dice(n + 1);
      const style = styles[n % styles.length]!;
      const size = 200 + Math.floor((3_800 * (n % 23)) / 22);
      const task = taskOf(programOf(style, size, roll), roll);
      const result = done(task);
      expect(result, `task ${n} of ${style.path}: ${task.kind}`).toBe(task.wanted ?? 'AMBIGUOUS');
      const sum = (sums[task.kind] ??= { count: 0, refused: 0, byName: 0, byText: 0 });
      if (task.wanted === null) sum.refused++;
      else {
        sum.count++;
        sum.byName += tokens([task.byName.input]);
        sum.byText += tokens(task.byText);
      }
    }
    const all = Object.values(sums);
    const [byName, byText] = (['byName', 'byText'] as const).map(key =>
      all.reduce((sum, one) => sum + one[key], 0),
    );
    if (PRINT) console.log(JSON.stringify(sums), byName! / byText!);
    expect(byName! / byText!).toBeLessThan(0.6);
  });
});

/** Takes out one bracket or quote, or puts one in, where that can be no program. */
function broken(text: string, roll: Roll): string {
  const places = [...text.matchAll(/[()[\]{}]/g)].map(({ index }) => index);
  const isPython = text.startsWith('import os');
  const at = places[roll(places.length)]!;
  const quoted = /["'`#].*|\/\/.*|\*.*/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));
  if (quoted) return broken(text, roll);
  if (isPython && roll(4) === 0) return text.replace(/:\n/, '\n');
  return roll(2) === 0
    ? text.slice(0, at) + text.slice(at + 1)
    : text.slice(0, at) + text[at] + text.slice(at);
}

describe(`${EDITS} edits that are right, and ${Math.ceil(EDITS / 20)} that break the syntax`, () => {
  it('are told apart', async () => {
    const [alarms, missed]: [string[], string[]] = [[], []];
    const roll = dice(7);
    let program = programOf(styles[0]!, 300, roll);
    let text = textOf(program.lines);
    let told = 0;
    for (let n = 0; n < EDITS; n++) {
      if (n % 25 === 0) {
        program = programOf(styles[(n / 25) % styles.length]!, 200 + roll(800), roll);
        text = textOf(program.lines);
      }
      const task = taskOf(program, roll);
      const after = task.wanted ?? text;
      const { path } = program.style;
      if ((await newFaults(path, text, after)).length > 0) alarms.push(`edit ${n}: ${task.kind}`);
      if (n % 20 > 0) continue;
      const faulty = broken(after, roll);
      if ((await newFaults(path, after, faulty)).length > 0) told++;
      else missed.push(`${path} ${n}`);
      expect(await newFaults(path, faulty, `${faulty}\n`)).toEqual([]);
    }
    if (PRINT) console.log({ alarms: alarms.length, told, missed });
    expect({ alarms, missed }).toEqual({ alarms: [], missed: [] });
  });
});
