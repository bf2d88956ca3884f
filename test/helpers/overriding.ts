/** A file system, or an open file, with some calls replaced, for tests of what one failing or counted call does. */

export function overriding<T extends object>(fs: T, calls: Partial<T>): T {
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
