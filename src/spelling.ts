/** The spellings of a name: tools and models write `dry_run`, the library `dryRun`. */

/** Returns a name as the library spells it: `dryRun` of `dry_run`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

type Camel<Name> = Name extends `${infer Head}_${infer Letter}${infer Rest}`
  ? `${Head}${Uppercase<Letter>}${Camel<Rest>}`
  : Name;

/** The fields of a tool as options of the library. */
export type Camelled<Fields> = { [K in keyof Fields as Camel<K>]: Fields[K] };

/** Returns the fields of a tool under their names as options of the library. */
export function camelCased<Fields extends object>(fields: Fields): Camelled<Fields> {
  const entries = Object.entries(fields).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(entries);
}
