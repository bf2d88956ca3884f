/**
 * The symbols of files and the faults in them, for programs: `versioned-edit/symbols`. The packages that read a language
 * are installed beside this one, and loaded with the first file of it.
 */

import { findSymbol as find, outline as list, type SymbolLines } from './find.ts';
import type { DataFault } from './keys.ts';
import { faultsIn, loadReader } from './readers.ts';

export type { DataFault, SymbolLines };

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

/** Lists the places of a text that cannot be parsed. Rejects as outline. */
export async function faults(path: string, text: string): Promise<DataFault[]> {
  await loadReader(path);
  return faultsIn(path, text);
}
