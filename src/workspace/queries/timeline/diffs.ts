/** Finds what each entry of a timeline changed, of the files that are wanted. */

import { diffTrees, type TreeChange } from '../../../git/objects/tree-diff.ts';
import { isBelow, namesPaths } from '../../../trail/changed-paths.ts';
import { readEntry, type TrailEntry } from '../../../trail/walk.ts';
import type { Layer } from '../../admission/policy/policies.ts';
import { commitDiffs, recordedDiff } from '../../commit-diffs.ts';
import { type Context, fromTrail } from '../../context.ts';
import type { FileDiff } from '../../file-diffs.ts';

/** The files that are wanted: those below `path`; of commits that the engine did not make, `edited` ones first. */
export interface Wanted {
  path: string | undefined;
  edited: ReadonlySet<string>;
}

/** The most files to show of a commit that the engine did not make. */
const MAX_FOREIGN_FILES = 100;

/** Differences that are shown, and how many files of the commit are not. */
export interface ShownDiffs {
  fileDiffs: FileDiff[];
  others: number;
}

export class TimelineDiffs {
  readonly #context: Context;
  readonly #wanted: Wanted;
  readonly #layers: readonly Layer[];

  /** `layers`: the policies that hold. */
  constructor(context: Context, wanted: Wanted, layers: readonly Layer[]) {
    this.#context = context;
    this.#wanted = wanted;
    this.#layers = layers;
  }

  of(entry: TrailEntry): Promise<ShownDiffs> {
    return namesPaths(entry) ? this.#own(entry) : this.#foreign(entry);
  }

  async #own(entry: TrailEntry): Promise<ShownDiffs> {
    const all = await commitDiffs(this.#context, entry, undefined, this.#layers);
    const fileDiffs = all.filter(({ path, from }) => this.#isWanted(path) || this.#isWanted(from ?? path));
    return { fileDiffs, others: all.length - fileDiffs.length };
  }

  /** A person's commit may change any number of files; a sync is only of interest for the edited ones. */
  async #foreign(entry: TrailEntry): Promise<ShownDiffs> {
    const { objects } = this.#context;
    const [parent] = entry.parents;
    const before = parent && (await objects.has(parent)) ? (await readEntry(objects, parent)).tree : null;
    const changes = (await diffTrees(objects, before, entry.tree)).filter(change => this.#inScope(change));
    const { edited } = this.#wanted;
    const isEdited = (change: TreeChange): boolean => edited.has(fromTrail(this.#context, change.path) ?? '');
    const rest = entry.meta ? [] : changes.filter(change => !isEdited(change) && isRegular(change));
    const chosen = [...changes.filter(change => isEdited(change) && isRegular(change)), ...rest];
    const fileDiffs: FileDiff[] = [];
    for (const { path, before: old, after } of chosen.slice(0, MAX_FOREIGN_FILES))
      fileDiffs.push(
        await recordedDiff(this.#context, this.#layers, fromTrail(this.#context, path)!, old, after),
      );
    return { fileDiffs, others: changes.length - fileDiffs.length };
  }

  #inScope(change: TreeChange): boolean {
    const path = fromTrail(this.#context, change.path);
    return path !== null && this.#isWanted(path);
  }

  #isWanted(path: string): boolean {
    return isBelow(path, this.#wanted.path?.replace(/\/$/, ''));
  }
}

/** No link and no submodule on either side. */
function isRegular({ before, after, utf8 }: TreeChange): boolean {
  return utf8 && [before, after].every(ref => ref === null || ref.mode.startsWith('100'));
}
