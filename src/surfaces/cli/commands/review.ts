import type { Answer } from '../../../engine/answer.ts';
import type { ReviewData, ReviewHunk } from '../../../review/listing.ts';
import type { AcceptOptions, HunkLines, ReviewOptions } from '../../../review/options.ts';
import { trailOptions, turnOption } from '../../../table/options.ts';
import { UsageError } from '../../../table/usage.ts';
import type { OptionsOf } from '../../../table/use.ts';
import { asAgentOption, isPersonAsked, reviewBy } from '../agent-marker.ts';
import { type Call, type CliCommand, defineCommand } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { Picker } from '../picker/picker.ts';
import { ReviewPicking } from '../picker/review-picking.ts';
import { answer, attempt } from '../run.ts';
import { hunkPieces } from '../views/review-view.ts';
import { shownDiff } from '../views/shown-diff.ts';

const options = [
  ['-l, --list', 'print what is left to review, and ask nothing'],
  ['--session <id>', 'only what this session wrote'],
  turnOption,
  ['--path <path>', 'only this file or folder'],
  ['--since <when>', 'only what was edited since then', 'time'],
  ['--accept', 'accept what the options name'],
  ['--reject', 'reject the hunks of --path, or of its --lines'],
  ['--comment', 'say something of --path, or of its --lines, to the agent: nothing is accepted or rejected'],
  ['--take-back', 'take back what you accepted or rejected last'],
  ['--lines <a-b>', 'lines of --path, as the list names them', parseLines],
  ['--at <commit>', 'the commit that the lines were read at; default: the files now'],
  ['--up-to <edit>', 'with --accept: what the files held at this edit'],
  ['--all', 'with --accept: everything'],
  ['-m, --reason <text>', 'with --reject: why, for the agent; with --comment: what you say'],
  ['--together', 'with --reject: also what was built on it, your own text too'],
  ['--alone', 'of a file that was renamed, only the half that --path names'],
  ['-n, --dry-run', 'with --reject: show what would change'],
  asAgentOption,
  ...trailOptions,
] as const;

type Options = OptionsOf<typeof options>;

export const command: CliCommand = defineCommand({
  details:
    'What you review is the text that stands there now: forty edits of one function are one hunk. On a terminal you are asked about ' +
    'each hunk, and the next vedit review goes on from there. A rejected hunk is taken out of the file, as a commit of yours, and its ' +
    'agent is told why. What you land or commit is accepted with that; so is what you write yourself.',
  arguments: [['[path]', 'only this file or folder; the same as --path', 'file']],
  options,
  examples: [
    ['vedit review', 'hunk by hunk'],
    ['vedit review --list --session 7f3a', 'what one session wrote'],
    ['vedit review --turn latest', 'what an agent did for the last prompt'],
    ['vedit review --accept --up-to 1a2b3c4', 'everything as it was then'],
    [`vedit review --comment --path src/auth.ts --lines 7 -m 'why not a constant?'`, ''],
    [`vedit review --reject --path src/auth.ts --lines 40-44 -m 'tokens must expire'`, ''],
  ],
  run: given => {
    const call = { ...given, options: { ...given.options, ...pathIn(given) } };
    checkAction(call.options);
    return withEngine(call, engine => act(call, engine), { session: 'filters' });
  },
});

/** Throws UsageError where it is given twice. */
function pathIn({ args: [path], options }: Call<Options>): Pick<Options, 'path'> {
  if (path !== undefined && options.path !== undefined)
    throw new UsageError('the path is given twice: leave --path out');
  return path === undefined ? {} : { path };
}

/** `40-44`, `40`; `40-39` is the gap before line 40. Throws UsageError. */
function parseLines(text: string): HunkLines {
  const parts = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text.trim());
  if (!parts) throw new UsageError(`--lines must be such as 40-44 or 40, not ${JSON.stringify(text)}`);
  const start_line = Number(parts[1]);
  const end_line = Number(parts[2] ?? parts[1]);
  if (end_line >= start_line - 1) return { start_line, end_line };
  throw new UsageError(`--lines ends before it begins: ${text}`);
}

