import type { MergeConflict } from '../../../sync/merge/conflict.ts';
import type { MergeOptions } from '../../../sync/merge/merge.ts';
import type { ToolResult } from '../../../tools/run.ts';
import { isPersonAsked } from '../agent-marker.ts';
import { type Call, type CliCommand, defineCommand, type OptionsOf } from '../command.ts';
import { type Engine, gitOf, withEngine } from '../engine.ts';
import { writerOptions } from '../input/options.ts';
import { UsageError } from '../input/usage.ts';
import { ManualMerge, STYLES } from '../manual-merge.ts';
import { answer, attempt } from '../run.ts';
import { withProgress } from '../terminal/progress.ts';
import { tellDone } from '../views/done.ts';
import { answerRefusal } from '../views/refusal.ts';

const options = [
  ['--edits <range>', 'only these edits of it: <after>..<last>, or one commit'],
  [
    '--keep <side>',
    'take files whole from one side where both changed the same lines: mine or theirs',
    ['mine', 'theirs'],
  ],
  [
    '--conflict <style>',
    'write conflict markers into the files, as merge.conflictStyle says: merge, diff3 or zdiff3',
    STYLES,
  ],
  ['--tool [name]', 'run git mergetool on the files; default: merge.tool'],
  ['--continue', 'merge, with the files as you resolved them'],
  ['--abort', 'put the files back as they were before the merge'],
  // Done twice, nothing is left to do.
  ...writerOptions.filter(([flags]) => !flags.startsWith('--edit-id')),
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'One commit with both histories behind it, by three-way merge; what you typed and did not save in history is recorded ' +
    'first. Where both sides changed the same lines, nothing is merged, and both sides are named. On a terminal, or with ' +
    '--conflict or --tool, git then writes its conflict markers into your files, or runs your merge tool on them: make of both ' +
    'sides what shall stand there, then vedit merge --continue, or take it back with --abort. A peer that stands on commits ' +
    'that are not here is refused, with where to get them. vedit undo takes a merge back, vedit revert one edit of it.',
  arguments: [
    ['[peer]', 'a history of another clone, <clone>/<branch>, or a clone that has one (vedit peers)'],
    ['[paths...]', 'with --keep: only these files', 'file'],
  ],
  options,
  examples: [
    ['vedit merge ada-12345678 -n', 'what would come'],
    ['vedit merge ada-12345678/main', ''],
    ['vedit merge ada-12345678/main --keep theirs src/auth.ts', ''],
    ['vedit merge ada-12345678/main --tool meld', 'decide in a merge tool'],
    ['vedit merge ada-12345678/main --edits ~2..@', 'her last two edits'],
  ],
  run: call => {
    check(call);
    return withEngine(call, engine => run(call, engine), { workspace: { brief: true }, session: 'edits' });
  },
});

/** Throws UsageError. */
function check({ args, options }: Call<Options>): void {
  if (args.length > 1 && options.keep === undefined)
    throw new UsageError('files go with --keep mine or --keep theirs: the others merge by themselves');
  const ends = options.continue || options.abort;
  if (ends && (args.length > 0 || options.conflict || options.tool))
    throw new UsageError(
      '--continue and --abort are about the merge under way: give no peer, --conflict or --tool',
    );
  if (options.edits !== undefined && (options.conflict || options.tool))
    throw new UsageError(
      '--conflict and --tool are for all edits of a peer: with --edits, decide with --keep',
    );
  if (options.continue && options.abort) throw new UsageError('give --continue or --abort, not both');
}

async function run(call: Call<Options>, engine: Engine): Promise<number> {
  const { terminal, options } = call;
  const byHand = new ManualMerge({ ...engine, terminal, git: await gitOf(terminal) });
  if (options.abort) return abort(call, byHand);
  const merge = (input: () => MergeOptions | Promise<MergeOptions>): Promise<ToolResult> =>
    withProgress(terminal, 'merging', () => attempt(async () => engine.workspace.merge(await input())));
  const finish = async (): Promise<number> => {
    const result = await merge(() => byHand.resolved());
    if (result.ok) await byHand.end();
    return answer(call, result, () => tellDone(call, result));
  };
  if (options.continue) return finish();
  await byHand.checkNone();
  const input = inputOf(call, engine);
  const result = await merge(() => input);
  if (result.ok || !isManual(call, result)) return answer(call, result, () => tellDone(call, result));
  const { conflicts, commit } = result.data as { conflicts: MergeConflict[]; commit: string };
  const begun = await byHand.begin({ ...input, upTo: commit }, conflicts, options.conflict);
  if (options.tool && (await byHand.runTool(options.tool === true ? undefined : options.tool)))
    return finish();
  const code = await answerRefusal(result, terminal, options.json ?? false);
  await tellBegun(call, conflicts, begun);
  return code;
}

function inputOf({ args, options }: Call<Options>, { place }: Engine): MergeOptions {
  const { edits, keep, dryRun, reason, allowSecret, agent, session } = options;
  const [peer = '', ...files] = args;
  const paths = files.length > 0 ? files.map(file => place.path(file)) : undefined;
  return { peer, edits, keep, paths, dryRun, reason, allowSecret, agent, session };
}

/** True for a conflict in files that a person can merge: on a terminal, or where that is asked for. */
function isManual(call: Call<Options>, result: ToolResult): boolean {
  const { options } = call;
  if (result.ok || result.code !== 'CONFLICT' || options.dryRun || options.mount !== undefined) return false;
  const { conflicts = [] } = result.data as { conflicts?: readonly MergeConflict[] };
  if (options.edits !== undefined || conflicts.length === 0 || conflicts.some(({ versions }) => !versions))
    return false;
  if (options.conflict !== undefined || options.tool) return true;
  return isPersonAsked(call) && !options.json && options.keep === undefined;
}

async function tellBegun(
  { terminal }: Call<Options>,
  conflicts: readonly MergeConflict[],
  { whole, unmarked }: { whole: readonly string[]; unmarked: readonly string[] },
): Promise<void> {
  const marked = conflicts.map(({ path }) => path).filter(path => ![...whole, ...unmarked].includes(path));
  if (marked.length > 0) await terminal.tell(`Conflict markers are in ${marked.join(', ')}.`);
  for (const path of whole)
    await terminal.tell(`One side has no ${path}: leave it as it shall be, or delete it.`);
  for (const path of unmarked)
    await terminal.tell(`Git writes no markers into ${path}, which is binary to it: it has your side.`);
  await terminal.tell('Resolve them, then vedit merge --continue; vedit merge --abort puts them back.');
}

async function abort(call: Call<Options>, byHand: ManualMerge): Promise<number> {
  const result = await attempt(async () => {
    const notes = await byHand.abort();
    return { message: ['The merge was taken back.', ...notes].join('\n'), data: { notes } };
  });
  return answer(call, result, ({ message }) => call.terminal.tell(message));
}
