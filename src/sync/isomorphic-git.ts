/** isomorphic-git in the place of git, for calls that speak to a server. */

import type { IsomorphicGitOptions } from '../remote/isomorphic/isomorphic-git.ts';

export type { Credentials, CredentialsRequest } from '../remote/isomorphic/exchange.ts';
export type { HttpClient, HttpRequest, HttpResponse } from '../remote/isomorphic/http-client.ts';
export type { IsomorphicGitOptions } from '../remote/isomorphic/isomorphic-git.ts';

/** Settings by which isomorphic-git speaks to a server. */
export class IsomorphicGit {
  readonly options: IsomorphicGitOptions;

  constructor(options: IsomorphicGitOptions) {
    this.options = options;
  }
}

/**
 * Makes the option `git` of `push`, `fetch` and `prunePeers` where no git is installed, in a browser, and for repositories in memory: speaks to
 * servers over HTTP. To be handed over as the option `git`.
 */
export function isomorphicGit(options: IsomorphicGitOptions = {}): IsomorphicGit {
  return new IsomorphicGit(options);
}
