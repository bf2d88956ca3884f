/**
 * In place of `require('buffer')` in what is bundled of isomorphic-git: the Buffer that is there when it is loaded, which
 * is Node's, or in a browser the one that isomorphic-git.ts put there before.
 */

const present: typeof globalThis.Buffer = globalThis.Buffer;

export { present as Buffer };
