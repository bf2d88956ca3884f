/**
 * Files of which it is kept what would land of them as a whole, under all that this is judged from (kept-statuses.ts): a dry run
 * weaves only those that changed since the last one. Whoever commits weaves them all, for the last check asks the weave.
 *
 * Kept are files of which all that is open would land, and nothing but that.
 */

import type { EditStatuses } from '../engine/status/edit-status.ts';
import type { KeptEdits } from '../engine/status/status-index.ts';
import { fileAt, type Recorded } from '../trail/steps.ts';
import type { LandContents } from './contents.ts';
import type { LandHunk } from './hunks.ts';
import type { LandDiff, LandedFile, LandFile, LandingFile } from './land-files.ts';

export interface KeptLanding {
  edits: KeptEdits;
  /** The edits of the file that the branch has, and the others. */
  landed: string[];
  others: string[];
  /** Those of the others of which something lands. */
  lands: string[];
  to: Recorded;
  hunks: LandHunk[];
  shown: LandDiff;
}

export type KeepLandings = (files: ReadonlyMap<string, Omit<KeptLanding, 'edits'>>) => Promise<void>;

/** The most characters that are kept of a file: one with much that lands is woven each time. */
const LARGEST = 16_384;

export class KeptFile implements LandingFile {
  readonly path: string;
  readonly names: readonly string[];
  readonly commits: readonly string[];
  readonly shown: LandDiff;
  readonly #landed: ReadonlySet<string>;
  readonly #kept: KeptLanding;

  private constructor(path: string, kept: KeptLanding) {
    this.path = path;
    this.names = [path];
    this.commits = [...kept.landed, ...kept.others];
    this.shown = kept.shown;
    this.#landed = new Set(kept.landed);
    this.#kept = kept;
  }

  static async of(
    statuses: EditStatuses,
    path: string,
    kept: KeptLanding,
    { contents, tree }: { contents: LandContents; tree: string },
  ): Promise<KeptFile> {
    contents.before.set(path, await fileAt(contents.objects, tree, path));
    contents.states.set(
      path,
      async () => new Set((await statuses.files([path])).flatMap(({ history }) => [...history.blobs])),
    );
    return new KeptFile(path, kept);
  }

  hasLanded(commit: string): boolean {
    return this.#landed.has(commit);
  }

  async land(): Promise<LandedFile> {
    const { lands, to, hunks } = this.#kept;
    return {
      path: this.path,
      changes: new Map([[this.path, to]]),
      stuck: [],
      lands: new Set(lands),
      leavesOutside: false,
      open: { before: new Set(lands), after: new Set() },
      leftOut: [],
      hunks,
      isPart: false,
    };
  }
}

/** The files of a plan. */
interface PlannedFiles {
  keep: KeepLandings | null;
  woven: readonly LandFile[];
  landed: readonly LandedFile[];
  discarded: ReadonlyArray<{ path: string }>;
}

/** Keeps what a plan would land of its files, with their diffs. */
export async function keepLandings(
  { keep, woven, landed, discarded }: PlannedFiles,
  diffs: ReadonlyMap<string, LandDiff>,
): Promise<void> {
  if (!keep) return;
  const omitted = new Set(discarded.map(({ path }) => path));
  const files = new Map(woven.map(file => [file.path, file]));
  const fresh = new Map<string, Omit<KeptLanding, 'edits'>>();
  for (const one of landed) {
    const [file, shown] = [files.get(one.path), diffs.get(one.path)];
    const kept = file && shown && !omitted.has(one.path) ? landingOf(file, one, shown) : null;
    if (kept) fresh.set(one.path, kept);
  }
  await keep(fresh);
}

/** `null` for a file of which something stays behind, or comes from outside. */
function landingOf(file: LandFile, landed: LandedFile, shown: LandDiff): Omit<KeptLanding, 'edits'> | null {
  const { changes, stuck, leftOut, lands, open, hunks } = landed;
  const to = changes.get(file.path);
  const isAll = lands.size === open.before.size && open.after.size === 0;
  if (to === undefined || changes.size > 1 || !isAll || stuck.length + leftOut.length > 0) return null;
  if (landed.leavesOutside || landed.isPart || shown.done.kind === 'move' || !file.wasRecorded(to))
    return null;
  const commits = [...file.commits];
  const kept = {
    landed: commits.filter(commit => file.hasLanded(commit)),
    others: commits.filter(commit => !file.hasLanded(commit)),
    lands: [...lands],
    to,
    hunks,
    shown,
  };
  return shown.diff.length + JSON.stringify(hunks).length > LARGEST ? null : kept;
}
