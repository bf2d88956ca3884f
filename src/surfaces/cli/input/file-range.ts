/** A file with a stretch of lines behind its name: `src/a.ts:10-40`, `src/a.ts:7`, `src/a.ts:30-`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

export interface FileRange {
  path: string;
  /** First and last line, from 1; -1 as last is the end. */
  range?: [number, number];
}

/** Unless a file has that very name. */
export function parseFileRange(given: string, folder: string): FileRange {
  const parts = /^(.+):(\d+)(?:(-)(\d*))?$/.exec(given);
  if (!parts || existsSync(resolve(folder, given))) return { path: given };
  const [, path, first, dash, last] = parts;
  const end = last ? Number(last) : dash ? -1 : Number(first);
  return { path: path!, range: [Number(first), end] };
}
