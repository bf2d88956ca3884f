/** All that a repository holds, as one text to search: what git can read, and every file of its folder. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Sandbox } from './real-git.ts';

/** Loose objects are inflated; of objects in packs, alternates too, git tells. */
export function allOf(repo: Sandbox): string {
  const ids = repo.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)');
  const objects = repo.pipe(`${ids}\n`, 'cat-file', '--batch').toString('latin1');
  const files = filesBelow(repo.git('rev-parse', '--absolute-git-dir')).map(path => {
    const bytes = readFileSync(path);
    return /objects\/..\//.test(path) ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1');
  });
  return [objects, ...files].join('\n');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const path = join(folder, name);
    const stat = statSync(path);
    return stat.isDirectory() ? filesBelow(path) : stat.isFile() ? [path] : [];
  });
}
