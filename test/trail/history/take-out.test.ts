import { describe, expect, it } from 'vitest';
import { TakeOut } from '../../../src/trail/history/take-out.ts';
import { type StepKind, Weave } from '../../../src/trail/history/weave.ts';
import { Oracle, type OracleChange } from './take-out-oracle.ts';

/** Versions of a text, one after the other, as a weave has them. */
function woven(...versions: Array<[text: string, kind?: StepKind]>): Weave {
  const [base, ...later] = versions;
  const weave = new Weave(base![0].split(' '));
  for (const [at, [text, kind = 'edit']] of later.entries())
    weave.step({ id: `${at + 1}`, kind }, text === '' ? [] : text.split(' '));
  return weave;
}

const textOf = (takeOut: TakeOut): string => takeOut.rows.map(({ token }) => token).join(' ');

const out = (weave: Weave, ...ids: string[]): string => {
  const takeOut = new TakeOut(weave);
  for (const id of ids) {
    const { held } = takeOut.take(id, 'out')!;
    if (held.length > 0) return `held by ${held.map(({ step }) => step.id)}`;
  }
  return textOf(takeOut);
};

describe('an edit is taken out of what came later', () => {
  it.each([
    ['a line beside it was changed', ['top line5 line6', 'top FIVE line6', 'top FIVE SIX'], 'top line5 SIX'],
    ['a line above it', ['line4 line5', 'line4 FIVE', 'FOUR FIVE'], 'FOUR line5'],
    ['a line was put before it', ['line4 line5', 'line4 FIVE', 'line4 new FIVE'], 'line4 new line5'],
    ['a line was put after it', ['line5 line6', 'FIVE line6', 'FIVE new line6'], 'line5 new line6'],
    ['a line put before it was changed', ['l4 l5', 'l4 FIV', 'l4 new FIV', 'l4 newer FIV'], 'l4 newer l5'],
    ['both beside it', ['aaa bbb ccc', 'aaa BBB ccc', 'AAA BBB CCC'], 'AAA bbb CCC'],
    ['the line above a deletion', ['aaa bbb ccc', 'aaa ccc', 'AAA ccc'], 'AAA bbb ccc'],
    ['the line below a deletion', ['aaa bbb ccc', 'aaa ccc', 'aaa CCC'], 'aaa bbb CCC'],
    ['both, one after the other', ['aaa bbb ccc', 'aaa ccc', 'AAA ccc', 'AAA CCC'], 'AAA bbb CCC'],
    ['the lines around a deletion went', ['aaa bbb ccc ddd', 'aaa ccc ddd', 'ddd'], 'bbb ddd'],
    ['a line was put in and taken out', ['aaa bbb', 'bbb', 'new bbb', 'bbb'], 'aaa bbb'],
  ])('%s', (_what, texts, wanted) => {
    expect(out(woven(...texts.map((text): [string] => [text])), '1')).toBe(wanted);
  });

  it.each([
    ['its line was changed', ['aaa bbb', 'aaa BBB', 'aaa bee'], '2'],
    ['its line was taken out', ['aaa bbb', 'aaa BBB', 'aaa'], '2'],
    ['its line was taken out, and that was all it did', ['aaa', 'aaa BBB', 'aaa'], '2'],
    ['a line between two of its lines', ['aaa', 'aaa BBB CCC', 'aaa BBB new CCC'], '2'],
    ['text where it only took out', ['aaa bbb ccc', 'aaa ccc', 'aaa new ccc'], '2'],
    ['that was changed since', ['aaa bbb ccc', 'aaa ccc', 'aaa new ccc', 'aaa newer ccc'], '3'],
    ['text in place of what is around a deletion', ['aaa bbb ccc', 'aaa ccc', 'new'], '2'],
    ['two that changed its lines', ['aaa', 'BBB CCC', 'bee CCC', 'bee cee'], '2,3'],
  ])('and refused: %s', (_what, texts, by) => {
    expect(out(woven(...texts.map((text): [string] => [text])), '1')).toBe(`held by ${by}`);
  });

  it('where a line came back between its lines, and there is text beside that one', () => {
    const texts = ['aaa bbb ccc ddd', 'aaa bbb ddd', 'aaa', 'aaa ccc', 'aaa ccc new', 'aaa new'];
    expect(out(woven(...texts.map((text): [string] => [text])), '2')).toBe('held by 4');
  });

  it('what was done by hand already is nothing to do; in part, it is in the way', () => {
    expect(out(woven(['aaa bbb'], ['aaa BBB'], ['aaa bbb', 'outside']), '1')).toBe('aaa bbb');
    expect(out(woven(['aaa bbb'], ['aaa BBB CCC'], ['aaa CCC', 'outside']), '1')).toBe('held by 2');
  });

  it('several are taken out one after the other', () => {
    const weave = woven(['aaa bbb'], ['aaa BBB'], ['aaa bee'], ['AAA bee']);
    expect(out(weave, '2', '1')).toBe('AAA bbb');
    expect(out(weave, '1', '2')).toBe('held by 2');
  });

  it('of equal lines, those of the edit go, and come back as the same', () => {
    const weave = woven(['head foot'], ['head same foot'], ['head same same foot']);
    const first = new TakeOut(weave);
    first.take('2', 'out');
    const { rows } = first;
    weave.step({ id: 'undo', kind: 'back' }, ['head', 'same', 'foot'], rows);
    expect(weave.live).toEqual(rows);
    expect(out(weave, '1')).toBe('head foot');
  });
});

