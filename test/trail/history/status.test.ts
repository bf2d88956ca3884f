import { describe, expect, it } from 'vitest';
import type { Token } from '../../../src/text/diff/alignment.ts';
import {
  type EditStatus,
  fatesIn,
  type RowFate,
  type SeenHead,
  statusOf,
} from '../../../src/trail/history/status.ts';
import { type StepKind, Weave } from '../../../src/trail/history/weave.ts';

/** Lines of a text, one a word. */
const rows = (words: string): Token[] => words.split(' ').filter(Boolean);

/** What happened to a file: `[kind, text]`, with HEAD where that moved. Ids are the kind and the number of the step. */
type Step = readonly [kind: StepKind, text: string, head?: string];

interface Now {
  file: string;
  head: string;
  elsewhere?: Record<string, string>;
}

function fates(base: string, steps: readonly Step[], now: Now, most?: number): Map<string, RowFate[]> {
  const weave = new Weave(rows(base), most);
  const seen: SeenHead[] = [{ step: 0, held: new Set(weave.live) }];
  for (const [n, [kind, text, head]] of steps.entries()) {
    weave.step({ id: `${kind} ${n}`, kind }, rows(text));
    if (head !== undefined) seen.push({ step: n + 1, held: weave.place(rows(head)).held });
  }
  return fatesIn(weave, {
    file: weave.place(rows(now.file)),
    head: weave.place(rows(now.head)).held,
    seen,
    elsewhere: Object.entries(now.elsewhere ?? {}).map(([where, text]) => {
      const { held } = weave.place(rows(text));
      // Of a branch nobody knows what it was made from.
      return { where, held, ...(where.startsWith('branch') ? {} : { from: weave.place(rows(base)).held }) };
    }),
  });
}

/** The word of the first edit and of whom it is said: `superseded by edit 1`. */
function status(base: string, steps: readonly Step[], now: Now, id = 'edit 0'): string {
  const { now: word, by } = statusOf(fates(base, steps, now).get(id)!);
  return by === null ? word : `${word} by ${by}`;
}

const BASE = 'one two three';
const EDITED: Step = ['edit', 'one TWO three'];

/** What happened since the edit, the file and HEAD now, and what is said of the edit. */
const TABLE: ReadonlyArray<readonly [string, Step[], Now, string]> = [
  ['in the file, not in HEAD', [], { file: 'one TWO three', head: BASE }, 'open'],
  ['in both', [], { file: 'one TWO three', head: 'one TWO three' }, 'landed'],
  ['in HEAD, not in the file', [], { file: BASE, head: 'one TWO three' }, 'landed by hand'],
  [
    'in HEAD, and a later edit replaced it',
    [['edit', 'one 2 three']],
    { file: 'one 2 three', head: 'one TWO three' },
    'landed by edit 1',
  ],
  [
    'a later edit replaced it',
    [['edit', 'one 2 three']],
    { file: 'one 2 three', head: BASE },
    'superseded by edit 1',
  ],
  [
    'a later edit took it out',
    [['edit', 'one three']],
    { file: 'one three', head: BASE },
    'superseded by edit 1',
  ],
  ['an undo took it back', [['back', BASE]], { file: BASE, head: BASE }, 'taken back by back 1'],
  ['a rejection took it back', [['reject', BASE]], { file: BASE, head: BASE }, 'rejected by reject 1'],
  [
    'text from outside replaced it',
    [['outside', 'one mine three']],
    { file: 'one mine three', head: BASE },
    'rewritten by hand by outside 1',
  ],
  [
    'text that is not recorded replaced it',
    [],
    { file: 'one mine three', head: BASE },
    'rewritten by hand by hand',
  ],
  [
    'text from outside replaced it, and a stash has it',
    [['outside', 'one mine three']],
    { file: 'one mine three', head: BASE, elsewhere: { stash: 'one TWO three' } },
    'rewritten by hand by outside 1',
  ],
  [
    'taken out from outside, and a stash has it',
    [['outside', BASE]],
    { file: BASE, head: BASE, elsewhere: { index: BASE, 'stash@{0}': 'one TWO three' } },
    'not here by stash@{0}',
  ],
  [
    'taken out from outside',
    [['outside', BASE]],
    { file: BASE, head: BASE },
    'taken back by hand by outside 1',
  ],
  ['not there, and nothing says why', [], { file: BASE, head: BASE }, 'taken back by hand by hand'],
  [
    'not there, and a branch has it',
    [],
    { file: BASE, head: BASE, elsewhere: { 'branch topic': 'one TWO three' } },
    'not here by branch topic',
  ],
  [
    'gone with a commit of a person',
    [['sync', 'one new three', 'one new three']],
    { file: 'one new three', head: 'one new three' },
    'taken back by hand by hand',
  ],
  [
    'gone with a commit of a person, then text was typed there',
    [['sync', 'one new three', 'one new three']],
    { file: 'one mine three', head: 'one new three' },
    'taken back by hand by hand',
  ],
  [
    'gone with a commit of a person, and a branch has it',
    [['sync', 'one new three', 'one new three']],
    { file: 'one new three', head: 'one new three', elsewhere: { 'branch topic': 'one TWO three' } },
    'not here by branch topic',
  ],
  [
    'rejected, and taken back again',
    [
      ['reject', BASE],
      ['edit', 'one TWO three'],
    ],
    { file: 'one TWO three', head: BASE },
    'open',
  ],
  [
    'rejected, taken back again, and gone from the file',
    [
      ['reject', BASE],
      ['edit', 'one TWO three'],
    ],
    { file: BASE, head: BASE },
    'taken back by hand by hand',
  ],
  ['rejected, and put in again by hand', [['reject', BASE]], { file: 'one TWO three', head: BASE }, 'open'],
  [
    'two ways back, the last one counts',
    [
      ['back', BASE],
      ['edit', 'one TWO three'],
      ['reject', BASE],
    ],
    { file: BASE, head: BASE },
    'rejected by reject 3',
  ],
  [
    'landed, and HEAD was set back',
    [['sync', 'one TWO three', 'one TWO three']],
    { file: 'one TWO three', head: BASE },
    'open',
  ],
];

