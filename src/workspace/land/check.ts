/**
 * The last look at what a landing would commit, and at what it did commit (trail/history/landing-check.ts): from the texts
 * that git will have, not from the plan. What does not pass is not landed.
 */

import { gitName } from '../../c-quote.ts';
import { EditError } from '../../errors.ts';
import { listedSome } from '../../text/words.ts';
import { rowsOf } from '../../trail/history/file-rows.ts';
import { LandingCheck, type LandingFault } from '../../trail/history/landing-check.ts';
import { OWN } from '../../trail/history/status.ts';
import type { Weave, WovenRow } from '../../trail/history/weave.ts';
import { fileAt, type Recorded } from '../../trail/steps.ts';
import { optionWords } from '../../wording.ts';
import { type Context, fromTrail } from '../context.ts';
import type { LandContents, PathContents } from './contents.ts';
import type { LandFile } from './land-files.ts';

/** What is looked at. */
export interface Landing {
  context: Context;
  files: readonly LandFile[];
  contents: LandContents;
  /** The tree of the branch before. */
  tree: string | null;
  /** True where what is not in the result has to be text from outside or another edit; else it may be anything. */
  isWhole: boolean;
  /** True for an edit that is to land. */
  takes(commit: string): boolean;
  /** True where text from outside is to land, too. */
  outside: boolean;
}

/** Throws CONFLICT where the branch with these changes, one state after another, would hold what it must not. */
export async function checkStates(landing: Landing, states: readonly PathContents[]): Promise<void> {
  const { context, files } = landing;
  for (const file of files) {
    const weave = file.recorded.copy();
    const check = new LandingCheck(weave, file.texts);
    const mayLack = landing.isWhole ? lacking(weave, landing, file) : undefined;
    for (const [at, changes] of states.entries()) {
      const result = await rowsAfter(landing, file, changes);
      const faults = check.faults(result, at === states.length - 1 ? mayLack : undefined);
      if (faults.length > 0) throw unsound(context, file.path, faults);
    }
  }
}

/** The rows of the file in the branch with these changes, read from the bytes that it would have. */
async function rowsAfter(
  { context, contents, tree }: Landing,
  { names }: LandFile,
  changes: PathContents,
): Promise<string[]> {
  for (const name of [...names].reverse()) {
    const held: Recorded = changes.has(name)
      ? (changes.get(name) ?? null)
      : tree === null
        ? null
        : await fileAt(context.objects, tree, name);
    if (!held) continue;
    const bytes = held.mode.startsWith('100') ? await contents.blobs.read(held.oid) : null;
    return rowsOf(name, held, bytes);
  }
  return [];
}

/** Says of rows that belong together whether the landing may leave them out: something of them is not asked for, or rejected. */
function lacking(
  weave: Weave,
  { takes, outside }: Landing,
  { rejectedRows }: LandFile,
): (rows: readonly WovenRow[]) => boolean {
  return rows =>
    rows.some(
      row =>
        rejectedRows.has(row.token) ||
        row.events.some(({ hunk }) => {
          const { id, kind } = weave.steps[hunk.step]!;
          return OWN.has(kind) ? !takes(id) : !outside;
        }),
    );
}

function unsound(context: Context, path: string, faults: readonly LandingFault[]): EditError {
  const name = fromTrail(context, path) ?? path;
  const what = {
    'nobody wrote it': 'nobody wrote',
    'never stood so': 'never stood together',
    'left out for nothing': 'would be left out, and nothing says why',
  };
  const words = faults.map(
    ({ kind, lines: some }) =>
      `${listedSome(
        some.map(line => JSON.stringify(line.slice(0, 60))),
        3,
      )} ${what[kind]}`,
  );
  return new EditError(
    'CONFLICT',
    `${gitName(name)} would not be on the branch as somebody wrote it: ${listedSome(words, 3)}. Nothing was committed. Commit the file as it is by git commit, or land everything with it (${optionWords('outside', true)}).`,
    { conflicts: [{ path: name, regions: [] }] },
  );
}
