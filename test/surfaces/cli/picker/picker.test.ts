import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PickedHunk,
  Picker,
  type PickerTerminal,
  type Picking,
} from '../../../../src/surfaces/cli/picker/picker.ts';

interface Hunk extends PickedHunk {
  name: string;
}

function hunk(name: string, path = 'a.txt'): Hunk {
  const none = { above: [], below: [] };
  return {
    name,
    path,
    before: { line: 1, lines: [] },
    after: { line: 1, lines: [`text ${name}`] },
    context: none,
  };
}

/** Presses the keys in turn; answers what was shown for each, what was accepted, and what was told. */
async function press(
  hunks: readonly Hunk[],
  answers: ReadonlyArray<string>,
  own: Partial<Picking<Hunk>> = {},
  rest: (() => Promise<readonly Hunk[]>) | null = null,
): Promise<{ shown: string[]; accepted: string[]; told: string[] }> {
  const [shown, told, typed]: [string[], string[], string[]] = [[], [], [...answers]];
  const next = async (): Promise<string | null> => typed.shift() ?? null;
  const terminal: PickerTerminal = {
    askKey: next,
    askOn: next,
    tell: async (...pieces) => void told.push(pieces.join('')),
    printLong: async (pieces, onShown) => {
      shown.push(pieces.join(''));
      onShown?.();
    },
    progress: async () => {},
    columns: 80,
    quotePath: true,
  };
  const picking: Picking<Hunk> = {
    verb: 'take',
    help: {},
    isFinal: false,
    pieces: async ({ name }) => [name],
    accept: async () => true,
    canSplit: ({ name }) => name.includes('+'),
    split: async ({ name, path }) => name.split('+').map(one => hunk(one, path)),
    canEdit: () => true,
    edit: async ({ name, path }) => [hunk(`${name}!`, path)],
    ...own,
  };
  const picker = new Picker(terminal, picking, hunks, rest);
  await picker.run();
  return { shown, accepted: picker.accepted.map(({ name }) => name), told };
}

const THREE = [hunk('1'), hunk('2'), hunk('3', 'b.txt')];

describe('the picker', () => {
  it('goes to the next and the previous file, and takes the last yes back', async () => {
    const { shown } = await press(THREE, ['N', 'P', 'y', 'z', 'q']);
    expect(shown).toEqual(['1', '3', '2', '3', '2']);
  });

  it.each<[keys: string, shown: string, accepted: string]>([
    ['yny', '123', '13'],
    ['ay', '13', '123'],
    ['dy', '13', '3'],
    ['yq', '12', '1'],
    ['jjjyyy', '123123', '123'],
    ['kyKyyy', '131312', '132'],
    ['yKnyy', '12123', '23'],
    ['eyy', '123', '1!23'],
    ['syyy', '1123', '123'],
  ])('answers %s after %s with %s', async (keys, shown, accepted) => {
    const pressed = await press(THREE, [...keys]);
    expect(pressed.shown.join('')).toBe(shown);
    expect(pressed.accepted.sort().join('')).toBe([...accepted].sort().join('').replace('!1', '1!'));
  });

  it('goes to a number or to what matches, and says what there is not', async () => {
    const { shown, told } = await press(THREE, [
      'g',
      '3',
      '/',
      'text 2',
      'g7',
      '/(',
      '/nowhere',
      'x2',
      'gx',
      'q',
    ]);
    expect(shown.join('')).toBe('132222222'.slice(0, shown.length));
    expect(told.slice(-5)).toEqual([
      'Only 3 hunks are there: give 1 to 3.',
      'That is no regular expression: (',
      'No hunk matches nowhere',
      'Only one letter is expected, got "x2"',
      'Invalid number: "x"',
    ]);
    expect(told[2]).toBe('  3: b.txt -1,0 +1,1 +text 3');
  });

  it('splits, says where it cannot, and asks again after Enter', async () => {
    const { shown, told, accepted } = await press([hunk('1+2'), hunk('3')], ['', 's', 's', 'y', 'a']);
    expect(shown).toEqual(['1+2', '1+2', '1', '1', '2']);
    expect(told).toEqual(['Sorry, cannot split this hunk']);
    expect(accepted).toEqual(['1', '2', '3']);
  });

  it('asks about the first hunks while it looks for the others', async () => {
    const counts: string[] = [];
    const pieces = async ({ name }: Hunk, _: number, count: string): Promise<string[]> => {
      counts.push(count);
      return [name];
    };
    const rest = async (): Promise<Hunk[]> => [hunk('2'), hunk('3', 'b.txt')];
    const { shown, accepted } = await press([hunk('1')], ['N', 'k', 'k', 'q'], { pieces }, rest);
    expect([shown, accepted, counts]).toEqual([['1', '3', '2', '1'], [], ['1+', '3', '3', '3']]);
    const fails = async (): Promise<Hunk[]> => Promise.reject(new Error('gone'));
    expect((await press([hunk('1')], ['q'], {}, fails)).shown).toEqual(['1']);
    await expect(press([hunk('1')], ['y'], {}, fails)).rejects.toThrow('gone');
  });

  it('asks again about what could not be done, and goes back to what was taken back', async () => {
    let fails = 1;
    const { shown, accepted } = await press(THREE, ['a', 'y', 'z', 'n', 'y', 'y'], {
      isFinal: true,
      accept: async ({ name }) => !(name === '2' && fails-- > 0),
      undoLast: async () => true,
    });
    expect(shown).toEqual(['1', '2', '3', '2', '3']);
    expect(accepted).toEqual(['1', '3']);
  });

  it('decides exactly the hunks that were shown when a key was pressed', async () => {
    const keys = fc.array(fc.constantFrom(...'ynjkJKrz'), { maxLength: 30 });
    const property = fc.asyncProperty(keys, fc.boolean(), async (pressed, isFinal) => {
      const done: string[] = [];
      const note = async ({ name }: Hunk): Promise<boolean> => Boolean(done.push(name));
      const { shown } = await press(THREE, pressed, {
        isFinal,
        accept: note,
        reject: note,
        undoLast: async () => true,
      });
      const expected = pressed.flatMap((key, at) =>
        'yr'.includes(key) && at < shown.length ? shown[at]! : [],
      );
      expect(done).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
