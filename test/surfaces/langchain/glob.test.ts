import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globTest } from '../../../src/surfaces/langchain/glob.ts';

describe('globTest', () => {
  it.each([
    ['*.ts', ['a.ts', 'b/c.ts'], ['a.tsx', 'ts', 'a.ts/b']],
    ['/*.ts', ['a.ts'], ['b/c.ts']],
    ['./*.ts', ['a.ts'], ['b/c.ts']],
    ['src/*.ts', ['src/a.ts'], ['src/b/c.ts', 'a.ts']],
    ['/src/**/*.ts', ['src/a.ts', 'src/b/c/d.ts'], ['lib/src/a.ts']],
    ['**/test/**', ['test/a', 'a/test/b/c'], ['tests/a']],
    ['*.{js,m[jt]s}', ['a.js', 'b/c.mjs', 'd.mts'], ['a.ms', 'a.mxs']],
    ['a?c', ['abc'], ['ac', 'a/c']],
    ['[!a-c]x', ['dx'], ['ax', 'bx', '/x']],
    ['a+b(1).txt', ['a+b(1).txt'], ['aab1.txt']],
    ['a,b}.txt', ['a,b}.txt'], ['a.txt']],
    ['**', ['a', 'a/b'], []],
    ['[z-a]', [], ['z', 'a', 'm', '-']],
    ['[!z-a]', ['z', '-'], ['/', 'zz']],
    ['[z-ab-d]', ['c'], ['a', 'z', '-']],
    ['{a', ['{a', 'b/{a'], ['a']],
    ['{a,b', ['{a,b'], ['a', 'b']],
    ['{a,{b,c}', ['{a,b', '{a,c'], ['a', 'b']],
    ['a}', ['a}'], ['a']],
  ])('%s', (pattern, fits, others) => {
    const test = globTest(pattern);
    expect(fits.filter(path => !test(path))).toEqual([]);
    expect(others.filter(test)).toEqual([]);
  });

  it('takes any text', () => {
    const signs = fc.constantFrom(...'{}[],*?!^-\\/az(|)$');
    const pattern = fc.oneof(fc.string({ unit: signs }), fc.string({ unit: 'binary' }));
    fc.assert(fc.property(pattern, text => typeof globTest(text)('a/b') === 'boolean'));
  });
});
