/** The names of files in unified diffs: prefixes, quotes, time stamps, `/dev/null`. */

import { readQuoted } from '../../../c-quote.ts';
import { commonEnds } from '../../../text/diff/pairs.ts';
import { type PatchLine, patchSyntax, slashed } from '../patch-text.ts';

/** A file that a patch names. Where its name has a prefix that may be a folder, `written` is the name with it. */
export interface NamedFile {
  path: string;
  written?: string;
  /** The names of the two sides as they are written, where those are not one name: the one that is a file is meant. */
  either?: readonly string[];
}

/** The path that a `---` or `+++` line names; `null` where it says `/dev/null`. */
export interface SideName {
  name: string | null;
  /** Its time stamp is the beginning of 1970, by which GNU diff -N says that there is no file. */
  epoch: boolean;
}

/** Those of git: a/ and b/; i/, w/, c/ and o/ with diff.mnemonicPrefix; 1/ and 2/ with it and --no-index. */
const PREFIX = /^[abciow12]\/(?=.)/;

/** A date, with a time and a zone or without, as diff puts them behind a name: what git takes for a time stamp. */
const STAMP = /[\t ](?:\d\d)?\d\d-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?(?: [-+]\d\d:?\d\d)?$/;

/**
 * The name behind `--- ` or `+++ `, as git reads it: up to a time stamp with a tab or spaces before it, else up to the
 * first tab. `git diff` writes no time stamps: in a part of it, `plain` is false.
 */
export function sideName(line: PatchLine, plain: boolean): SideName {
  const rest = line.text.slice(4);
  const quoted = readQuoted(rest);
  const name = slashed(quoted ? quoted.name : nameBefore(rest, plain ? STAMP.exec(rest) : null));
  if (name === '') throw patchSyntax(line, 'names no file', 'a path, or /dev/null');
  if (/^\/dev\/null\s*$/.test(name)) return { name: null, epoch: false };
  return { name, epoch: isEpoch(rest.slice(rest.lastIndexOf('\t') + 1)) };
}

function nameBefore(rest: string, stamp: RegExpExecArray | null): string {
  if (stamp === null) return rest.split('\t', 1)[0]!;
  let end = stamp.index;
  while (end > 0 && stamp[0].startsWith(' ') && rest[end - 1] === ' ') end--;
  return rest.slice(0, end);
}

/** The second 0 of 1970 in any time zone: what GNU diff prints for a file that is not there. */
function isEpoch(stamp: string): boolean {
  const time = /^(1969-12-31|1970-01-01) (\d\d:\d\d:00)(?:\.0+)? ([-+]\d\d):?(\d\d)$/.exec(stamp);
  return time !== null && Date.parse(`${time[1]}T${time[2]}${time[3]}:${time[4]}`) === 0;
}

/** The one file that two names mean, or `null` when they disagree. */
export function sameFile(oldName: string, newName: string): NamedFile | null {
  if (oldName === newName) return oneName(oldName);
  const both = PREFIX.test(oldName) && PREFIX.test(newName);
  const path = withoutPrefix(oldName);
  return both && path === withoutPrefix(newName) ? { path } : null;
}

/** The one file that two names mean, or may mean: git's convention names two files where it is kept and they differ. */
export function meantFile(oldName: string, newName: string): NamedFile | null {
  const same = sameFile(oldName, newName);
  if (same !== null || (PREFIX.test(oldName) && PREFIX.test(newName))) return same;
  const names = [plain(oldName), plain(newName)];
  const shared = sharedEnd(names[0]!, names[1]!);
  if (shared === null) return { path: names[1]!, either: names };
  return { path: shared, either: names.filter(name => !/^\/|^\.\.\//.test(name)) };
}

/** The last components that both names have (`src/a.js` of `old/src/a.js` and `new/src/a.js`), or `null`. */
function sharedEnd(left: string, right: string): string | null {
  const [a, b] = [left.split('/'), right.split('/')];
  const same = commonEnds(a.toReversed(), b.toReversed()).lead;
  return same === 0 ? null : a.slice(-same).join('/').replace(/^\/+/, '');
}

/** Finds the file that a name alone means. */
export function oneName(name: string): NamedFile {
  return PREFIX.test(name) ? { path: withoutPrefix(name), written: name } : { path: plain(name) };
}

function withoutPrefix(name: string): string {
  return name.replace(PREFIX, '');
}

/** Takes `./` off, with which a name is the same file. */
function plain(name: string): string {
  return name.replace(/^(\.\/)+(?=.)/, '');
}

/** Two names of more UTF-16 units than this cannot be paths. */
const LONGEST = 10_000;

/** The two names of a `diff --git` line, or `null` where they cannot be told apart: a blank may be part of a name. */
export function gitNames(line: PatchLine): [string, string] | null {
  const rest = slashed(line.text.slice('diff --git '.length));
  return rest.length > LONGEST ? null : (twoNames(rest) ?? twoNames(rest.trimEnd()));
}

function twoNames(rest: string): [string, string] | null {
  const first = readQuoted(rest);
  if (first) return second(first.name, rest.slice(first.length + 1));
  const quote = rest.indexOf(' "');
  if (quote > 0) return second(rest.slice(0, quote), rest.slice(quote + 1));
  for (let at = rest.indexOf(' '); at >= 0; at = rest.indexOf(' ', at + 1)) {
    const names: [string, string] = [rest.slice(0, at), rest.slice(at + 1)];
    if (sameFile(...names)) return names;
  }
  const parts = rest.split(' ');
  return parts.length === 2 ? [parts[0]!, parts[1]!] : null;
}

function second(first: string, rest: string): [string, string] {
  return [first, readQuoted(rest)?.name ?? rest];
}

/** The name of a `rename from` line or another that names one file without a prefix. */
export function bareName(line: PatchLine, text: string): string {
  const name = slashed(readQuoted(text)?.name ?? text);
  if (name === '') throw patchSyntax(line, 'names no file', 'a path');
  return name;
}
