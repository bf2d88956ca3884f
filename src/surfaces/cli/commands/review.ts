import type { Answer } from '../../../engine/answer.ts';
import type { HunkLines } from '../../../engine/rejections/comments.ts';
import type { ReviewData, ReviewHunk } from '../../../review/listing.ts';
import type { ReviewOptions } from '../../../review/options.ts';
import type { AcceptUse, CommentUse, RejectUse, ReviewUse } from '../../../table/review.ts';
import { UsageError } from '../../../table/usage.ts';
import { isPersonAsked, reviewBy } from '../agent-marker.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { parseFileRange } from '../input/names.ts';
import { Picker } from '../picker/picker.ts';
import { ReviewPicking } from '../picker/review-picking.ts';
import { answer, attempt } from '../run.ts';
import { hunkPieces } from '../views/review-view.ts';
import { diffShower, shownDiff } from '../views/shown-diff.ts';

export function run(call: Call<ReviewUse>): Promise<number> {
  const { takeBack, list: lists, turn } = call.options;
  if (takeBack && lists)
    throw new UsageError('--take-back and --list are different things: give one of them');
  if (takeBack && turn !== undefined)
    throw new UsageError('--turn chooses what is listed and asked about: leave it out here');
  if (!takeBack) return withEngine(call, engine => list(call, engine), { session: 'filters' });
  return said(call, async ({ workspace }) => workspace.unreview(await reviewBy(call, 'take back')));
}

export function accept(call: Call<AcceptUse>): Promise<number> {
  const { session, at, upTo, alone, all } = call.options;
  if (!all && (call.args[0] ?? session ?? upTo) === undefined)
    throw new UsageError(
      'name what to accept: a file, or lines of it as a.ts:40-44, --session, --up-to or --all',
    );
  return said(call, async ({ workspace, place }) => {
    const { path: given, lines } = named(call);
    const path = place.scope(given);
    const isAll = all || (given !== undefined && path === undefined);
    const by = await reviewBy(call, 'accept');
    return workspace.accept({ ...(isAll && { all: true }), path, session, lines, at, upTo, alone, ...by });
  });
}

export function reject(call: Call<RejectUse>): Promise<number> {
  const { at, reason, together, alone, dryRun } = call.options;
  const { path, lines } = named(call);
  const work = async (engine: Engine): Promise<number> => {
    const wish = { path: engine.place.path(path!), lines, at, reason, together, alone, dryRun };
    const result = await attempt(async () =>
      engine.workspace.reject({ ...wish, ...(await reviewBy(call, 'reject')) }),
    );
    return answer(call, result, async ({ data }) => {
      await call.terminal.print(await shownDiff(data.diff, call.terminal));
      const where = data.commit?.slice(0, 7) ?? 'dry run, nothing written';
      await call.terminal.tell(`[${where}] ${data.subject}`);
    });
  };
  return withEngine(call, work, { session: 'filters' });
}

export function comment(call: Call<CommentUse>): Promise<number> {
  const { path, lines } = named(call);
  return said(call, async ({ workspace, place }) => {
    const what = { path: place.path(path!), lines, at: call.options.at, text: call.args[1]! };
    return workspace.comment({ ...what, ...(await reviewBy(call, 'comment')) });
  });
}

/** Does it, and tells what was done. */
function said(call: Call, work: (engine: Engine) => Promise<Answer<unknown>>): Promise<number> {
  return withEngine(
    call,
    async engine =>
      answer(call, await attempt(() => work(engine)), ({ message }) => call.terminal.tell(message)),
    { session: 'filters' },
  );
}

/** Parts `file:40-44`; `file:40-39` is the gap before line 40. Throws UsageError. */
function named({ args: [given], folder }: Call): { path?: string; lines?: HunkLines } {
  if (given === undefined) return {};
  const { path, range } = parseFileRange(given, folder);
  if (!range) return { path };
  const lines: HunkLines = { start_line: range[0], end_line: range[1] };
  if (lines.end_line >= lines.start_line - 1) return { path, lines };
  throw new UsageError(`the lines must be such as ${path}:40-44, not ${JSON.stringify(given)}`);
}

async function list(call: Call<ReviewUse>, engine: Engine): Promise<number> {
  const { terminal, options } = call;
  const { workspace, place } = engine;
  const { session, turn, since } = options;
  const wish: ReviewOptions = { session, turn, since, path: place.scope(call.args[0]) };
  // At once: while much is compared, no timer would come to it.
  await terminal.progress('Looking for what is not accepted yet ...');
  const result = await attempt(() => workspace.review(wish));
  await terminal.progress('');
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
async function pick(
  { terminal, args: [path] }: Call<ReviewUse>,
  engine: Engine,
  data: ReviewData,
): Promise<void> {
  const picking = new ReviewPicking(
    engine.workspace,
    { ...engine, terminal },
    {
      ...data,
      path: engine.place.scope(path),
    },
  );
  await new Picker(terminal, picking, picking.hunks).run();
}

async function printAll({ terminal }: Call, hunks: readonly ReviewHunk[]): Promise<void> {
  await terminal.page();
  const show = await diffShower(terminal);
  for (const [at, hunk] of hunks.entries())
    await terminal.print(at === 0 ? '' : '\n', hunkPieces(hunk, hunks.length, terminal, show));
}
