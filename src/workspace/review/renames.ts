/** The two halves of a renamed file, each told of the other. Pure. */

import { unifiedDiff } from '../../text/diff/diff.ts';
import { type Half, type Rename, renamesAmong } from '../renames.ts';

/** The other half of a file that was renamed. */
export interface Renamed {
  /** Of a file that came, the path that it had; of one that went, the path that it has. */
  path: string;
  /** As git tells it: how much of the text is the same, in percent. */
  similarity: number;
  /** Of a file that came: what changed in it besides, as git prints it; '' for nothing, and of a file that went. */
  diff: string;
}

/** By path, the other halves of those that are renamed; each is half of one. */
export function renamesIn(gone: readonly Half[], come: readonly Half[]): Map<string, Renamed> {
  const found = new Map<string, Renamed>();
  for (const rename of renamesAmong(gone, come)) {
    const { from, to, similarity } = rename;
    found.set(from.path, { path: to.path, similarity, diff: '' });
    found.set(to.path, { path: from.path, similarity, diff: similarity === 100 ? '' : diffOf(rename) });
  }
  return found;
}

function diffOf({ from, to }: Rename): string {
  const joined = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');
  const texts = { oldText: joined(from.lines), newText: joined(to.lines) };
  return unifiedDiff({ oldPath: from.path, newPath: to.path, ...texts }).text;
}