describe('what became of an edit', () => {
  it.each(TABLE)('%s', (_, steps, now, said) => {
    expect(status(BASE, [EDITED, ...steps], now)).toBe(said);
  });

  it('is the same before and after a change from outside is recorded', () => {
    for (const file of [BASE, 'one mine three', 'one three', 'mine one TWO', 'one', 'one two mine three']) {
      const open = status(BASE, [EDITED], { file, head: BASE });
      const recorded = status(BASE, [EDITED, ['outside', file]], { file, head: BASE });
      expect(recorded.replace('outside 1', 'hand')).toBe(open);
    }
  });
});

describe('what an edit took out', () => {
  it('tells of it where it put nothing in', () => {
    const deleted: Step[] = [['edit', 'one three']];
    expect(status(BASE, deleted, { file: 'one three', head: BASE })).toBe('open');
    expect(status(BASE, deleted, { file: 'one three', head: 'one three' })).toBe('landed');
    expect(status(BASE, deleted, { file: BASE, head: BASE })).toBe('taken back by hand by hand');
    const back: Step[] = [...deleted, ['back', BASE]];
    expect(status(BASE, back, { file: BASE, head: BASE })).toBe('taken back by back 1');
  });

  it('is taken back by hand where it is back, whatever else is typed there', () => {
    const deleted: Step[] = [['edit', 'one three']];
    expect(status(BASE, deleted, { file: 'one two mine three', head: BASE })).toBe(
      'taken back by hand by hand',
    );
    const recorded: Step[] = [...deleted, ['outside', 'one two mine three']];
    expect(status(BASE, recorded, { file: 'one two mine three', head: BASE })).toBe(
      'taken back by hand by outside 1',
    );
  });

  it('counts nothing where HEAD never had it', () => {
    const steps: Step[] = [EDITED, ['edit', 'one three']];
    expect(status(BASE, steps, { file: 'one three', head: BASE }, 'edit 1')).toBe('nothing left');
    const landed: Step[] = [EDITED, ['sync', 'one TWO three', 'one TWO three'], ['edit', 'one three']];
    expect(status(BASE, landed, { file: 'one three', head: 'one TWO three' }, 'edit 2')).toBe('open');
  });
});

describe('what an edit put in', () => {
  it('counts nothing where HEAD had it all the time', () => {
    const steps: Step[] = [
      ['edit', 'one three'],
      ['edit', BASE],
    ];
    expect(status(BASE, steps, { file: BASE, head: BASE }, 'edit 1')).toBe('nothing left');
    expect(status(BASE, steps, { file: BASE, head: BASE })).toBe('superseded by edit 1');
    expect(status(BASE, steps, { file: 'one three', head: BASE }, 'edit 1')).toBe('nothing left');
  });

  it('counts where HEAD had lost it', () => {
    const steps: Step[] = [
      ['edit', 'one three'],
      ['sync', 'one three', 'one three'],
      ['edit', BASE],
    ];
    expect(status(BASE, steps, { file: BASE, head: 'one three' }, 'edit 2')).toBe('open');
  });
});

