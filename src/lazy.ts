/** Values that are made when they are first asked for: a schema takes long to make, and most programs use few. */

/** Returns a function that makes its value at the first call. */
export function lazy<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a function that makes its value for each argument once. */
export function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, { value: Value }>();
  return key => {
    const known = made.get(key) ?? { value: make(key) };
    made.set(key, known);
    return known.value;
  };
}

/** Returns a function that calls the one of that name of a module, which is loaded then. */
export function late<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  const call = async (...args: unknown[]) =>
    ((await load())[name] as (...args: unknown[]) => unknown)(...args);
  return call as Module[Name];
}

/** As `late`, of a generator. */
export function lateEach<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  return async function* (...args: unknown[]) {
    yield* ((await load())[name] as (...args: unknown[]) => AsyncIterable<unknown>)(...args);
  } as Module[Name];
}

/** Returns a copy of an edit or a tool whose `input` is made when it is first read. */
export function withInput<T extends object, Input>({
  input,
  ...rest
}: T & { input: () => Input }): Omit<T, 'input'> & { input: Input } {
  const property = { get: lazy(input), enumerable: true };
  return Object.defineProperty(rest, 'input', property) as Omit<T, 'input'> & { input: Input };
}
