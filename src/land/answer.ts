/** Makes the answer of a landing. */

import { type Answer, type DonePath, donePath } from '../engine/answer.ts';
import type { Context } from '../engine/context.ts';
import { type FileDiff, fileDiffsOf } from '../engine/file-diffs.ts';
import { plainMode } from '../engine/files/conversion.ts';
import { type ParsedCommit, parseCommit } from '../git/objects/commit.ts';
import { renamesOf } from '../history/renames.ts';
import type { Recorded } from '../history/steps.ts';
import type { StoreChange, StoredFile } from '../stores/store.ts';
import { nameOf } from './contents.ts';
import type { LandHunk } from './hunks.ts';
import { namesOf } from './land-files.ts';
import type { LandPlan } from './plan.ts';
import { type LeftOutText, leftOutNotes, type OmittedWork, omittedNotes } from './stays-behind.ts';

export interface LandedCommit {
  commit: string | null;
  message: string;
  /** The edits that landed in the commit, as commits of the trail. */
  edits: string[];
}

export interface LandData {
  op: 'land';
  /** The branch; `HEAD` where that is detached. */
  onto: string;
  /** The newest landed commit, and the one that the branch was at. */
  commit: string | null;
  parent: string | null;
  /** Oldest first. */
  commits: LandedCommit[];
  sessions: string[];
  agents: string[];
  paths: DonePath[];
  diff: string;
  /** True when the real git made the commit, with the user's hooks. */
  hooks: boolean;
  signed: boolean;
  /** Paths that a hook changed on the way. */
  changed_by_hooks: string[];
  /** Edits that have not landed yet. */
  left: number;
  /**
   * Files in question that hold outside changes which stay uncommitted, whether something of them landed or not; with
   * `outside`, also those that no edit is about.
   */
  outside: string[];
  /** Paths that stay behind: the person took all of the edits back in the files. */
  discarded: string[];
  /** Edits of which nothing landed at these paths, because they were taken back by hand; `part`: some of it landed. */
  taken_back: Array<{ commit: string; path: string; part: boolean }>;
  /** Rejected text that is back in the files, and stays behind. */
  left_out: LeftOutText[];
  /** Files of which something stays behind because it is not accepted, or was not chosen. */
  not_taken: string[];
  dry_run?: true;
  /** The places that a dry run would land, each by itself. */
  hunks?: LandHunk[];
  notes: string[];
  warnings: string[];
}

export interface Made {
  /** Oldest first. */
  commits: string[];
  changedByHooks: string[];
  withHooks: boolean;
  warnings: string[];
}

/** `made` is `null` for a dry run. Reads nothing that could fail now without a way out: the commits are made. */
export async function landAnswer(
  context: Context,
  plan: LandPlan,
  diffs: readonly FileDiff[],
  made: Made | null,
): Promise<Answer<LandData>> {
  const commits = made?.commits ?? [];
  const { landed, omitted: discarded } = plan;
  const read = await readMade(context, commits);
  const metas = plan.commits.flatMap(one => one.edits).flatMap(({ meta }) => meta ?? []);
  const data: LandData = {
    op: 'land',
    onto: plan.target.name,
    commit: commits.at(-1) ?? null,
    parent: plan.target.commit,
    commits: plan.commits.map(({ message, edits }, at) => ({
      commit: commits[at] ?? null,
      message: read[at]?.message ?? message,
      edits: edits.map(({ commit }) => commit),
    })),
    sessions: [...new Set(metas.flatMap(({ session }) => session ?? []))],
    agents: [...new Set(metas.flatMap(({ agent }) => agent ?? []))],
    paths: diffs.map(donePath),
    diff: diffs.map(({ diff }) => diff).join(''),
    hooks: made?.withHooks ?? false,
    signed: read.at(-1)?.headers.some(([name]) => name === 'gpgsig') ?? false,
    changed_by_hooks: made?.changedByHooks ?? [],
    left: plan.left,
    outside: [...namesOf(landed, one => one.leavesOutside), ...plan.beside].sort(),
    discarded: discarded.filter(one => one.whole).map(({ path }) => path),
    taken_back: undoneEdits(discarded),
    left_out: landed.flatMap(({ leftOut }) => leftOut),
    not_taken: namesOf(landed, one => one.isPart),
    ...(made ? {} : { dry_run: true as const, hunks: landed.flatMap(({ hunks }) => hunks) }),
    notes: [],
    warnings: made?.warnings ?? [],
  };
  data.notes.push(...notesOf(context, data, plan));
  return { message: words(data), data };
}

