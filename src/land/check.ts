/**
 * The last look at what a landing would commit, and at what it did commit (trail/history/landing-check.ts): from the texts
 * that git will have, not from the plan. What does not pass is not landed.
 */

import { gitName } from '../c-quote.ts';
import { type Context, fromTrail } from '../engine/context.ts';
import { EditError } from '../errors.ts';
import { listedSome } from '../text/words.ts';
import { rowsOf } from '../trail/history/file-rows.ts';
import { type LandingFault, landingFaults } from '../trail/history/landing-check.ts';
import { fileAt, type Recorded } from '../trail/steps.ts';
import { optionWords } from '../wording.ts';
import type { PathContents } from './contents.ts';
import type { LandFile } from './land-files.ts';
import type { Work } from './plan-commits.ts';

/** Throws CONFLICT where the branch with these changes, one state after another, would hold what it must not. */
export async function checkStates(work: Work, states: readonly PathContents[]): Promise<void> {
  const { context, files, wish } = work;
  const known = new Set(files.flatMap(({ names }) => names));
  for (const path of states.flatMap(changes => [...changes.keys()]))
    if (!known.has(path)) throw unsound(context, path, [{ kind: 'not asked for', lines: [path] }]);
  const present = new Set(files.map(({ path }) => path));
  for (const file of files) {
    const names = file.names.filter(name => name === file.path || !present.has(name));
    const terms = { ...wish, leavesOut: file.leavesOut };
    for (const [at, changes] of states.entries()) {
      const isWhole = work.isWhole && at === states.length - 1;
      const result = await rowsAfter(work, file, { names, changes });
      const faults = landingFaults(file.components, result, { ...terms, isWhole });
      if (faults.length > 0) throw unsound(context, file.path, faults);
    }
  }
}

/** Reads the rows of the file, under any of these names, in the branch with these changes, read from the bytes that it would have. */
async function rowsAfter(
  { context, contents, target: { tree } }: Work,
  { path, former }: LandFile,
  { names, changes }: { names: readonly string[]; changes: PathContents },
): Promise<string[]> {
  const held = async (name: string): Promise<Recorded> =>
    tree === null ? null : fileAt(context.objects, tree, name);
  const before: string[] = [];
  const after = new Map<string, NonNullable<Recorded>>();
  for (const name of [...names].reverse()) {
    const old = await held(name);
    const now = changes.has(name) ? changes.get(name) : old;
    if (old) before.push(name);
    if (now) after.set(name, now);
  }
  // At a name that it had before there may be another file.
  const isOwn = (name: string): boolean => changes.has(name) || !former.has(name);
  const own = [...after.keys()].filter(isOwn);
  if (own.length > Math.max(1, before.filter(isOwn).length))
    throw unsound(context, path, [{ kind: 'never stood so', lines: own }]);
  const [name] = [...own, ...after.keys()];
  if (name === undefined) return [];
  const recorded = after.get(name)!;
  const bytes = recorded.mode.startsWith('100') ? await contents.blobs.read(recorded.oid, name) : null;
  return rowsOf(name, recorded, bytes);
}

function unsound(context: Context, path: string, faults: readonly LandingFault[]): EditError {
  const name = fromTrail(context, path) ?? path;
  const what = {
    'nobody wrote it': 'nobody wrote',
    'never stood so': 'never stood together',
    'in neither': 'is neither on the branch nor in the file',
    'left out for nothing': 'would be left out, and nothing says why',
    'not asked for': 'is not asked for',
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
