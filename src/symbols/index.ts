/**
 * The symbols of files, for programs: `versioned-edit/symbols`. The packages that read a language are installed beside this
 * one, and loaded with the first file of it.
 */

import { findSymbol as find, outline as list, type SymbolLines } from './find.ts';
import { loadReader } from './readers.ts';

export type { SymbolLines };

/** Lists the symbols of a text in its order. Rejects with INVALID_INPUT, which says what to install, and TOO_LARGE. */
export async function outline(path: string, text: string): Promise<SymbolLines[]> {
  await loadReader(path);
  return list(path, text);
}

/** Finds the symbol that a name means. Rejects as outline, and with NO_MATCH and AMBIGUOUS. */
export async function findSymbol(path: string, text: string, name: string): Promise<SymbolLines> {
  await loadReader(path);
  return find(path, text, name);
}
