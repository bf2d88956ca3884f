/**
 * Answers what a front end on disk asks before it opens a workspace: where the work tree is, and what git's config
 * says.
 */

import { type Config, parseConfig } from '../../git/repository/config.ts';
import { locate } from '../../git/repository/repository.ts';
import { platformFor } from './platform.ts';

export interface Located {
  /** Absolute, links resolved: the top of the work tree, or the bare repository. */
  root: string;
  bare: boolean;
  /** Absolute: the folder of git for this work tree. */
  gitDir: string;
  /** Absolute: the folder of git that all work trees have in common. */
  commonDir: string;
  config: Config;
}

/** Finds the repository that the absolute path `folder` is in, as git finds it. Throws NOT_A_REPOSITORY and as `locate`. */
export async function locateRepository(folder: string): Promise<Located> {
  const { fs } = await platformFor({ root: folder });
  const repo = await locate(fs, folder);
  return {
    root: repo.workDir ?? repo.gitDir,
    bare: repo.bare,
    gitDir: repo.gitDir,
    commonDir: repo.commonDir,
    config: repo.config,
  };
}

export { type Config, parseConfig };
