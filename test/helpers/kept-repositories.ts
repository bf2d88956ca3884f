/** Repositories as earlier versions wrote them (test/fixtures). */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Place, place } from './person-repo.ts';
import { at, sandbox } from './real-git.ts';

export const FIXTURES: string = join(import.meta.dirname, '../fixtures');

/** Unpacks the repository of a story of a version, in a folder of its own. */
export function unpacked(version: string, story: string): Place {
  const { dir } = sandbox(story);
  execFileSync('tar', ['-xzf', join(FIXTURES, version, `${story}.tar.gz`), '-C', dir]);
  return place(at(join(dir, 'repo')));
}
