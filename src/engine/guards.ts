/** Checks what git's own rules forbid of a path: files that it ignores, submodules. */

import { EditError } from '../errors.ts';
import type { Repository } from '../git/repository/repository.ts';
import { ignoreRulesOf } from '../git/rules/path-rules.ts';
import { pathName } from '../wording.ts';

/** Checks of paths as the trail records them. */
export interface Guards {
  /** Throws IGNORED_PATH for a path that is not recorded yet and that git ignores. */
  checkNew(path: string): Promise<void>;
  /** A test for many paths in a row: true for what git ignores. */
  ignored(): (path: string, isDirectory: boolean) => Promise<boolean>;
}

/** Where there is no work tree there are no rules. */
export const NO_GUARDS: Guards = {
  checkNew: async () => {},
  ignored: () => async () => false,
};

export interface GuardOptions {
  repo: Repository;
  /** Absolute paths of further ignore files. */
  excludesFiles: readonly string[];
  allowIgnored: boolean;
  /** True when git's index holds the path: a tracked file is never ignored. */
  isTracked: (path: string) => Promise<boolean>;
}

export function makeGuards(options: GuardOptions): Guards {
  return {
    checkNew: path => checkNew(options, path),
    ignored: () => {
      const rules = ignoreRulesOf(options.repo, options.excludesFiles);
      return (path, isDirectory) => rules.ignored(path, isDirectory);
    },
  };
}

async function checkNew(options: GuardOptions, path: string): Promise<void> {
  if (options.allowIgnored) return;
  const rules = ignoreRulesOf(options.repo, options.excludesFiles);
  if (!(await rules.ignored(path, false)) || (await options.isTracked(path))) return;
  throw new EditError(
    'IGNORED_PATH',
    `Git ignores ${pathName(path)}, and an edit would put its content into history. Go on without this file, or ask the person to allow it.`,
    { path },
  );
}
