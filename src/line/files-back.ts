/** Files with edits taken out of them, or put there again, all at once. Nothing is written. */

import type { ConflictRegion } from '../errors.ts';
import { endOf, fileOfRows, isLine, type RowsFile, withEnd } from '../history/file-rows.ts';
import type { Token } from '../text/diff/alignment.ts';
import type { LineEvent } from './event.ts';
import type { LineFile, LineFiles } from './files.ts';
import { type Conflict, heldPlaces, named, planBack, type WayBack } from './formula.ts';
import { isIn, putBy, type Row, textAfter, textOf } from './row.ts';
import { TextLines } from './text-lines.ts';

/** Whether edits are taken out, or what was taken out before is put there again. */
export type Direction = 'out' | 'again';

/** Places of a file that later changes hold. Lines are 1-based, of the file as it now is. */
export interface BlockedFile {
  path: string;
  /** The edit that cannot be taken. */
  commit: string;
  regions: ConflictRegion[];
  /** True where the file would be deleted. */
  deletes: boolean;
  /** The newest change first, as they are to be taken back; '': one that is not recorded. */
  by: Array<{ line: number; id: string }>;
}

/** Files of a history, with what is there now. */
export type FilesRead = Pick<LineFiles, 'files' | 'events' | 'named'>;

/** By path, the files that a way back changes (`null`: none is left), or what holds them. */
export interface FilesPlan {
  files: Map<string, RowsFile | null>;
  held: BlockedFile[];
  /** The paths to which a file goes from another name, and that no other file of the plan leaves. */
  moved: Set<string>;
}

/** Plans taking the edits of these commits out, or putting them there again; of what some say of others, the first word counts. */
export function planFiles(
  { files, events, named: byId }: FilesRead,
  commits: readonly string[],
  direction: Direction,
): FilesPlan {
  const chosen = new Set(commits.flatMap(commit => byId.get(commit) ?? []));
  const about = named(chosen, direction);
  const found: FilesPlan = { files: new Map(), held: [], moved: new Set() };
  const left = new Set<string>();
  for (const file of files) {
    if (isLink(file)) continue;
    const way = planBack(file.weave, events, about);
    const after = withEndOfFile(file, way.texts, chosen);
    const made = fileOfRows(after);
    const rest = made === undefined ? withoutFile(file, way.texts, chosen) : [];
    const conflicts = [...way.conflicts, ...rest];
    if (conflicts.length > 0) found.held.push(...blockedFiles(file, { ...way, conflicts }, !made));
    else noteChange(file, after, found, left);
  }
  // Of a chain of moves, one file leaves the name that another one goes to.
  for (const path of left) if (!found.moved.delete(path)) found.files.set(path, null);
  const at = (held: BlockedFile): number => byId.get(held.commit)?.at ?? 0;
  found.held.sort((a, b) => at(b) - at(a));
  return found;
}

function noteChange(
  { weave }: LineFile,
  after: readonly Token[],
  { files, moved }: FilesPlan,
  left: Set<string>,
): void {
  if (weave.isText(after)) return;
  const [old, made] = [fileOfRows(weave.text), fileOfRows(after)];
  if (old && old.path !== made?.path) left.add(old.path);
  if (made && made.path !== old?.path) moved.add(made.path);
  if (made) files.set(made.path, made);
}
/**
 * The text after a way back. Where somebody changed the ends of all lines since, lines that come back get those that the file
 * has now; not where lines ended in several ways when the edits were made.
 */
function withEndOfFile(
  { weave }: LineFile,
  texts: WayBack['texts'],
  chosen: ReadonlySet<LineEvent>,
): readonly Token[] {
  const after = [...texts.values()].filter(text => text !== null);
  const now = endOf(weave.text);
  if (now === null || endOf(after) !== null) return after;
  const times = [...chosen].flatMap(({ at }) => [at - 1, at]);
  const textAt = (at: number): Token[] => weave.rows().flatMap(row => textAfter(row, at) ?? []);
  return times.some(at => endOf(textAt(at)) === null) ? after : withEnd(after, now);
}

/** True for a file that was a link once: only a command puts links back. */
function isLink({ weave }: LineFile): boolean {
  return weave.rows().some(({ log }) => log.some(({ text }) => text === LINK));
}

const LINK = '\0mode 120000';

/** Lines that would be left of a file that is gone: whoever put them holds it. */
function withoutFile(
  { weave }: LineFile,
  texts: WayBack['texts'],
  chosen: ReadonlySet<LineEvent>,
): Conflict[] {
  const made = weave.live.find(row => texts.get(row) === null && chosen.has(putBy(row)));
  const of = made ? putBy(made) : [...chosen][0]!;
  const left = weave.live.filter(row => texts.get(row) !== null);
  return left.map(row => ({ row, by: putBy(row), of }));
}

/** The conflicts of a file, for each edit that they hold. */
function blockedFiles({ names, weave }: LineFile, way: WayBack, deletes: boolean): BlockedFile[] {
  const rows = weave.rows();
  const text = new TextLines(rows, textOf);
  return [...new Set(way.conflicts.map(({ of }) => of))].map(edit => {
    const conflicts = way.conflicts.filter(({ of }) => of === edit);
    const newest = [...conflicts].sort((a, b) => b.by.at - a.by.at);
    return {
      path: names.at(-1)!,
      commit: edit.id,
      regions: heldPlaces(rows, way.texts, conflicts).map(place => regionOf(place, way.texts, text)),
      deletes,
      by: newest.map(({ row, by }) => ({ line: text.before(row) + 1, id: by.id })),
    };
  });
}

function regionOf(place: readonly Row[], texts: WayBack['texts'], text: TextLines): ConflictRegion {
  const present = linesOf(place.map(textOf)).join('');
  const wanted = linesOf(place.filter(row => !isIn(row)).map(row => texts.get(row) ?? null)).join('');
  return { ...text.linesOf(place), present, wanted };
}

function linesOf(texts: ReadonlyArray<Token | null>): string[] {
  return texts.filter(text => text !== null && isLine(text)).map(text => `${text}\n`);
}