function undoneEdits(discarded: readonly OmittedWork[]): LandData['taken_back'] {
  return discarded.flatMap(({ path, edits, reduced }) => [
    ...edits.map(commit => ({ commit, path, part: false })),
    ...reduced.map(commit => ({ commit, path, part: true })),
  ]);
}

/** Reads commits that were made; none where one of them cannot be read: they are made all the same. */
function readMade({ objects }: Context, commits: readonly string[]): Promise<ParsedCommit[]> {
  const read = commits.map(async oid => parseCommit((await objects.read(oid, 'commit')).content));
  return Promise.all(read).catch(() => []);
}

/** Returns the diffs that the answer shows, moves as git shows them; called before anything is committed. */
export async function landDiffs(context: Context, { contents, changes }: LandPlan): Promise<FileDiff[]> {
  const fileOf = async (path: string, held: Recorded): Promise<StoredFile | null> =>
    held && {
      bytes: await contents.read(held.oid, path),
      mode: plainMode(held.mode),
      version: held.oid,
    };
  const stored: StoreChange[] = [];
  for (const [path, held] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = await fileOf(path, contents.before.get(path) ?? null);
    stored.push({ path, before, after: await fileOf(path, held) });
  }
  const renames = await renamesOf(stored, (path, file) => ({
    path,
    oid: file.version,
    read: () => Promise.resolve(file),
  }));
  const shown = stored.map(one => ({ ...one, path: nameOf(context, one.path) }));
  const moves = [...renames].map(([to, from]) => ({ from: nameOf(context, from), to: nameOf(context, to) }));
  return [...new Map(fileDiffsOf(shown, moves).map(one => [one.path, one])).values()];
}

function notesOf(context: Context, data: LandData, { target, landed, omitted, became }: LandPlan): string[] {
  const { repo } = context;
  const notes: string[] = [];
  const unsigned = !data.signed && repo.config.bool('commit.gpgsign', false);
  if (!data.dry_run && !data.hooks) {
    const why = target.checkedOut ? 'there is no git here' : `${target.name} is not checked out`;
    notes.push(`Hooks did not run${unsigned ? ', and the commit is not signed' : ''}: ${why}.`);
  }
  if (data.outside.length > 0)
    notes.push(`Changed, not through vedit, and still uncommitted: ${data.outside.join(', ')}.`);
  notes.push(...omittedNotes(omitted, became), ...leftOutNotes(data.left_out));
  const givenUp = namesOf(landed, one => one.isGivenUp);
  if (givenUp.length > 0)
    notes.push(`Left out, because you took it out of git's hands (git rm --cached): ${givenUp.join(', ')}.`);
  if (data.not_taken.length > 0)
    notes.push(`Not all of it was taken, and the rest stays in the files: ${data.not_taken.join(', ')}.`);
  if (data.changed_by_hooks.length > 0)
    notes.push(`A hook changed what was committed: ${data.changed_by_hooks.join(', ')}.`);
  if (data.left > 0) notes.push(`${data.left} ${data.left === 1 ? 'edit has' : 'edits have'} not landed.`);
  return notes;
}

function words(data: LandData): string {
  const edits = data.commits.reduce((sum, one) => sum + one.edits.length, 0);
  const what = `${edits} ${edits === 1 ? 'edit' : 'edits'}`;
  const done = data.commits.map(
    ({ commit, message }) => `${commit?.slice(0, 12) ?? 'new'} ${message.split('\n')[0]}`,
  );
  const head = data.dry_run
    ? `Dry run, nothing written. ${what} would land on ${data.onto} as:`
    : `${what} landed on ${data.onto}:`;
  const files = data.paths.map(
    ({ kind, from, path, added, removed }) =>
      `${kind} ${from === undefined ? '' : `${from} to `}${path} (+${added} -${removed})`,
  );
  const notes = [...data.notes.map(note => `Note: ${note}`), ...data.warnings.map(one => `Warning: ${one}`)];
  return [head, ...done, ...files, ...notes].join('\n');
}
