import { describe, expect, it } from 'vitest';
import { globTest } from '../../../src/surfaces/langchain/glob.ts';

describe('globTest', () => {
  it.each([
    ['*.ts', ['a.ts', 'b/c.ts'], ['a.tsx', 'ts', 'a.ts/b']],
    ['src/*.ts', ['src/a.ts'], ['src/b/c.ts', 'a.ts']],
    ['/src/**/*.ts', ['src/a.ts', 'src/b/c/d.ts'], ['lib/src/a.ts']],
    ['**/test/**', ['test/a', 'a/test/b/c'], ['tests/a']],
    ['*.{js,m[jt]s}', ['a.js', 'b/c.mjs', 'd.mts'], ['a.ms', 'a.mxs']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['[!a-c]x', ['dx'], ['ax', 'bx', '/x']],
    ['a+b(1).txt', ['a+b(1).txt'], ['aab1.txt']],
    ['a,b}.txt', ['a,b}.txt'], ['a.txt']],
    ['**', ['a', 'a/b'], []],
  ])('%s', (pattern, fits, others) => {
    const test = globTest(pattern);
    expect(fits.filter(path => !test(path))).toEqual([]);
    expect(others.filter(test)).toEqual([]);
  });
});
