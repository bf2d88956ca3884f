/**
 * Files that a commit of the trail holds and that are gone from the folder, or as HEAD has them: after `git reset --hard` and
 * `git clean`, say. To bring those back can take nothing from anybody, as any other text can be somebody's work.
 */

import { EditError } from '../../errors.ts';
import { lookup } from '../../git/objects/tree.ts';
import { isAncestor } from '../../git/rev-list.ts';
import { foldersAbove } from '../../stores/paths.ts';
import type { StoredFile } from '../../stores/store.ts';
import { type Recorded, type Step, sameRecorded } from '../../trail/steps.ts';
import { readEntry } from '../../trail/walk.ts';
import { orNone } from '../change/folders.ts';
import { fromTrail } from '../context.ts';
import type { Snapshot } from '../files/snapshot.ts';

/** Why a file stays as it is, though the commit holds another text of it. */
export type Staying =
  /** It has a text that neither the trail nor HEAD has. */
  | 'written'
  /** HEAD has another text of it now than when the commit was made. */
  | 'committed'
  /** A link or a folder is in its place, or a filter of git's stands before it. */
  | 'blocked';

/** The relation of a file to what a commit holds of it. */
export type Standing = { step: Step } | { stays: Staying; error?: EditError } | null;

/** A commit's files, held against those of the folder. */
export class HeldFiles {
  readonly commit: string;
  /** The id of the commit's tree. */
  readonly tree: string;
  readonly #snapshot: Snapshot;
  /** Trees: of HEAD, and of what HEAD was when the commit was made. `null`: of nothing. */
  readonly #head: string | null;
  readonly #seen: string | null;

  private constructor(
    snapshot: Snapshot,
    at: { commit: string; tree: string; head: string | null; seen: string | null },
  ) {
    this.#snapshot = snapshot;
    this.commit = at.commit;
    this.tree = at.tree;
    this.#head = at.head;
    this.#seen = at.seen;
  }

  static async of(snapshot: Snapshot, commit: string): Promise<HeldFiles> {
    const { objects } = snapshot.context;
    const { head } = snapshot.trail;
    const { tree, meta } = await readEntry(objects, commit);
    const treeOf = async (oid: string): Promise<string> => (await readEntry(objects, oid)).tree;
    const now = head && (await treeOf(head));
    // What HEAD holds, the commit knows: then nothing of HEAD's is newer.
    const isKnown = head === null || (await isAncestor(objects, head, commit));
    const seen = isKnown ? now : await treeOf(meta?.head ?? commit);
    return new HeldFiles(snapshot, { commit, tree, head: now, seen });
  }

  /** Returns what the commit holds at a path of the trail. */
  at(path: string): Promise<Recorded> {
    return lookup(this.#snapshot.context.objects, this.tree, path);
  }

  /** True where the file is what the commit holds, byte for byte; false says nothing. */
  async isThere(path: string): Promise<boolean> {
    const own = fromTrail(this.#snapshot.context, path);
    const file = own === null ? null : await this.#snapshot.file(own).catch(() => null);
    return file !== null && sameRecorded({ mode: file.mode, oid: file.version }, await this.at(path));
  }

  /**
   * Returns the step that brings back the file at a path of the trail, or why the file stays as it is; `null` where
   * nothing of it is lost.
   */
  async lost(path: string): Promise<Standing> {
    const [held, place] = [await this.at(path), await this.place(path)];
    if (!held || place === null) return null;
    if ('stays' in place) return place;
    const { conversion } = this.#snapshot;
    const { own, file } = place;
    if (await conversion.isRecorded(own, file, held)) return null;
    const { objects } = this.#snapshot.context;
    const [now, then] = await Promise.all(
      [this.#head, this.#seen].map(tree => (tree ? lookup(objects, tree, path) : null)),
    );
    if (file && !(now && (await conversion.isRecorded(own, file, now)))) {
      const isNewest = await conversion.isRecorded(own, file, await this.#snapshot.recorded(own));
      return isNewest ? null : { stays: 'written' };
    }
    if (!sameRecorded(now!, then!)) return { stays: 'committed' };
    return { step: { path, from: file ? now! : null, to: held, commit: this.commit } };
  }

  /** The file at a path of the trail, or that nothing can be written there; `null` outside the workspace, and for links. */
  async place(
    path: string,
  ): Promise<{ own: string; file: StoredFile | null } | { stays: 'blocked'; error?: EditError } | null> {
    const { context, conversion } = this.#snapshot;
    const own = fromTrail(context, path);
    if (own === null || !(await this.at(path))?.mode.startsWith('100')) return null;
    try {
      if ((await this.#snapshot.resolve(own)) !== own) return { stays: 'blocked' };
      await conversion.check(own);
      const file = await this.#snapshot.file(own);
      return file === null && (await this.#isBelowFile(own)) ? { stays: 'blocked' } : { own, file };
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      return { stays: 'blocked', error };
    }
  }

  async #isBelowFile(own: string): Promise<boolean> {
    for (const folder of foldersAbove(own)) if (await orNone(() => this.#snapshot.file(folder))) return true;
    return false;
  }
}
