/** A file system with some calls replaced, for tests of what one failing or counted call does. */

import type { Fs } from '../../src/git/fs.ts';

export function overriding(fs: Fs, calls: Partial<Fs>): Fs {
  return new Proxy(fs, {
    get(target, key) {
      const call = Reflect.get(calls, key) ?? Reflect.get(target, key);
      return typeof call === 'function' ? call.bind(target) : call;
    },
  });
}

/** A call that always fails with this code. */
export function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(code), { code }));
}
