/**
 * What the edits of one change say of the files that were there before it: each must be about the same version of a
 * file, under whatever name, and that version the present one, or one that the edit may be rebased from.
 */

import type { FileChange } from '../../../edits/edit.ts';
import { EditError } from '../../../errors.ts';
import type { StoredFile } from '../../../stores/store.ts';
import { fieldName, pathName } from '../../../wording.ts';
import type { Snapshot } from '../../files/snapshot.ts';
import type { Viewer } from '../../views.ts';
import { checkBase, type Precondition } from './base.ts';
import type { Rebased } from './rebase.ts';
import { oldFile, staleError } from './stale.ts';

export class Preconditions {
  /** The files that are planned on an old version, by their names before the change. */
  readonly rebased: Map<string, Rebased> = new Map();
  readonly #snapshot: Snapshot;
  readonly #viewer: Viewer;
  readonly #session: string;
  /** Names of this change, and what they were before it; `null`: the change made that file. */
  readonly #origins = new Map<string, string | null>();
  /** Files of which an edit said the version: what comes after it without a word means the same. */
  readonly #named = new Set<string>();

  constructor(snapshot: Snapshot, viewer: Viewer, session: string) {
    this.#snapshot = snapshot;
    this.#viewer = viewer;
    this.#session = session;
  }

  /** The first edit of a path. Throws STALE and NOT_VIEWED. Answers the file to plan on, as it was or as it is. */
  async first(path: string, claim: Precondition): Promise<StoredFile | null> {
    const old = await this.#oldOf(path, claim);
    const present = await this.#snapshot.file(path);
    if (!isSilent(claim)) this.#named.add(path);
    if (!old) return present;
    this.rebased.set(path, { ...old, present });
    return old.base;
  }

  /** A further edit of a path: its text is that of the plan by now, and not looked at any more. */
  async again(path: string, claim: Precondition): Promise<void> {
    const origin = this.#originOf(path);
    if (origin === null || !(await this.#snapshot.file(origin))) return;
    if (isSilent(claim) && this.#named.has(origin)) return;
    const old = await this.#oldOf(origin, claim);
    const planned = this.rebased.get(origin);
    if (!old && !(planned && claim.addressesLines)) return;
    if (old && planned && old.base?.version === planned.base?.version) return;
    throw new EditError(
      'INVALID_INPUT',
      `${pathName(path)}: an earlier edit of this change was decided on another version of it. Nothing was changed. Give all edits of one file the same ${fieldName('base')} or ${fieldName('version')}, or send them one after another.`,
      { path, version: (await this.#snapshot.file(origin))?.version ?? null },
    );
  }

  /** The names of files go with what the change does to them. */
  follow(change: FileChange): void {
    const { path } = change;
    if (change.kind === 'move') {
      this.#origins.set(change.to, this.#originOf(path));
      this.#origins.set(path, null);
    } else if (change.kind === 'delete') this.#origins.set(path, null);
  }

  #originOf(path: string): string | null {
    const known = this.#origins.get(path);
    return known === undefined ? path : known;
  }

  /** The old file to plan on, when the base is old and the caller wants the edit rebased; else `null`. */
  async #oldOf(path: string, claim: Precondition): Promise<Omit<Rebased, 'present'> | null> {
    const stale = await checkBase(this.#snapshot, claim, path, this.#viewer, this.#session);
    if (stale === null) return null;
    const base = claim.onStale === 'rebase' ? await oldFile(this.#snapshot, stale) : undefined;
    if (base === undefined) throw await staleError(this.#snapshot, stale);
    return { base, stale };
  }
}

function isSilent(claim: Precondition): boolean {
  return claim.base === undefined && claim.version === undefined;
}
