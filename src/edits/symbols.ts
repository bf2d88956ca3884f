/** Loads what knows symbols with the first edit that names one. */

type Symbols = typeof import('../symbols/commas.ts');

let loaded: Symbols | null = null;

/** Loads what reads the files at these paths. Throws INVALID_INPUT where their symbols are not known. */
export async function loadSymbols(...paths: readonly string[]): Promise<void> {
  loaded ??= await import('../symbols/commas.ts');
  for (const path of paths) await loaded.loadReader(path);
}

/** Returns what was loaded. */
export function symbols(): Symbols {
  return loaded!;
}
