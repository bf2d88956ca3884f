/** What the engine calls of isomorphic-git: a bundle leaves out all else of it. */

export { expandOid, indexPack, packObjects, readObject, writeObject } from 'isomorphic-git';
