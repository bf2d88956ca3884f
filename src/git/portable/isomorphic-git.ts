/**
 * isomorphic-git, loaded when it is needed. It takes node's Buffer for a part of the language, so where there is none (in a
 * browser) it gets one first.
 */

type IsomorphicGit = typeof import('./isomorphic-git-calls.ts');
type RemoteHttp = typeof import('isomorphic-git/managers').GitRemoteHTTP;

/** To import a module that is loaded costs a tenth of a millisecond and more, and every edit needs this one. */
let loaded: IsomorphicGit | null = null;

export async function isomorphicGit(): Promise<IsomorphicGit> {
  loaded ??= await load();
  return loaded;
}

async function load(): Promise<IsomorphicGit> {
  await withBuffer();
  return import('./isomorphic-git-calls.ts');
}

/** Asks servers by isomorphic-git: for the list of refs, and for one exchange, with whatever password the server wants. */
export async function remoteHttp(): Promise<RemoteHttp> {
  await withBuffer();
  return (await import('isomorphic-git/managers')).GitRemoteHTTP;
}

async function withBuffer(): Promise<void> {
  const global: { Buffer?: unknown } = globalThis;
  // A bundle may know a CommonJS module by its default alone.
  global.Buffer ??= (await import('buffer/index.js')).default.Buffer;
}