/** A small generator of random numbers, so that a seed says which history failed. */
function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return below => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3266489917);
    return ((mixed ^ (mixed >>> 16)) >>> 0) % below;
  };
}

class History {
  readonly weave: Weave;
  readonly oracle: Oracle;
  readonly next: (below: number) => number;
  #lines = 0;

  constructor(seed: number) {
    this.next = random(seed);
    const base = Array.from({ length: 3 + this.next(8) }, () => this.fresh());
    this.weave = new Weave(base);
    this.oracle = new Oracle(base);
  }

  fresh(): string {
    return `line ${this.#lines++}`;
  }

  edit(): number {
    const length = this.oracle.text.length;
    const changes: OracleChange[] = [];
    for (let at = this.next(3); at <= length && changes.length < 2; ) {
      const end = Math.min(length, at + this.next(3));
      const put = Array.from({ length: this.next(3) }, () => this.fresh());
      if (end > at || put.length > 0) changes.push({ start: at, end, put });
      at = end + 1 + this.next(4);
    }
    const kind = this.next(4) === 0 ? 'outside' : 'edit';
    this.oracle.edit(kind, changes);
    this.weave.step({ id: `${this.oracle.steps.length - 1}`, kind }, this.oracle.text);
    return this.oracle.steps.length - 1;
  }

  /** Takes an edit out on both sides. */
  swap(step: number, direction: 'out' | 'again'): ReturnType<Oracle['swap']> {
    const takeOut = new TakeOut(this.weave);
    const { held, changed } = takeOut.take(`${step}`, direction)!;
    const wanted = this.oracle.swap(step, direction);
    expect(held.length > 0).toBe(wanted === 'refused');
    expect(takeOut.rows.map(({ token }) => token)).toEqual(this.oracle.text);
    const kind = direction === 'out' ? 'back' : this.oracle.steps[step]!.kind;
    if (changed) this.weave.step({ id: `swap ${step}`, kind }, this.oracle.text);
    return wanted;
  }
}

/** Of 20,000 all are as the oracle says. */
const COUNT = Number(process.env.SEEDS ?? 7_000);

describe('random histories of unique lines', () => {
  it('are taken back as an oracle says that has no weave', () => {
    const told = { all: 0, 'in part': 0, refused: 0 };
    for (let seed = 1; seed <= COUNT; seed++) {
      const history = new History(seed);
      // Put back is what was taken out last, as redo does; not where a part of it had gone by hand.
      const taken: number[] = [];
      const gone = new Set<number>();
      const note = (step: number, direction: 'out' | 'again'): void => {
        if (history.oracle.isBeyond(step)) return;
        const done = history.swap(step, direction);
        told[done]++;
        if (done === 'refused') return;
        if (direction === 'again') taken.pop();
        if (direction === 'again' && done === 'all') gone.delete(step);
        if (direction === 'out') gone.add(step);
        if (direction === 'out' && done === 'all') taken.push(step);
      };
      try {
        for (let turn = 0; turn < 12; turn++) {
          const draw = history.next(6);
          const step = history.next(Math.max(1, history.oracle.steps.length));
          if (turn < 2 || draw < 3) history.edit();
          else if (draw === 3 && taken.length > 0) note(taken.at(-1)!, 'again');
          else if (!gone.has(step)) note(step, 'out');
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    expect(told.all).toBeGreaterThan(5_000);
    expect(told.refused).toBeGreaterThan(2_000);
  });

  it('undo of what nothing touches is the text without it, and redo is the text with it', () => {
    for (let seed = 1; seed <= 500; seed++) {
      const history = new History(seed);
      const before = history.oracle.text;
      const step = history.edit();
      const after = history.oracle.text;
      const { weave } = history;
      const takeOut = new TakeOut(weave);
      takeOut.take(`${step}`, 'out');
      expect(takeOut.rows.map(({ token }) => token)).toEqual(before);
      weave.step({ id: 'undo', kind: 'back' }, before);
      const again = new TakeOut(weave);
      again.take(`${step}`, 'again');
      expect(again.rows.map(({ token }) => token)).toEqual(after);
    }
  });
});
