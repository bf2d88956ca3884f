/**
 * One pattern of a .gitignore or .gitattributes file: which paths it is for (gitignore(5), "PATTERN FORMAT").
 * They match bytes: texts and paths go through `comparable` first.
 */

import { latin1, nameBytes } from '../../bytes.ts';
import { compileGlob, matchGlob } from './glob.ts';

export interface PathPattern {
  /** True for a pattern that begins with `!`. */
  negated: boolean;
  /** True for a pattern that ends with `/`. */
  directoryOnly: boolean;
  /** `path` is relative to the folder of the file that holds the pattern. */
  matches(path: string): boolean;
}

/**
 * Reads a pattern. Without a slash inside it is for a name at any depth, else for the whole path. What comes before
 * the first special character is compared on its own, as git does, so two stars fill a component after it too.
 */
export function parsePathPattern(text: string): PathPattern {
  const negated = text.startsWith('!');
  const directoryOnly = text.endsWith('/');
  const body = text.slice(negated ? 1 : 0, directoryOnly ? -1 : undefined);
  const matches = body.includes('/') ? wholePath(body.replace(/^\//, '')) : anyName(body);
  return { negated, directoryOnly, matches };
}

function anyName(pattern: string): (path: string) => boolean {
  const glob = compileGlob(pattern);
  return path => matchGlob(glob, path.slice(path.lastIndexOf('/') + 1));
}

function wholePath(pattern: string): (path: string) => boolean {
  const literal = /^[^*?[\\]*/.exec(pattern)?.[0] ?? '';
  const glob = compileGlob(pattern.slice(literal.length));
  return path => path.startsWith(literal) && matchGlob(glob, path.slice(literal.length));
}

/**
 * Returns the form in which patterns and paths are compared: one character a byte; ASCII letters in lower case where
 * case does not count (`core.ignoreCase`).
 */
export function comparable(text: string, ignoreCase: boolean): string {
  const bytes = latin1(nameBytes(text));
  if (!ignoreCase) return bytes;
  return bytes.replaceAll('[[:upper:]]', '[[:lower:]]').replace(/[A-Z]+/g, upper => upper.toLowerCase());
}

/** Makes what is asked for once. What could not be made is asked for again. */
export function cached<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const value = make();
  cache.set(key, value);
  value.catch(() => cache.delete(key));
  return value;
}
