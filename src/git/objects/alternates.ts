/** The other objects folders that a repository borrows from, as `git clone --shared` sets up. */

import { fromUtf8 } from '../../bytes.ts';
import { unquote } from '../../c-quote.ts';
import { reading } from '../../fs/failures.ts';
import { type Fs, orNull } from '../../fs/fs.ts';
import { resolvePath } from '../paths.ts';

/** The number of times that an alternate may itself have alternates: git's own limit. */
const DEPTH = 5;

/**
 * The folders named in `objects/info/alternates`, and in theirs, in git's order and each once: a line is a path,
 * relative to the objects folder, C-quoted when it begins with `"`; `#` begins a comment.
 */
export async function alternatesOf(fs: Fs, objectsDir: string): Promise<string[]> {
  const seen = new Set([objectsDir]);
  await collect(fs, objectsDir, seen, DEPTH);
  seen.delete(objectsDir);
  return [...seen];
}

async function collect(fs: Fs, objectsDir: string, seen: Set<string>, depth: number): Promise<void> {
  const bytes = await reading(
    'objects/info/alternates',
    orNull(fs.readFile(`${objectsDir}/info/alternates`)),
  );
  for (const line of (fromUtf8(bytes ?? new Uint8Array(0)) ?? '').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const dir = resolvePath(objectsDir, unquote(line) ?? line);
    if (seen.has(dir) || depth === 0) continue;
    seen.add(dir);
    await collect(fs, dir, seen, depth - 1);
  }
}