describe('the word of several lines', () => {
  /** What is said of an edit of three lines of which each becomes something else. */
  function said(steps: readonly Step[], now: Now): Omit<EditStatus, 'landed_in' | 'marks'> {
    return statusOf(fates('start end', [['edit', 'start aaa bbb ccc end'], ...steps], now).get('edit 0')!);
  }

  it('is the first of the list, and how many lines have which is told', () => {
    const rejected: Step = ['reject', 'start aaa bbb end'];
    expect(said([rejected], { file: 'start aaa bbb end', head: 'start aaa end' })).toEqual({
      now: 'rejected',
      by: 'reject 1',
      lines: { rejected: 1, open: 1, landed: 1 },
    });
    const back: Step = ['back', 'start aaa bbb end'];
    expect(said([back], { file: 'start aaa bbb end', head: 'start aaa end' })).toEqual({
      now: 'open',
      by: null,
      lines: { 'taken back': 1, open: 1, landed: 1 },
    });
    expect(
      said([back, ['edit', 'start aaa X end']], { file: 'start aaa X end', head: 'start aaa end' }),
    ).toEqual({
      now: 'taken back',
      by: 'back 1',
      lines: { 'taken back': 1, superseded: 1, landed: 1 },
    });
  });

  it('names who changed some of what has landed', () => {
    const landed = 'start aaa bbb ccc end';
    const steps: Step[] = [
      ['sync', landed, landed],
      ['edit', 'start AAA bbb ccc end'],
    ];
    expect(said(steps, { file: 'start AAA bbb ccc end', head: landed })).toEqual({
      now: 'landed',
      by: 'edit 2',
      lines: { landed: 3 },
    });
  });

  it('is that of the lines that were put in, where there are any', () => {
    const steps: Step[] = [['edit', 'one TWO']];
    expect(statusOf(fates(BASE, steps, { file: 'one two', head: BASE }).get('edit 0')!).lines).toEqual({
      'taken back by hand': 1,
    });
  });

  it('counts a name or a mode only where there are no lines', () => {
    const named = '\0name_a one two';
    const steps: Step[] = [['edit', '\0name_b one TWO']];
    const both = statusOf(fates(named, steps, { file: '\0name_b one TWO', head: named }).get('edit 0')!);
    expect(both).toEqual({ now: 'open', by: null, lines: { open: 1 } });
    const renamed: Step[] = [['edit', '\0name_b one two']];
    const name = statusOf(fates(named, renamed, { file: '\0name_b one two', head: named }).get('edit 0')!);
    expect(name).toEqual({ now: 'open', by: null, lines: { open: 1 } });
  });

  it('is nothing left of no lines', () => {
    expect(statusOf([])).toEqual({ now: 'nothing left', by: null, lines: {} });
  });
});

describe('a file that is too large to compare', () => {
  it('is unknown, for every edit of it', () => {
    const found = fates(
      BASE,
      [EDITED, ['edit', 'one 2 three'], ['sync', BASE]],
      { file: BASE, head: BASE },
      1,
    );
    expect([...found.keys()]).toEqual(['edit 0', 'edit 1']);
    for (const some of found.values())
      expect(statusOf(some)).toEqual({ now: 'unknown', by: 'too large to compare', lines: {} });
  });

  it('takes a look at each line and step, not at all of both', () => {
    const weave = new Weave(['start', 'end']);
    const seen: SeenHead[] = [{ step: 0, held: new Set(weave.live) }];
    let asked = 0;
    const held = new Proxy(new Set(weave.live), {
      get: (set, key) => {
        asked++;
        return key === 'has'
          ? (row: (typeof weave.live)[number]) => set.has(row)
          : Reflect.get(set, key, set);
      },
    });
    for (let n = 0; n < 2000; n++) {
      weave.step({ id: `edit ${n}`, kind: 'edit' }, ['start', `text ${n}`, 'end']);
      seen.push({ step: n + 1, held });
    }
    const file = weave.place(['start', 'mine', 'end']);
    const found = fatesIn(weave, { file, head: held, seen, elsewhere: [{ where: 'index', held }] });
    expect([found.size, asked <= 4 * 4000]).toEqual([2000, true]);
  });
});
