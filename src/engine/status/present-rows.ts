/** Reads what the folder and HEAD have of a file that a trail knows, as rows of its weave. */

import { EditError } from '../../errors.ts';
import type { StoredFile } from '../../stores/store.ts';
import type { Token } from '../../text/diff/alignment.ts';
import type { TrailHead } from '../../trail/head.ts';
import { rowsInTree, rowsOf } from '../../trail/history/file-rows.ts';
import type { FileHistory } from '../../trail/history/versions.ts';
import { sameRecorded } from '../../trail/steps.ts';
import { treeOf } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Whether the files tell (default: unless they are those of another trail), and the tree of a branch in place of HEAD's. */
export interface PresentOptions {
  files?: boolean | undefined;
  target?: string | null;
}

export type TakenNames = ReadonlySet<string>;

/** The texts that the folder and HEAD have of a file, as rows. */
export interface PresentTexts {
  file: readonly Token[];
  head: readonly Token[];
  /** Names that it had before, at which there is a file again: another one, unless it was moved back there. */
  former: ReadonlySet<string>;
}

export class PresentRows {
  readonly #snapshot: Snapshot;
  readonly #target: string | null | undefined;
  #filesTell: Promise<boolean> | null = null;

  constructor(snapshot: Snapshot, { files, target }: PresentOptions) {
    this.#snapshot = snapshot;
    this.#target = target;
    if (files !== undefined) this.#filesTell = Promise.resolve(files);
  }

  /** Reads the texts of a file. Where nobody can say what the folder has, it is as the trail has it. */
  async of(history: FileHistory, taken: TakenNames): Promise<PresentTexts> {
    const head = await this.#head(history, taken);
    const recorded = history.weave.text;
    if (!(await this.doFilesTell())) return { file: recorded, head, former: new Set() };
    const [present, ...former] = namesOf(history.names, taken);
    const own = await this.#onDisk(present!, history);
    const there: Array<{ name: string; rows: readonly Token[] }> = [];
    for (const name of former) {
      const rows = await this.#onDisk(name);
      if (rows?.length) there.push({ name, rows });
    }
    // A person may have moved it back.
    const moved = own?.length === 0 ? there.shift() : undefined;
    const names = new Set(there.map(({ name }) => name));
    return { file: moved?.rows ?? own ?? recorded, head, former: names };
  }

  /** Reads the rows of the file on disk, none where it is missing; `null` where nobody can say. `history`: of this file. */
  async #onDisk(path: string, history?: FileHistory): Promise<readonly Token[] | null> {
    const file = await this.#held(path);
    if (!file) return file === null ? [] : null;
    const held = { mode: file.mode, oid: file.version };
    const isRecorded = history && !history.weave.isCut && sameRecorded(history.tip, held);
    return isRecorded ? history.weave.text : rowsOf(path, held, file.mode === '120000' ? null : file.bytes);
  }

  /** Reads the file on disk as git would record it, `null` where it is missing; `undefined` where nobody can say. */
  async #held(path: string): Promise<StoredFile | null | undefined> {
    const name = fromTrail(this.#snapshot.context, path);
    if (name === null) return undefined;
    try {
      return await this.#snapshot.entryAsRecorded(name);
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return error.code === 'IS_DIRECTORY' ? null : undefined;
    }
  }

  doFilesTell(): Promise<boolean> {
    this.#filesTell ??= filesTell(this.#snapshot.context, this.#snapshot.trail);
    return this.#filesTell;
  }

  /** Returns the rows that HEAD has of the file; where the trail is the branch, those from before all edits. */
  async #head(history: FileHistory, taken: TakenNames): Promise<readonly Token[]> {
    const { context, trail } = this.#snapshot;
    const isOther = this.#target !== undefined;
    if (!isOther && (trail.checkedOut || trail.head === null))
      return [...history.seen[0]!.held].map(({ token }) => token);
    const names = namesOf(history.names, taken).reverse();
    const tree = isOther ? this.#target! : await treeOf(context.objects, trail.head!);
    return rowsInTree(context.objects, tree, names);
  }
}

/** The names of a file, the newest first; former ones only where no other file has them now. */
function namesOf(names: readonly string[], taken: TakenNames): string[] {
  const [present, ...former] = [...names].reverse();
  return [present!, ...former.filter(name => !taken.has(name))];
}

/**
 * True where they do. Where the branch is the trail, or files live in it alone, what a person does is a commit or an edit;
 * and the files of another branch, or of this clone for the trail of another one, tell nothing.
 */
async function filesTell({ store }: Context, trail: TrailHead): Promise<boolean> {
  return store.separate && !trail.checkedOut && !trail.mirror;
}
