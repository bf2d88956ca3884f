/**
 * isomorphic-git, loaded when it is needed. It takes node's Buffer for a part of the language, so where there is none (in a
 * browser) it gets one first.
 */

export async function isomorphicGit(): Promise<typeof import('isomorphic-git')> {
  const global: { Buffer?: unknown } = globalThis;
  // A bundle may know a CommonJS module by its default alone.
  global.Buffer ??= (await import('buffer/index.js')).default.Buffer;
  return import('isomorphic-git');
}
