import type { Answer } from '../../../engine/answer.ts';
import type { ReviewData, ReviewHunk } from '../../../review/listing.ts';
import type { AcceptOptions, HunkLines, ReviewOptions } from '../../../review/options.ts';
import type { ReviewUse } from '../../../table/review.ts';
import { UsageError } from '../../../table/usage.ts';
import { isPersonAsked, reviewBy } from '../agent-marker.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { Picker } from '../picker/picker.ts';
import { ReviewPicking } from '../picker/review-picking.ts';
import { answer, attempt } from '../run.ts';
import { hunkPieces } from '../views/review-view.ts';
import { shownDiff } from '../views/shown-diff.ts';

export function run(given: Call<ReviewUse>): Promise<number> {
  const call = { ...given, options: { ...given.options, ...pathIn(given) } };
  checkAction(call.options);
  return withEngine(call, engine => act(call, engine), { session: 'filters' });
}

/** Throws UsageError where it is given twice. */
function pathIn({ args: [path], options }: Call<ReviewUse>): Pick<ReviewUse, 'path'> {
  if (path !== undefined && options.path !== undefined)
    throw new UsageError('the path is given twice: leave --path out');
  return path === undefined ? {} : { path };
}

/** `40-44`, `40`; `40-39` is the gap before line 40. Throws UsageError. */
function linesIn(text: string | undefined): HunkLines | undefined {
  if (text === undefined) return undefined;
  const parts = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text.trim());
  if (!parts) throw new UsageError(`--lines must be such as 40-44 or 40, not ${JSON.stringify(text)}`);
  const start_line = Number(parts[1]);
  const end_line = Number(parts[2] ?? parts[1]);
  if (end_line >= start_line - 1) return { start_line, end_line };
  throw new UsageError(`--lines ends before it begins: ${text}`);
}

/** Throws UsageError. */
function checkAction({ accept, reject, takeBack, path, turn, list, lines, ...options }: ReviewUse): void {
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

function act(call: Call<ReviewUse>, engine: Engine): Promise<number> {
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
      const said = { path: place.path(path!), lines: linesIn(lines), at, text: reason! };
      return workspace.comment({ ...said, ...(await reviewBy(call, 'comment')) });
    });
  if (takeBack) return tell(call, async () => workspace.unreview(await reviewBy(call, 'take back')));
  return list(call, engine);
}

async function tell(call: Call<ReviewUse>, work: () => Promise<Answer<unknown>>): Promise<number> {
  return answer(call, await attempt(work), ({ message }) => call.terminal.tell(message));
}

function acceptOf({ options }: Call<ReviewUse>, { place }: Engine): AcceptOptions {
  const { session, lines, at, upTo, path, alone } = options;
  const scope = place.scope(path);
  const all = options.all || (path !== undefined && scope === undefined);
  return { ...(all && { all }), path: scope, session, lines: linesIn(lines), at, upTo, alone };
}

async function rejectNamed(call: Call<ReviewUse>, { workspace, place }: Engine): Promise<number> {
  const { lines, at, reason, together, alone, dryRun, path } = call.options;
  const wish = { path: place.path(path!), lines: linesIn(lines), at, reason, together, alone, dryRun };
  const result = await attempt(async () =>
    workspace.reject({ ...wish, ...(await reviewBy(call, 'reject')) }),
  );
  return answer(call, result, async ({ data }) => {
    await call.terminal.print(await shownDiff(data.diff, call.terminal));
    const where = data.commit?.slice(0, 7) ?? 'dry run, nothing written';
    await call.terminal.tell(`[${where}] ${data.subject}`);
  });
}

async function list(call: Call<ReviewUse>, engine: Engine): Promise<number> {
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
async function pick({ terminal, options }: Call<ReviewUse>, engine: Engine, data: ReviewData): Promise<void> {
  const path = engine.place.scope(options.path);
  const picking = new ReviewPicking(engine.workspace, { ...engine, terminal }, { ...data, path });
  await new Picker(terminal, picking, picking.hunks).run();
}

async function printAll({ terminal }: Call<ReviewUse>, hunks: readonly ReviewHunk[]): Promise<void> {
  await terminal.page();
  for (const [at, hunk] of hunks.entries())
    await terminal.print(at === 0 ? '' : '\n', hunkPieces(hunk, hunks.length, terminal.quotePath));
}
