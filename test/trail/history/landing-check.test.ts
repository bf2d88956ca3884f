import { describe, expect, it } from 'vitest';
import { Components } from '../../../src/trail/history/components.ts';
import { type LandingTerms, landingFaults } from '../../../src/trail/history/landing-check.ts';
import { type StepKind, Weave } from '../../../src/trail/history/weave.ts';

const rows = (text: string): string[] => (text === '' ? [] : text.split(' '));

interface Given {
  /** The base, and the versions after it; ids count from 1. */
  versions: ReadonlyArray<readonly [text: string, kind?: StepKind]>;
  file?: string;
  head?: string;
  terms?: Partial<LandingTerms>;
}

const ALL: LandingTerms = {
  takes: () => true,
  named: false,
  outside: false,
  leavesOut: () => false,
  isWhole: true,
};

/** What is said of results, in a word each: that of the first fault. */
function said({ versions, file, head, terms }: Given, ...results: string[]): string[] {
  const [base, ...later] = versions;
  const weave = new Weave(rows(base![0]));
  for (const [at, [text, kind = 'edit']] of later.entries())
    weave.step({ id: `${at + 1}`, kind }, rows(text));
  const components = new Components(weave, {
    head: rows(head ?? base![0]),
    file: rows(file ?? versions.at(-1)![0]),
  });
  return results.map(
    result => landingFaults(components, rows(result), { ...ALL, ...terms })[0]?.kind ?? 'passes',
  );
}

const ONE: Given = { versions: [['aaa bbb ccc'], ['aaa BBB CCC']] };

describe('a result passes', () => {
  it('as the file has it', () => {
    expect(said(ONE, 'aaa BBB CCC')).toEqual(['passes']);
  });

  it('as HEAD has it, where nothing of it is asked for', () => {
    expect(said({ ...ONE, terms: { takes: () => false } }, 'aaa bbb ccc')).toEqual(['passes']);
  });

  it('without text from outside, or with it where that is asked for', () => {
    const own: Given = { ...ONE, file: 'aaa BBB CCC mine' };
    expect(said(own, 'aaa BBB CCC', 'aaa BBB CCC mine')).toEqual(['passes', 'not asked for']);
    const with_ = { ...own, terms: { outside: true } };
    expect(said(with_, 'aaa BBB CCC', 'aaa BBB CCC mine')).toEqual(['left out for nothing', 'passes']);
  });

  it('without rejected text that is there again', () => {
    const back: Given = { versions: [['aaa'], ['aaa bad'], ['aaa', 'reject'], ['aaa bad']] };
    const terms: Given['terms'] = { leavesOut: ({ token }) => token === 'bad' };
    expect(said({ ...back, terms }, 'aaa', 'aaa bad')).toEqual(['passes', 'not asked for']);
  });
});

describe('a result does not pass', () => {
  it('with a line that nobody wrote, twice, or in another order', () => {
    const results = ['aaa BBB new CCC', 'aaa BBB BBB CCC', 'aaa CCC BBB', 'BBB aaa CCC'];
    expect(said(ONE, ...results)).toEqual(results.map(() => 'nobody wrote it'));
  });

  it('with a part of what one step did together', () => {
    const results = ['aaa bbb CCC', 'aaa BBB ccc', 'aaa BBB', 'aaa bbb BBB ccc CCC', 'aaa'];
    expect(said(ONE, ...results)).toEqual(results.map(() => 'never stood so'));
  });

  it('as a version of before had it, and neither HEAD nor the file', () => {
    const two: Given = { versions: [['aaa bbb'], ['aaa BBB'], ['aaa bee']] };
    expect(said({ ...two, terms: { takes: id => id === '1' } }, 'aaa BBB')).toEqual(['in neither']);
  });

  it('without a line that nobody touched', () => {
    expect(said(ONE, 'BBB CCC')).toEqual(['never stood so']);
    expect(said({ ...ONE, terms: { isWhole: false } }, 'BBB CCC')).toEqual(['never stood so']);
  });

  it('with an edit that is not to land', () => {
    const two: Given = { versions: [['aaa bbb ccc'], ['AAA bbb ccc'], ['AAA bbb CCC']] };
    const terms: Given['terms'] = { takes: id => id === '1', isWhole: false };
    expect(said({ ...two, terms }, 'AAA bbb CCC', 'AAA bbb ccc')).toEqual(['not asked for', 'passes']);
  });

  it('without an edit that is to land, unless edits are named', () => {
    expect(said(ONE, 'aaa bbb ccc')).toEqual(['left out for nothing']);
    expect(said({ ...ONE, terms: { isWhole: false } }, 'aaa bbb ccc')).toEqual(['passes']);
  });

  it('without what HEAD alone has', () => {
    expect(said({ ...ONE, head: 'aaa bbb ccc ddd' }, 'aaa BBB CCC')).toEqual(['not asked for']);
  });
});

describe('what HEAD has by itself', () => {
  const made: Given = {
    versions: [[''], ['aaa bbb ccc'], ['aaa bbb MINE', 'outside'], ['AAA bbb MINE']],
    head: 'aaa bbb ccc',
  };

  it('binds nothing: lines of it that were changed since land one by one', () => {
    expect(said(made, 'AAA bbb ccc', 'AAA bbb MINE')).toEqual(['passes', 'not asked for']);
    expect(said({ ...made, terms: { outside: true } }, 'AAA bbb MINE')).toEqual(['passes']);
  });

  it('also where it took the place of something, or a part of it was changed since and that landed', () => {
    const block: Given = {
      versions: [
        ['one two'],
        ['aaa bbb ccc'],
        ['aaa BBB ccc'],
        ['aaa BBB MINE', 'outside'],
        ['AAA BBB MINE'],
      ],
      head: 'aaa BBB ccc',
    };
    expect(said(block, 'AAA BBB ccc', 'AAA bbb ccc')).toEqual(['passes', 'never stood so']);
  });

  it('does not come to what was before it', () => {
    for (const outside of [false, true]) {
      const terms = { outside, isWhole: false };
      expect(said({ ...made, terms }, 'AAA ccc', 'AAA bbb')).toEqual(['never stood so', 'never stood so']);
    }
    const over: Given = { versions: [['five six'], ['FIVE six'], ['FIVE SIX']], head: 'FIVE six' };
    expect(said({ ...over, terms: { outside: true, isWhole: false } }, 'five FIVE SIX')).toEqual([
      'never stood so',
    ]);
  });

  it('binds, where HEAD has but a part of it', () => {
    expect(said({ ...made, head: 'aaa bbb' }, 'AAA bbb ccc')).toEqual(['never stood so']);
  });
});
