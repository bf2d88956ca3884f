/** The calls that the engine makes of isomorphic-git: a bundle leaves out all else of it. */

export { expandOid, readObject, writeObject } from 'isomorphic-git';
