/** Files with edits taken out of them, or put there again, all at once. Nothing is written. */

import type { ConflictRegion } from '../errors.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import type { Token } from '../text/diff/alignment.ts';
import { bytesOfRows, fileOfRows, type RowsFile } from '../trail/history/file-rows.ts';
import type { HistoryQuery } from '../trail/history/read-steps.ts';
import type { Recorded } from '../trail/steps.ts';
import type { TrailEntry } from '../trail/walk.ts';
import type { LineEvent } from './event.ts';
import { type LineFile, type LineFiles, lineFiles, type Now } from './files.ts';
import { type Conflict, named, planBack } from './formula.ts';
import { isIn, putBy, type Row, textOf } from './row.ts';

/** A file as git would record it. `content`: `null` for what is no regular file. */
export type FileContent = NonNullable<Recorded> & { content: Uint8Array | null };

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

/** By path, the files that a way back changes (`null`: none is left), or what holds them. */
export interface FilesPlan {
  files: Map<string, FileContent | null>;
  held: BlockedFile[];
  /** The paths to which a file goes from another name. */
  moved: Set<string>;
}

export interface FilesSource {
  objects: ObjectDatabase;
  query: HistoryQuery;
  now: Now;
}

export class FilesBack {
  readonly #from: FilesSource;
  #read: Pick<LineFiles, 'files' | 'events' | 'named'> = { files: [], events: [], named: new Map() };
  readonly #asked = new Set<string>();

  constructor(from: FilesSource) {
    this.#from = from;
  }

  /** Plans taking these edits out, or putting them there again. */
  async plan(edits: readonly TrailEntry[], direction: 'out' | 'again'): Promise<FilesPlan> {
    await this.#readFor(edits);
    const { files, events, named: byId } = this.#read;
    const chosen = new Set(edits.flatMap(({ commit }) => byId.get(commit) ?? []));
    const about = named(chosen, direction);
    const found: FilesPlan = { files: new Map(), held: [], moved: new Set() };
    for (const file of files) {
      if (isLink(file)) continue;
      const way = planBack(file.weave, events, about);
      const conflicts = [...way.conflicts, ...withoutFile(file, way.texts, chosen)];
      if (conflicts.length > 0) found.held.push(...blockedFiles(file, way.texts, conflicts));
      else await this.#change(file, way.texts, found);
    }
    const at = (held: BlockedFile): number => byId.get(held.commit)?.at ?? 0;
    found.held.sort((a, b) => at(b) - at(a));
    return found;
  }

  async #change(file: LineFile, texts: ReadonlyMap<Row, Token | null>, found: FilesPlan): Promise<void> {
    const { weave } = file;
    const after = [...texts.values()].filter(text => text !== null);
    const before = weave.text;
    if (after.length === before.length && after.every((text, at) => text === before[at])) return;
    const [old, made] = [fileOfRows(before), fileOfRows(after)];
    if (old && old.path !== made?.path) found.files.set(old.path, null);
    if (made && made.path !== old?.path) found.moved.add(made.path);
    if (made) found.files.set(made.path, await this.#content(made));
  }

  async #content(file: RowsFile): Promise<FileContent> {
    const { objects } = this.#from;
    const { mode } = file;
    if ('oid' in file) {
      const isRegular = mode.startsWith('100');
      const content = isRegular ? (await objects.read(file.oid, 'blob')).content : null;
      return { mode, oid: file.oid, content };
    }
    const content = await bytesOfRows(file);
    return { mode, oid: await objects.codec.hash('blob', content), content };
  }

  /** Reads the files of the edits, and what they hold now, once. */
  async #readFor(entries: readonly TrailEntry[]): Promise<void> {
    const isKnown = entries.every(({ commit }) => this.#asked.has(commit));
    if (isKnown) return;
    for (const { commit } of entries) this.#asked.add(commit);
    const { objects, query, now } = this.#from;
    const paths = entries.flatMap(({ meta }) => meta?.paths ?? []);
    const read = await lineFiles(objects, { ...query, since: new Set(this.#asked) }, paths);
    await read.look(now);
    this.#read = read;
  }
}

/** True for a file that was a link once: only a command puts links back. */
function isLink({ weave }: LineFile): boolean {
  return weave.rows().some(({ log }) => log.some(({ text }) => text === LINK));
}

const LINK = '\0mode 120000';

/** Lines that would be left of a file that is gone: whoever put them holds it. */
function withoutFile(
  { weave }: LineFile,
  texts: ReadonlyMap<Row, Token | null>,
  chosen: ReadonlySet<LineEvent>,
): Conflict[] {
  const left = weave.rows().filter(row => texts.get(row) !== null);
  if (fileOfRows(left.map(row => texts.get(row)!)) !== undefined) return [];
  const made = weave.live.find(row => texts.get(row) === null && chosen.has(putBy(row)));
  const of = made ? putBy(made) : [...chosen][0]!;
  return left.filter(isIn).map(row => ({ row, by: putBy(row), of }));
}

const isLine = (text: Token | null): text is Token => text !== null && !text.startsWith('\0');

/** The conflicts of a file, for each edit that they hold. */
function blockedFiles(
  file: LineFile,
  texts: ReadonlyMap<Row, Token | null>,
  conflicts: readonly Conflict[],
): BlockedFile[] {
  const edits = new Set(conflicts.map(({ of }) => of));
  return [...edits].map(edit =>
    blockedFile(
      file,
      texts,
      conflicts.filter(({ of }) => of === edit),
    ),
  );
}

function blockedFile(
  { names, weave }: LineFile,
  texts: ReadonlyMap<Row, Token | null>,
  conflicts: readonly Conflict[],
): BlockedFile {
  const rows = weave.rows();
  const lines = new Map<Row, number>();
  let line = 1;
  for (const row of rows) {
    lines.set(row, line);
    if (isLine(textOf(row))) line++;
  }
  const places = placesOf(rows, texts, conflicts);
  const regions = places.map(place => {
    const present = place.map(textOf).filter(isLine);
    const start = lines.get(place[0]!)!;
    const wanted = place
      .filter(row => !isIn(row))
      .map(row => texts.get(row) ?? null)
      .filter(isLine);
    const [before, after] = [present, wanted].map(list => list.map(text => `${text}\n`).join(''));
    return { start_line: start, end_line: start + present.length - 1, present: before!, wanted: after! };
  });
  const newest = [...conflicts].sort((a, b) => b.by.at - a.by.at);
  return {
    path: names.at(-1)!,
    commit: conflicts[0]!.of.id,
    regions,
    deletes: !fileOfRows([...texts.values()].filter(text => text !== null)),
    by: newest.map(({ row, by }) => ({ line: lines.get(row)!, id: by.id })),
  };
}

/** The places of conflicts: each as far as rows around it go, come, or are those of who holds it. */
function placesOf(
  rows: readonly Row[],
  texts: ReadonlyMap<Row, Token | null>,
  conflicts: readonly Conflict[],
): Row[][] {
  const [held, holders] = [new Set(conflicts.map(({ row }) => row)), new Set(conflicts.map(({ by }) => by))];
  const places: Row[][] = [];
  let run: Row[] = [];
  const close = (): void => {
    if (run.some(row => held.has(row))) places.push(run);
    run = [];
  };
  for (const row of rows) {
    const isStill = textOf(row) !== null && texts.get(row) === textOf(row);
    if (isStill && !held.has(row) && !holders.has(putBy(row))) close();
    else run.push(row);
  }
  close();
  return places;
}
