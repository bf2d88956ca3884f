/** The calls that the engine makes of isomorphic-git: a bundle leaves out all else of it. */

export { expandOid, indexPack, packObjects, readObject, writeObject } from 'isomorphic-git';
