/**
 * Carries along what comes in and no edit could write: links, submodules, files with a filter, names that no request
 * may hold, what git ignores. It is taken as it is, and written to the work tree where nothing is in its place that
 * nobody recorded.
 */

import { utf8 } from '../../bytes.ts';
import { isCleared, orNone } from '../../engine/change/folders.ts';
import type { DraftedChange } from '../../engine/change/planned.ts';
import { fromTrail, givenPath, toTrail } from '../../engine/context.ts';
import { Conversion, plainMode } from '../../engine/files/conversion.ts';
import type { Snapshot } from '../../engine/files/snapshot.ts';
import { EditError, isEditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { diffTrees } from '../../git/objects/tree-diff.ts';
import { isGitlink, isTree } from '../../git/objects/tree-entries.ts';
import { foldersAbove } from '../../stores/paths.ts';
import type { StoredFile, StoredMode } from '../../stores/store.ts';
import type { Incoming } from '../../trail/history/incoming.ts';
import { type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import type { Conflict } from './sides.ts';

/** A path as the workspace names it and as the trail does, and what the trail has there and shall have. */
interface Carried {
  path: string;
  recorded: string;
  from: Recorded;
  to: Recorded;
}

const LINK = '120000';

export class Carrier {
  readonly #snapshot: Snapshot;
  /** Converts files by the attributes as the merge leaves them. */
  readonly #coming: Conversion;
  readonly #taken: Carried[] = [];

  private constructor(snapshot: Snapshot, coming: Conversion) {
    this.#snapshot = snapshot;
    this.#coming = coming;
  }

  static async of(snapshot: Snapshot, incoming: Incoming): Promise<Carrier> {
    const { context, trail, conversion } = snapshot;
    const planned = new Map<string, string | null>();
    for (const path of incoming.paths.filter(one => /(^|\/)\.gitattributes$/.test(one))) {
      const now = trail.tree && (await lookup(context.objects, trail.tree, path));
      const merged = await incoming.merge(path, now || null);
      if ('conflict' in merged || sameRecorded(merged.recorded, now || null)) continue;
      const { recorded, content } = merged;
      const bytes = content ?? (recorded && (await context.objects.read(recorded.oid, 'blob')).content);
      planned.set(path, bytes && new TextDecoder().decode(bytes));
    }
    return new Carrier(snapshot, planned.size > 0 ? new Conversion(context, planned) : conversion);
  }

  /** True for a path that is carried, where the trail has `ours` and `to` comes in. */
  async carries(path: string, ours: Recorded, to: Recorded): Promise<boolean> {
    if (isSpecial(ours) || isSpecial(to) || !this.#isNameable(path)) return true;
    if ((await this.#isBelowSpecial(path)) || (await this.#isConverted(path, ours))) return true;
    return (await this.#isFiltered(path)) || (!ours && (await this.#isIgnored(path)));
  }

  take(one: Carried): void {
    if (!sameRecorded(one.from, one.to)) this.#taken.push(one);
  }

  /**
   * Plans the changes, beside those of the files that edits can write: `targets` by path of the workspace, `steps` as the trail
   * records them. `blocked`: what is in the way of them.
   */
  async changes(
    targets: ReadonlyMap<string, unknown>,
    steps: readonly Step[],
  ): Promise<{ carried: DraftedChange[]; blocked: Conflict[] }> {
    const blocked = await this.#clashes(steps);
    const gone = new Map([...targets, ...this.#taken.map(({ path, to }) => [path, inFolder(to)] as const)]);
    const carried: DraftedChange[] = [];
    for (const one of blocked.length > 0 ? [] : this.#taken) {
      const change = await this.#change(one, gone);
      if (typeof change !== 'string') carried.push(change);
      else blocked.push({ path: one.path, recorded: one.recorded, regions: [], note: change });
    }
    return { carried, blocked };
  }

  /** Finds files of one side where the other has a folder. */
  async #clashes(steps: readonly Step[]): Promise<Conflict[]> {
    const { context, trail } = this.#snapshot;
    const { objects } = context;
    const all = new Map(steps.map(({ path, to }) => [path, to]));
    for (const { recorded, to } of this.#taken) all.set(recorded, to);
    const ours = async (path: string): Promise<Recorded> =>
      trail.tree ? lookup(objects, trail.tree, path) : null;
    const found = new Set<string>();
    for (const [path, to] of all) {
      if (!to) continue;
      for (const above of foldersAbove(path)) {
        const held = all.has(above) ? all.get(above)! : await ours(above);
        if (held && !isTree(held.mode)) found.add(above);
      }
      const held = await ours(path);
      const below = held && isTree(held.mode) ? await diffTrees(objects, held.oid, null) : [];
      if (below.some(one => all.get(`${path}/${one.path}`) !== null)) found.add(path);
    }
    const note = 'one side has a file there, and the other a folder';
    return [...found].map(recorded => {
      return { path: fromTrail(context, recorded) ?? recorded, recorded, regions: [], note };
    });
  }

  /** Returns what changes on disk and on the trail; a text says what is in the way. */
  async #change(
    { path, from, to }: Carried,
    gone: ReadonlyMap<string, unknown>,
  ): Promise<DraftedChange | string> {
    const { conversion, context } = this.#snapshot;
    const { store } = context;
    const recorded = { before: await this.#stored(from), after: await this.#stored(to) };
    const inPlace = { path, ...recorded, recorded, inPlace: true } as const;
    const [old, target] = [inFolder(from), inFolder(to)];
    if (!store.separate || !store.entry || (!old && !target)) return inPlace;
    const present = await this.#present(path, gone);
    if (present === 'folder') return 'a folder is there';
    if (present ? target && (await conversion.isRecorded(path, present, target)) : !target) return inPlace;
    if (present && !(await conversion.isRecorded(path, present, old)))
      return 'what is there is not what history has, and nobody has recorded it';
    return { path, before: present, after: target && (await this.#checkedOut(path, target)), recorded };
  }

  async #present(path: string, gone: ReadonlyMap<string, unknown>): Promise<StoredFile | null | 'folder'> {
    let isFolder = false;
    const file = await orNone(
      () => this.#snapshot.entry(path),
      () => (isFolder = true),
    );
    return isFolder && !(await isCleared(this.#snapshot, path, gone)) ? 'folder' : file;
  }

  /** Returns what git would write: where the system makes no links, it writes their targets into files. */
  async #checkedOut(path: string, entry: NonNullable<Recorded>): Promise<StoredFile> {
    const { fs, repo } = this.#snapshot.context;
    const file = (await this.#stored(entry))!;
    if (entry.mode !== LINK) return this.#coming.checkedOut(path, file);
    return fs.symlink && repo.config.bool('core.symlinks', true) ? file : { ...file, mode: '100644' };
  }

  async #stored(entry: Recorded): Promise<StoredFile | null> {
    if (!entry) return null;
    const { mode, oid: version } = entry;
    // As git shows it in a diff.
    if (isGitlink(mode)) return { bytes: utf8(`Subproject commit ${version}\n`), mode: '160000', version };
    const { content: bytes } = await this.#snapshot.context.objects.read(version, 'blob');
    return { bytes, mode: mode === LINK ? (mode as StoredMode) : plainMode(mode), version };
  }

  #isNameable(path: string): boolean {
    try {
      return givenPath(this.#snapshot.context, path) === path;
    } catch (error) {
      if (error instanceof EditError) return false;
      throw error;
    }
  }

  /** True where a link or submodule of the trail is above the path, and has to make room. */
  async #isBelowSpecial(path: string): Promise<boolean> {
    const { context, trail } = this.#snapshot;
    for (const above of trail.tree ? foldersAbove(toTrail(context, path)) : []) {
      const held = await lookup(context.objects, trail.tree!, above);
      if (!held || isSpecial(held)) return held !== null;
    }
    return false;
  }

  /** True where attributes come in by which git would write the file otherwise, and nobody has changed it. */
  async #isConverted(path: string, ours: Recorded): Promise<boolean> {
    const { context, conversion } = this.#snapshot;
    if (this.#coming === conversion || !context.store.entry) return false;
    const file = await this.#present(path, new Map());
    return file !== 'folder' && conversion.isRecorded(path, file, ours);
  }

  /** True for a path with a filter, by the attributes as they are or as they will be. */
  async #isFiltered(path: string): Promise<boolean> {
    for (const conversion of [this.#snapshot.conversion, this.#coming])
      if (await isRefused('FILTERED_PATH', conversion.check(path))) return true;
    return false;
  }

  #isIgnored(path: string): Promise<boolean> {
    const { context } = this.#snapshot;
    return isRefused('IGNORED_PATH', context.guards.checkNew(toTrail(context, path)));
  }
}

function isSpecial(entry: Recorded): boolean {
  return entry !== null && !isTree(entry.mode) && !entry.mode.startsWith('100');
}

/** Returns what the folder of files has of an entry: of a submodule, no file. */
function inFolder(entry: Recorded): Recorded {
  return entry && !isGitlink(entry.mode) ? entry : null;
}

async function isRefused(code: 'FILTERED_PATH' | 'IGNORED_PATH', check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return false;
  } catch (error) {
    if (isEditError(error, code)) return true;
    throw error;
  }
}
