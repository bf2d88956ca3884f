/**
 * The last look at what a landing would commit, on the texts alone that git will have: each line of a file is HEAD's or the
 * file's, in order. It knows nothing of the plan, and shares no code with it. What does not pass is not landed.
 */

import { gitName } from '../c-quote.ts';
import type { Context } from '../engine/context.ts';
import { EditError } from '../errors.ts';
import { endOf, isLine, rowsOf, withEnd } from '../history/file-rows.ts';
import { fileAt, type Recorded } from '../history/steps.ts';
import { align, type Token } from '../text/diff/alignment.ts';
import { listedSome } from '../text/words.ts';
import { optionWords } from '../wording.ts';
import { nameOf, type PathContents } from './contents.ts';
import type { LandFile } from './land-files.ts';
import type { LandWork } from './work.ts';

/** Throws CONFLICT where the branch with these changes, one state after another, would hold what it must not. */
export async function checkStates(work: LandWork, states: readonly PathContents[]): Promise<void> {
  const { context, files } = work;
  const known = new Set(files.flatMap(({ names }) => names));
  for (const path of states.flatMap(changes => [...changes.keys()]))
    if (!known.has(path)) throw unsound(context, path, path);
  const present = new Set(files.flatMap(({ path, isGone }) => (isGone ? [] : path)));
  for (const file of files) {
    const own = file.isGone ? undefined : file.path;
    const names = file.names.filter(name => name === own || !present.has(name));
    for (const changes of states) {
      const result = await rowsAfter(work, file, { names, changes });
      const line = strangeLine(result, file);
      if (line !== null) throw unsound(context, file.path, line);
    }
  }
}

/** Reads the rows of the file, under any of these names, in the branch with these changes, read from the bytes that it would have. */
async function rowsAfter(
  { context, contents, target: { tree } }: LandWork,
  { path, former }: LandFile,
  { names, changes }: { names: readonly string[]; changes: PathContents },
): Promise<string[]> {
  const [before, after] = [new Map<string, Recorded>(), new Map<string, Recorded>()];
  for (const name of names.toReversed()) {
    const held = tree === null ? null : await fileAt(context.objects, tree, name);
    const now = changes.has(name) ? changes.get(name)! : held;
    if (held) before.set(name, held);
    if (now) after.set(name, now);
  }
  // At a name that it had before there may be another file.
  const isOwn = (name: string): boolean => changes.has(name) || !former.has(name);
  const own = [...after.keys()].filter(isOwn);
  if (own.length > Math.max(1, [...before.keys()].filter(isOwn).length))
    throw unsound(context, path, own.join());
  const [name] = [...own, ...after.keys()];
  const held = name === undefined ? null : after.get(name)!;
  if (!held) return [];
  const bytes = held.mode.startsWith('100') ? await contents.read(held.oid, name!) : null;
  return rowsOf(name!, held, bytes);
}

/** The first line of a text that is neither the branch's nor the file's there, or has its end; `null` for none. */
function strangeLine(text: readonly Token[], file: Pick<LandFile, 'head' | 'file'>): Token | null {
  const ends = [file.head, file.file].map(endOf);
  if (ends.includes(null) || ends[0] === ends[1]) return strangeWhere(text, file);
  if (endOf(text) === null && text.some(isLine)) return text.find(isLine)!;
  return strangeWhere(withEnd(text, ''), { head: withEnd(file.head, ''), file: withEnd(file.file, '') });
}

function strangeWhere(text: readonly Token[], { head, file }: Pick<LandFile, 'head' | 'file'>): Token | null {
  const inHead = align(head, text).to;
  const both = align(head, file).to;
  let [from, fromHead, fromFile] = [0, 0, 0];
  for (const [at, place] of [...both.entries(), [head.length, file.length] as const]) {
    const end = at < head.length ? inHead[at]! : text.length;
    // A line that all three have parts them.
    if (place < fromFile || end < from) continue;
    const sides = [head.slice(fromHead, at), file.slice(fromFile, place)] as const;
    const line = strangeIn(text.slice(from, end), ...sides);
    if (line !== null) return line;
    [from, fromHead, fromFile] = [end + 1, at + 1, place + 1];
  }
  return null;
}

/** As `strangeLine`, whichever of the two sides each line is taken from. */
function strangeIn(text: readonly Token[], head: readonly Token[], file: readonly Token[]): Token | null {
  // By how much of the one side is used up, the least that can be of the other.
  let used = new Map([[0, 0]]);
  for (const line of text) {
    const next = new Map<number, number>();
    const reach = (ofHead: number, ofFile: number): void => {
      next.set(ofHead, Math.min(next.get(ofHead) ?? Number.POSITIVE_INFINITY, ofFile));
    };
    for (const [ofHead, ofFile] of used) {
      const [at, place] = [head.indexOf(line, ofHead), file.indexOf(line, ofFile)];
      if (at >= 0) reach(at + 1, ofFile);
      if (place >= 0) reach(ofHead, place + 1);
    }
    if (next.size === 0) return line;
    used = next;
  }
  return null;
}

function unsound(context: Context, path: string, line: string): EditError {
  const name = nameOf(context, path);
  const shown = listedSome([JSON.stringify(line.slice(0, 60))], 1);
  return new EditError(
    'CONFLICT',
    `${gitName(name)} would not be on the branch as somebody wrote it: ${shown} is neither the branch's nor the file's there. Nothing was committed. Commit the file as it is by git commit, or land everything with it (${optionWords('outside', true)}).`,
    { conflicts: [{ path: name, regions: [] }] },
  );
}
