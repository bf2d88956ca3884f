/** Arguments that may be commits, ranges of commits, or paths, told apart as git does it. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Workspace } from '../../../workspace/open.ts';
import { UsageError } from './usage.ts';

export interface Names {
  /** Commits, and ranges of them. */
  revisions: string[];
  paths: string[];
}

/** Throws UsageError for what is both a file and a commit. */
export async function namesIn(
  args: readonly string[],
  { folder, workspace }: { folder: string; workspace: Workspace },
): Promise<Names> {
  const names: Names = { revisions: [], paths: [] };
  for (const one of args) {
    const isFile = existsSync(resolve(folder, one));
    const isCommit = (isRange(one) && !isFile) || (await isCommitName(workspace, one));
    if (isFile && isCommit)
      throw new UsageError(`${one} is both a file and a commit: give ./${one} for the file, or ..${one}`);
    names[isCommit ? 'revisions' : 'paths'].push(one);
  }
  return names;
}

/** True for a name that has `..` in it, and is no way up. */
function isRange(name: string): boolean {
  return name.includes('..') && !/(^|\/)\.\.(\/|$)/.test(name);
}

function isCommitName(workspace: Workspace, name: string): Promise<boolean> {
  return workspace.findCommit(name).then(
    () => true,
    () => false,
  );
}