/** Throws UsageError. */
function checkAction({ accept, reject, takeBack, path, turn, list, lines, ...options }: Options): void {
  const { comment } = options;
  const acts = { accept, reject, comment, 'take-back': takeBack, list };
  const given = Object.entries(acts).flatMap(([name, isGiven]) => (isGiven ? `--${name}` : []));
  if (given.length > 1) throw new UsageError(`${given.join(' and ')} are different things: give one of them`);
  if (reject && path === undefined) throw new UsageError('name what to reject: --path, and --lines of it');
  if (comment && path === undefined) throw new UsageError('name what it is about: --path, and --lines of it');
  if (comment && !options.reason) throw new UsageError("say something: -m 'why not a constant?'");
  if (turn !== undefined && (accept || reject || comment || takeBack))
    throw new UsageError('--turn chooses what is listed and asked about: leave it out here');
  if (lines && path === undefined) throw new UsageError('--lines are those of a file: give its --path too');
  if (accept && !options.all && (path ?? options.session ?? options.upTo) === undefined)
    throw new UsageError('name what to accept: --path, and --lines of it, --session, --up-to or --all');
}

function act(call: Call<Options>, engine: Engine): Promise<number> {
  const { accept, reject, comment, takeBack, path, lines, at, reason } = call.options;
  const { workspace, place } = engine;
  if (accept)
    return tell(call, async () => {
      const by = await reviewBy(call, 'accept');
      return workspace.accept({ ...acceptOf(call, engine), ...by });
    });
  if (reject) return rejectNamed(call, engine);
  if (comment)
    return tell(call, async () => {
      const said = { path: place.path(path!), lines, at, text: reason! };
      return workspace.comment({ ...said, ...(await reviewBy(call, 'comment')) });
    });
  if (takeBack) return tell(call, async () => workspace.unreview(await reviewBy(call, 'take back')));
  return list(call, engine);
}

async function tell(call: Call<Options>, work: () => Promise<Answer<unknown>>): Promise<number> {
  return answer(call, await attempt(work), ({ message }) => call.terminal.tell(message));
}

function acceptOf({ options }: Call<Options>, { place }: Engine): AcceptOptions {
  const { session, lines, at, upTo, path, alone } = options;
  const scope = place.scope(path);
  const all = options.all || (path !== undefined && scope === undefined);
  return { ...(all && { all }), path: scope, session, lines, at, upTo, alone };
}

async function rejectNamed(call: Call<Options>, { workspace, place }: Engine): Promise<number> {
  const { lines, at, reason, together, alone, dryRun, path } = call.options;
  const wish = { path: place.path(path!), lines, at, reason, together, alone, dryRun };
  const result = await attempt(async () =>
    workspace.reject({ ...wish, ...(await reviewBy(call, 'reject')) }),
  );
  return answer(call, result, async ({ data }) => {
    await call.terminal.print(await shownDiff(data.diff, call.terminal));
    const where = data.commit?.slice(0, 7) ?? 'dry run, nothing written';
    await call.terminal.tell(`[${where}] ${data.subject}`);
  });
}

async function list(call: Call<Options>, engine: Engine): Promise<number> {
  const { terminal, options } = call;
  const { workspace, place } = engine;
  const { session, turn, since } = options;
  const wish: ReviewOptions = { session, turn, since, path: place.scope(options.path) };
  const result = await attempt(() => workspace.review(wish));
  if (!result.ok || options.json) return answer(call, result);
  const { hunks, unclaimed } = result.data;
  if (!options.list && isPersonAsked(call) && (hunks.length > 0 || unclaimed)) {
    await pick(call, engine, result.data);
    if (hunks.length === 0) return EXIT.done;
    const left = (await workspace.review(wish)).data.hunks.length;
    await terminal.tell(left === 0 ? 'Nothing is left to review.' : `${left} left to review.`);
  } else if (hunks.length === 0) await terminal.tell(result.message);
  else {
    await printAll(call, hunks);
    if (unclaimed) await terminal.print(`\n${unclaimed.words} (m in vedit review: it is yours)\n`);
  }
  return EXIT.done;
}

/** Asks about each hunk, last about those that nobody claims. */
async function pick({ terminal, options }: Call<Options>, engine: Engine, data: ReviewData): Promise<void> {
  const path = engine.place.scope(options.path);
  const picking = new ReviewPicking(engine.workspace, { ...engine, terminal }, { ...data, path });
  await new Picker(terminal, picking, picking.hunks).run();
}

async function printAll({ terminal }: Call<Options>, hunks: readonly ReviewHunk[]): Promise<void> {
  await terminal.page();
  for (const [at, hunk] of hunks.entries())
    await terminal.print(at === 0 ? '' : '\n', hunkPieces(hunk, hunks.length, terminal.quotePath));
}
