/** Reads what stands before the hunks of one file in a unified diff: git's extended headers, then `---` and `+++`. */

import type { FileMode } from '../../edit.ts';
import { type PatchLine, type PatchReader, patchSyntax } from '../patch-text.ts';
import { bareName, gitNames, meantFile, type NamedFile, oneName, sideName } from './names.ts';

/** The contents of the lines between `diff --git` and `---`. */
interface Extended {
  /** Where a rename or copy comes from, and where it goes. */
  from: string | null;
  to: string | null;
  rename: boolean;
  copy: boolean;
  created: boolean;
  deleted: boolean;
  /** The modes of the file before and after, where the headers say so. */
  oldMode: FileMode | null;
  newMode: FileMode | null;
  /** Hunks have to follow: the two sides are named, or the text is said to change. */
  changesText: boolean;
}

/** All that headers say of one file. */
export interface FileHeader extends Extended {
  /** The first line. */
  line: PatchLine;
  file: NamedFile;
  /** The names had no a/ and b/ before them. */
  bareNames: boolean;
}

const NOTHING: Extended = {
  from: null,
  to: null,
  rename: false,
  copy: false,
  created: false,
  deleted: false,
  oldMode: null,
  newMode: null,
  changesText: false,
};

/** Reads from a `diff --git` line up to the first hunk. Throws PATCH_SYNTAX. */
export function readGitHeader(reader: PatchReader): FileHeader {
  const line = reader.take();
  const names = gitNames(line);
  const extended = readExtended(reader, line);
  const sides = /^--- ./.test(reader.peek()?.text ?? '') ? readSides(reader, false) : null;
  const file = extended.from === null ? gitFile(line, names, extended, sides) : { path: extended.from };
  // The names of the first line have to be those of the rename or copy, prefixes aside.
  if (extended.to !== null && names && !(isNameOf(names[0], file.path) && isNameOf(names[1], extended.to)))
    throw disagreement(line, ...names);
  if (sides) checkSides(sides, file, extended);
  return {
    line,
    ...extended,
    file,
    created: extended.created || (sides?.old === null && extended.from === null),
    deleted: extended.deleted || (sides?.fresh === null && extended.from === null),
    bareNames: names !== null && names[0] === names[1],
    changesText: extended.changesText || sides !== null,
  };
}

/** Reads a `---` and a `+++` line. Throws PATCH_SYNTAX. */
export function readPlainHeader(reader: PatchReader): FileHeader {
  const line = reader.peek()!;
  const sides = readSides(reader, true);
  const { old, fresh } = sides;
  const name = old ?? fresh;
  if (name === null) throw patchSyntax(line, 'and the next one name no file', 'a path on one side at least');
  const bothNamed = old !== null && fresh !== null;
  const file = bothNamed ? meantFile(old, fresh) : oneName(name);
  if (file === null) throw disagreement(line, old!, fresh!);
  const bareNames = !(bothNamed && old !== fresh) && file.written === undefined;
  const created = bothNamed ? sides.oldEpoch : old === null;
  const deleted = bothNamed ? sides.newEpoch : fresh === null;
  return { line, ...NOTHING, created, deleted, file: checkedFile(line, file), bareNames, changesText: true };
}

/** Lines of git's extended header, in any order; `index` and the similarity say no more than whether the text changes. */
const EXTENDED: ReadonlyArray<readonly [RegExp, (value: string, line: PatchLine) => Partial<Extended>]> = [
  [/^old mode (.*)$/, (value, line) => ({ oldMode: fileMode(line, value) })],
  [/^new mode (.*)$/, (value, line) => ({ newMode: fileMode(line, value) })],
  [/^new file mode (.*)$/, (value, line) => ({ created: true, newMode: fileMode(line, value) })],
  [/^deleted file mode (.*)$/, (value, line) => ({ deleted: fileMode(line, value) !== null })],
  [/^rename from (.*)$/, (value, line) => ({ rename: true, from: bareName(line, value) })],
  [/^rename to (.*)$/, (value, line) => ({ rename: true, to: bareName(line, value) })],
  [/^copy from (.*)$/, (value, line) => ({ copy: true, from: bareName(line, value) })],
  [/^copy to (.*)$/, (value, line) => ({ copy: true, to: bareName(line, value) })],
  [/^index ([0-9a-f]+\.\.[0-9a-f]+(?: \d+)?)$/, checkedIndex],
  [/^(?:dis)?similarity index /, () => ({})],
];

/** No file, or a file without text, by the beginning of its id (SHA-1 and SHA-256). */
const EMPTY = /^(0+|e69de29.*|473a0f4.*)$/;

