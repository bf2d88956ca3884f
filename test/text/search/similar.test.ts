import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../src/text/lines.ts';
import { linesGiven } from '../../../src/text/search/align.ts';
import { looseKey, looseText } from '../../../src/text/search/loose.ts';
import { likelyStarts, similarLine } from '../../../src/text/search/similar.ts';

const loose = (text: string) => looseText(linesOf(text), 1e6, 1e6);
const keys = (text: string) => linesGiven(text).map(looseKey);

describe('likelyStarts', () => {
  it('is where most lines of the old text are', () => {
    const text = 'alpha\n}\nbeta\ngamma\n}\ndelta\nbeta\nepsilon\n}\n';
    expect(likelyStarts(keys('beta\nGAMMA\n}'), loose(text))[0]).toBe(3);
    expect(likelyStarts(keys('beta\nepsilon\n}'), loose(text))[0]).toBe(7);
    expect(likelyStarts(keys('other\nalpha'), loose(text))[0]).toBe(0);
  });

  it('is not won by brackets', () => {
    expect(likelyStarts(keys('if (first) {\n  call(second);\n}'), loose('a\n}\nb\n}\n'))).toEqual([]);
    expect(likelyStarts(keys('x'), loose(''))).toEqual([]);
  });
});

describe('similarLine', () => {
  it('is the line most like the longest of the old text', () => {
    const text = 'const width = 1;\nconst height = getHeight(box);\nreturn width;\n';
    expect(similarLine(keys('x\nconst height = getHeigth(box);'), loose(text))).toEqual({
      oldLine: 1,
      fileLine: 2,
      others: [],
    });
  });

  it('finds a part in a longer line', () => {
    expect(similarLine(keys('getHeigth(box)'), loose('a\n  const h = getHeight(box) + 1;\n'))?.fileLine).toBe(
      2,
    );
  });

  it('finds a short line in which two letters changed places', () => {
    expect(similarLine(keys('retrun 1'), loose('def f():\n    return 1\n'))?.fileLine).toBe(2);
  });

  it('is null when nothing is much alike', () => {
    expect(similarLine(keys('completely different'), loose('const a = 1;\nconst b = 2;\n'))).toBeNull();
    expect(similarLine(keys('x'), loose('y\n'))).toBeNull();
  });
});
