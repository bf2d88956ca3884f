/** Options of every call that speaks to a git server. */

import * as z from 'zod';
import type { FieldsOf } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import type { RunGit } from '../git/run-git.ts';
import { IsomorphicGit } from './isomorphic-git.ts';

export interface RemoteOptions {
  /**
   * The git that speaks to the server; required. The real one (`await systemGit(process.env)`), with the person's
   * credentials, or `isomorphicGit({...})` where there is none.
   */
  git?: RunGit | IsomorphicGit | undefined;
  /** A remote of git's config; default: `git config vedit.remote`, else origin, else the only one. */
  remote?: string | undefined;
  /** Milliseconds for each question to the server; default: ten minutes. */
  timeout?: number | undefined;
  /** True where git may ask on the terminal for a password; default: no. */
  mayAsk?: boolean | undefined;
}

export const remoteFields: FieldsOf<RemoteOptions> = {
  git: () => z.union([option.functionOf<RunGit>(), z.instanceof(IsomorphicGit)]).optional(),
  remote: option.text,
  timeout: option.positive,
  mayAsk: option.flag,
};