function checkedIndex(value: string, line: PatchLine): Partial<Extended> {
  const [ids = '', mode] = value.split(' ');
  if (mode !== undefined) fileMode(line, mode);
  const [old = '', fresh = ''] = ids.split('..');
  return { changesText: old !== fresh && !(EMPTY.test(old) && EMPTY.test(fresh)) };
}

function readExtended(reader: PatchReader, first: PatchLine): Extended {
  let found = NOTHING;
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const match = EXTENDED.map(([pattern, use]) => [pattern.exec(line!.text), use] as const).find(([m]) => m);
    if (match === undefined) break;
    found = { ...found, ...match[1](match[0]![1]!, reader.take()) };
  }
  if ((found.from === null) === (found.to === null) && !(found.rename && found.copy)) return found;
  throw patchSyntax(
    first,
    'begins a part with half of a rename or of a copy',
    '"rename from" and "rename to", or "copy from" and "copy to"',
  );
}

function fileMode(line: PatchLine, mode: string): FileMode {
  if (mode.trim() === '100644' || mode.trim() === '100755') return mode.trim() as FileMode;
  const kinds: Record<string, string> = { '120000': 'a symbolic link', '160000': 'a submodule' };
  throw patchSyntax(
    line,
    `is about ${kinds[mode.trim()] ?? 'a file of another mode'}`,
    'mode 100644 or 100755',
  );
}

interface Sides {
  line: PatchLine;
  old: string | null;
  fresh: string | null;
  oldEpoch: boolean;
  newEpoch: boolean;
}

function readSides(reader: PatchReader, plain: boolean): Sides {
  const line = reader.take();
  const next = reader.peek();
  if (!/^\+\+\+ ./.test(next?.text ?? '')) {
    throw patchSyntax(next ?? line, 'comes where the other name of the file is missing', '"+++ " and a path');
  }
  const old = sideName(line, plain);
  const fresh = sideName(reader.take(), plain);
  return { line, old: old.name, fresh: fresh.name, oldEpoch: old.epoch, newEpoch: fresh.epoch };
}

/** Finds the file of a section that renames nothing. Throws PATCH_SYNTAX. */
function gitFile(
  line: PatchLine,
  names: [string, string] | null,
  { created }: Extended,
  sides: Sides | null,
): NamedFile {
  if (names) {
    const file = meantFile(...names);
    if (file === null) throw disagreement(line, ...names);
    const asWritten = created && names[0] === names[1];
    return checkedFile(line, asWritten ? { path: names[0] } : file);
  }
  const found =
    sides && (sides.old !== null && sides.fresh !== null ? meantFile(sides.old, sides.fresh) : null);
  if (found) return checkedFile(line, found);
  throw patchSyntax(line, 'names no two files that could be told apart', '"diff --git a/path b/path"');
}

/** Throws PATCH_SYNTAX unless both sides name the file; of one that comes to be or goes, one side is /dev/null. */
function checkSides({ line, old, fresh }: Sides, file: NamedFile, extended: Extended): void {
  const { created, deleted, from, to } = extended;
  if ((created && old !== null) || (deleted && fresh !== null)) {
    const problem = `names a file where there is none: by the lines above the file is ${created ? 'new' : 'deleted'}`;
    throw patchSyntax(line, problem, `"${created ? '---' : '+++'} /dev/null"`);
  }
  const target = to ?? file.path;
  const written = target === file.path ? file.written : target;
  const isEither = (name: string): boolean => file.either?.includes(name) ?? false;
  const fitsOld = old === null ? from === null : isEither(old) || isNameOf(old, file.path, file.written);
  const fitsNew = fresh === null ? from === null : isEither(fresh) || isNameOf(fresh, target, written);
  if (!fitsOld || !fitsNew) throw disagreement(line, old ?? '/dev/null', fresh ?? '/dev/null');
}

function isNameOf(name: string, path: string, written = path): boolean {
  const named = oneName(name);
  return [named.path, named.written].some(one => one === path || one === written);
}

function disagreement(line: PatchLine, old: string, fresh: string): Error {
  return patchSyntax(
    line,
    `begins a part whose names disagree (${JSON.stringify(old)} and ${JSON.stringify(fresh)})`,
    'the same path on both sides, with a/ and b/ before it or without; git\'s "rename from" and "rename to" move a file',
  );
}

function checkedFile(line: PatchLine, file: NamedFile): NamedFile {
  if (!file.path.startsWith('./')) return file;
  throw patchSyntax(line, 'names a path with a component "."', 'a path without it');
}
