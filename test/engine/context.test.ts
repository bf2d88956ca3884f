/** Paths of requests, as a workspace takes them. */

import { describe, expect, it } from 'vitest';
import { type Context, givenPath } from '../../src/engine/context.ts';

const on = (windows: boolean): Context => ({ roots: ['/repo'], windows }) as unknown as Context;

describe('a path of a request', () => {
  it.each(['aux.txt', 'a/nul', 'what?.md', 'ends.', 'ends '])('%s is refused on Windows alone', path => {
    expect(() => givenPath(on(true), path)).toThrow(/Windows/);
    expect(givenPath(on(false), path)).toBe(path);
  });

  it('below the root is taken from it', () => {
    expect(givenPath(on(true), '/repo/src/a.ts')).toBe('src/a.ts');
  });
});
