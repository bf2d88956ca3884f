/** What stands before the hunks of one file in a unified diff: git's extended headers, then `---` and `+++`. */

import type { FileMode } from '../edit.ts';
import { type PatchLine, type PatchReader, patchSyntax } from './patch-text.ts';
import { bareName, gitNames, type NamedFile, oneName, sameFile, sideName } from './unified-names.ts';

/** All that headers say of one file. */
export interface FileHeader {
  /** The first line. */
  line: PatchLine;
  file: NamedFile;
  /** Where a rename or copy goes. */
  to: string | null;
  copy: boolean;
  created: boolean;
  deleted: boolean;
  /** Of the file before and after, where the headers say so. */
  oldMode: FileMode | null;
  newMode: FileMode | null;
  /** The names had no a/ and b/ before them. */
  bareNames: boolean;
}

/** What the lines between `diff --git` and `---` hold. */
interface Extended {
  from: string | null;
  to: string | null;
  copy: boolean;
  created: boolean;
  deleted: boolean;
  oldMode: FileMode | null;
  newMode: FileMode | null;
}

const NOTHING: Extended = {
  from: null,
  to: null,
  copy: false,
  created: false,
  deleted: false,
  oldMode: null,
  newMode: null,
};

/** Reads from a `diff --git` line up to the first hunk. Throws PATCH_SYNTAX. */
export function readGitHeader(reader: PatchReader): FileHeader {
  const line = reader.take();
  const names = gitNames(line);
  const extended = readExtended(reader);
  const sides = /^--- ./.test(reader.peek()?.text ?? '') ? readSides(reader) : null;
  const file = extended.from === null ? gitFile(line, names, extended, sides) : { path: extended.from };
  if (sides) checkSides(sides, file, extended.to ?? file.path);
  return {
    line,
    ...extended,
    file,
    created: extended.created || (sides?.old === null && extended.from === null),
    deleted: extended.deleted || (sides?.fresh === null && extended.from === null),
    bareNames: names !== null && names[0] === names[1],
  };
}

/** Reads a `---` and a `+++` line. Throws PATCH_SYNTAX. */
export function readPlainHeader(reader: PatchReader): FileHeader {
  const line = reader.peek()!;
  const sides = readSides(reader);
  const { old, fresh } = sides;
  const name = old ?? fresh;
  if (name === null) throw patchSyntax(line, 'and the next one name no file', 'a path on one side at least');
  const file = old !== null && fresh !== null ? sameFile(old, fresh) : oneName(name);
  if (file === null) throw disagreement(line, old!, fresh!);
  const bareNames = !(old !== null && fresh !== null && old !== fresh) && file.written === undefined;
  const gone = { created: sides.oldMissing, deleted: sides.newMissing };
  return { line, ...NOTHING, ...gone, file: checkedFile(line, file), bareNames };
}

/** Lines of git's extended header, in any order; `index` and the similarity say nothing that is needed. */
const EXTENDED: ReadonlyArray<
  readonly [RegExp, (found: Extended, value: string, line: PatchLine) => Extended]
> = [
  [/^old mode (.*)$/, (found, value, line) => ({ ...found, oldMode: fileMode(line, value) })],
  [/^new mode (.*)$/, (found, value, line) => ({ ...found, newMode: fileMode(line, value) })],
  [
    /^new file mode (.*)$/,
    (found, value, line) => ({ ...found, created: true, newMode: fileMode(line, value) }),
  ],
  [
    /^deleted file mode (.*)$/,
    (found, value, line) => ({ ...found, deleted: fileMode(line, value) !== null }),
  ],
  [/^rename from (.*)$/, (found, value, line) => ({ ...found, from: bareName(line, value) })],
  [/^rename to (.*)$/, (found, value, line) => ({ ...found, to: bareName(line, value) })],
  [/^copy from (.*)$/, (found, value, line) => ({ ...found, copy: true, from: bareName(line, value) })],
  [/^copy to (.*)$/, (found, value, line) => ({ ...found, copy: true, to: bareName(line, value) })],
  [/^index [0-9a-f]+\.\.[0-9a-f]+(?: (\d+))?$/, checkedIndex],
  [/^(?:dis)?similarity index /, found => found],
];

function checkedIndex(found: Extended, mode: string | undefined, line: PatchLine): Extended {
  if (mode !== undefined) fileMode(line, mode);
  return found;
}

function readExtended(reader: PatchReader): Extended {
  let found = NOTHING;
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const match = EXTENDED.map(([pattern, use]) => [pattern.exec(line!.text), use] as const).find(([m]) => m);
    if (match === undefined) break;
    found = match[1](found, match[0]![1]!, reader.take());
  }
  if ((found.from === null) === (found.to === null)) return found;
  throw patchSyntax(
    reader.peek() ?? null,
    'comes where half of a rename or copy is missing',
    'both from and to',
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
  oldMissing: boolean;
  newMissing: boolean;
}

function readSides(reader: PatchReader): Sides {
  const line = reader.take();
  const next = reader.peek();
  if (!/^\+\+\+ ./.test(next?.text ?? '')) {
    throw patchSyntax(next ?? line, 'comes where the other name of the file is missing', '"+++ " and a path');
  }
  const old = sideName(line);
  const fresh = sideName(reader.take());
  return { line, old: old.name, fresh: fresh.name, oldMissing: old.missing, newMissing: fresh.missing };
}

/** The file of a section that renames nothing. */
function gitFile(
  line: PatchLine,
  names: [string, string] | null,
  { created }: Extended,
  sides: Sides | null,
): NamedFile {
  if (names) {
    const file = sameFile(...names);
    if (file === null) throw disagreement(line, ...names);
    const asWritten = created && names[0] === names[1];
    return checkedFile(line, asWritten ? { path: names[0] } : file);
  }
  const found =
    sides && (sides.old !== null && sides.fresh !== null ? sameFile(sides.old, sides.fresh) : null);
  if (found) return checkedFile(line, found);
  throw patchSyntax(line, 'names no two files that could be told apart', '"diff --git a/path b/path"');
}

function checkSides({ line, old, fresh }: Sides, file: NamedFile, to: string): void {
  const fits = (name: string | null, path: string, written = path): boolean => {
    if (name === null) return true;
    const named = oneName(name);
    return [named.path, named.written].some(one => one === path || one === written);
  };
  if (fits(old, file.path, file.written) && fits(fresh, to, to === file.path ? file.written : to)) return;
  throw disagreement(line, old ?? '/dev/null', fresh ?? '/dev/null');
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
