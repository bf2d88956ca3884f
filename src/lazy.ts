/**
 * Values and functions that come when they are first asked for: schemas, which take long to make and of which most programs
 * use few, and parts that a program which only edits never calls.
 */

/** Returns a function that makes its value at the first call. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a copy of an edit or a tool whose `input` is made when it is first read. */
export function withInput<T extends object, Input>({
  input,
  ...rest
}: T & { input: () => Input }): Omit<T, 'input'> & { input: Input } {
  const property = { get: lazy(input), enumerable: true };
  return Object.defineProperty(rest, 'input', property) as Omit<T, 'input'> & { input: Input };
}

/** Returns a function that is loaded with its module at the first call. */
export function late<Args extends unknown[], T>(
  load: () => Promise<(...args: Args) => T | Promise<T>>,
): (...args: Args) => Promise<T> {
  return async (...args) => (await load())(...args);
}

/** As late, of a function that yields. */
export function lateEach<Args extends unknown[], T>(
  load: () => Promise<(...args: Args) => AsyncGenerator<T>>,
): (...args: Args) => AsyncGenerator<T> {
  return async function* (...args) {
    yield* (await load())(...args);
  };
}
