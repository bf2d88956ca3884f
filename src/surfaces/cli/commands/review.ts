import type { Answer } from '../../../engine/answer.ts';
import type { HunkLines } from '../../../engine/rejections/comments.ts';
import { isEditError } from '../../../errors.ts';
import type { ReviewData, ReviewHunk, UnclaimedText } from '../../../review/listing.ts';
import type { AcceptOptions, ReviewOptions } from '../../../review/options.ts';
import { splitHunk, withoutOldHalves } from '../../../review/split-hunk.ts';
import type { AcceptUse, CommentUse, RejectUse, ReviewUse } from '../../../table/reviewing.ts';
import { UsageError } from '../../../table/use.ts';
import type { Workspace } from '../../../workspace/open.ts';
import { isPersonAsked, reviewBy } from '../agent-marker.ts';
import { type Attempt, answer, attempt } from '../answer.ts';
import type { Call } from '../command.ts';
import { type Engine, withEngine } from '../engine.ts';
import { EXIT } from '../exit-codes.ts';
import { parseFileRange } from '../input/names.ts';
import { type EditingPlace, editHunk, tellRefused } from '../picker/hunk-edit.ts';
import { Picker, type Picking } from '../picker/picker.ts';
import type { Piece } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { headPieces, hunkPieces } from '../views/review-view.ts';
import { askedDiff, diffShower, hunkText, shownDiff } from '../views/shown-diff.ts';

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

/** Edits that are read before the first question; the rest is while a person reads that. */
const FIRST = 500;

async function list(call: Call<ReviewUse>, engine: Engine): Promise<number> {
  const { terminal, options } = call;
  const { workspace, place } = engine;
  const { session, turn, since } = options;
  const wish: ReviewOptions = { session, turn, since, path: place.scope(call.args[0]) };
  const isAsked = !options.list && !options.json && isPersonAsked(call);
  const look = (first?: number): Promise<Attempt<ReviewData>> =>
    attempt(() => workspace.review({ ...wish, first }));
  // At once: while much is compared, no timer would come to it.
  await terminal.progress('Looking for what is not accepted yet ...');
  let result = await look(isAsked ? FIRST : undefined);
  if (result.ok && result.data.more && result.data.hunks.length === 0) result = await look();
  await terminal.progress('');
  if (!result.ok || options.json) return answer(call, result);
  const { hunks, unclaimed } = result.data;
  if (isAsked && (hunks.length > 0 || unclaimed)) {
    await pick(call, engine, result.data, wish);
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

/** Asks about each hunk, last about those that nobody claims. Where there are `more`, those are looked for meanwhile. */
async function pick(
  { terminal }: Call<ReviewUse>,
  engine: Engine,
  data: ReviewData,
  wish: ReviewOptions,
): Promise<void> {
  const picking = new ReviewPicking(engine.workspace, { ...engine, terminal }, wish.path);
  const rest = async (): Promise<ReviewHunk[]> => picking.take((await engine.workspace.review(wish)).data);
  await new Picker(terminal, picking, picking.take(data), data.more ? rest : null).run();
}

async function printAll({ terminal }: Call, hunks: readonly ReviewHunk[]): Promise<void> {
  await terminal.page();
  const show = await diffShower(terminal);
  for (const [at, hunk] of hunks.entries())
    await terminal.print(at === 0 ? '' : '\n', hunkPieces(hunk, hunks.length, terminal, show));
}

export class ReviewPicking implements Picking<ReviewHunk> {
  readonly verb = 'accept';
  readonly isFinal = true;
  readonly help: Picking<ReviewHunk>['help'] = {
    n: 'it is asked about again in the next review',
    e: 'manually edit the current hunk; what you leave is accepted',
    r: 'reject this hunk: you are asked why, and the agent is told',
    c: 'comment on this hunk: the agent is told, and nothing is accepted or rejected',
    m: 'all that nobody claims is yours: it counts as accepted, and blame names you',
    z: 'take back what you accepted or rejected last',
  };
  readonly #terminal: Terminal;
  readonly #workspace: Workspace;
  readonly #place: EditingPlace;
  readonly #path: string | undefined;
  /** The files that are asked about. */
  readonly #paths = new Set<string>();
  #unclaimed: UnclaimedText | null = null;
  #nobodys: Set<ReviewHunk> = new Set();

  /** `path`: the file or folder that is reviewed, where it is not all. */
  constructor(workspace: Workspace, place: EditingPlace, path: string | undefined) {
    this.#terminal = place.terminal;
    this.#workspace = workspace;
    this.#place = place;
    this.#path = path;
  }

  /**
   * The hunks of files that were not asked about yet: a file that was renamed once, where it is now; what nobody claims at
   * the end, where there are no more.
   */
  take({ hunks, unclaimed, more }: Pick<ReviewData, 'hunks' | 'unclaimed' | 'more'>): ReviewHunk[] {
    const fresh = withoutOldHalves(hunks, more).filter(({ path }) => !this.#paths.has(path));
    for (const { path } of fresh) this.#paths.add(path);
    if (more) return fresh;
    this.#unclaimed = unclaimed;
    this.#nobodys = new Set(unclaimed?.hunks);
    return [...fresh, ...this.#nobodys];
  }

  async pieces(hunk: ReviewHunk, number: number, count: string): Promise<Piece[]> {
    const isFirst = this.#unclaimed?.hunks[0] === hunk;
    return [
      ...(isFirst ? [`${this.#unclaimed!.words}; nobody claims it:\n`] : []),
      ...headPieces({ ...hunk, number }, count, this.#terminal),
      ...(await askedDiff(hunk, hunkText(hunk), this.#terminal)),
    ];
  }

  accept(hunk: ReviewHunk): Promise<boolean> {
    return this.#done(() => this.#workspace.accept(nameOf(hunk)));
  }

  async reject(hunk: ReviewHunk): Promise<boolean> {
    const reason = await this.#terminal.askOn('Why (told to the agent; empty: no reason)? ');
    if (reason === null) return false;
    const rejected = async (together: boolean): Promise<{ message: string }> => {
      const wish = { ...nameOf(hunk), reason: reason || undefined, together };
      const { commit, subject } = (await this.#workspace.reject(wish)).data;
      return { message: `[${commit!.slice(0, 7)}] ${subject}` };
    };
    let isHeld = false;
    const isDone = await this.#done(() =>
      rejected(false).catch(error => {
        isHeld = isEditError(error, 'CONFLICT');
        throw error;
      }),
    );
    if (!isHeld) return isDone;
    if ((await this.#terminal.askKey('Reject all of it together [y,N]? ')) !== 'y') return false;
    return this.#done(() => rejected(true));
  }

  /** The comment stands on the hunk, which is asked about again. */
  async comment(hunk: ReviewHunk): Promise<void> {
    const text = await this.#terminal.askOn('Comment (told to the agent)? ');
    if (text === null || text.trim() === '') return;
    const { path, at, lines, version } = nameOf(hunk);
    const isDone = await this.#done(() => this.#workspace.comment({ path, at, lines, version, text }), false);
    if (!isDone) return;
    const { hunks } = (await this.#workspace.review({ path, lines })).data;
    const own = hunks.find(one => one.lines.start_line === hunk.lines.start_line);
    if (own) hunk.comments = own.comments;
  }

  canClaim(hunk: ReviewHunk): boolean {
    return this.#nobodys.has(hunk);
  }

  claim(): Promise<boolean> {
    return this.#done(() => this.#workspace.accept({ unclaimed: true, path: this.#path }));
  }

  undoLast(): Promise<boolean> {
    return this.#done(() => this.#workspace.unreview(), false);
  }

  canSplit(hunk: ReviewHunk): boolean {
    return splitHunk(hunk).length > 1;
  }

  /** Each part with the edits of its own lines; of a file that was changed since, with those of all. */
  async split(hunk: ReviewHunk): Promise<ReviewHunk[]> {
    const parts = splitHunk(hunk);
    if (this.#nobodys.has(hunk)) {
      for (const part of parts) this.#nobodys.add(part);
      return parts;
    }
    const found: ReviewHunk[] = [];
    for (const part of parts) {
      const { path, lines, version } = part;
      const { hunks } = (await this.#workspace.review({ path, lines })).data;
      const own = hunks.find(one => one.lines.start_line === lines.start_line && one.version === version);
      if (own || hunks.length > 0)
        found.push(own ? { ...part, edits: own.edits, comments: own.comments, mixed: own.mixed } : part);
    }
    return found.length > 0 ? found : parts;
  }

  canEdit({ kind, version, after, context }: ReviewHunk): boolean {
    const { length } = [...context.above, ...after.lines, ...context.below];
    return version !== null && length > 0 && (kind === 'lines' || kind === 'create');
  }

  async edit(hunk: ReviewHunk): Promise<ReviewHunk[] | null> {
    const { path, lines, version, context, after } = hunk;
    const edited: ReviewHunk[] = [];
    const above = context.above.length;
    const isDone = await this.#done(async () => {
      const made = await editHunk(this.#place, hunk, { version, line: lines.start_line - above });
      if (!made) return null;
      const { replaced, line } = made;
      const start_line = line + Math.min(above, replaced.start);
      const grown = replaced.lines.length - (replaced.end - replaced.start);
      const end_line = line - 1 + grown + Math.max(above + after.lines.length, replaced.end);
      edited.push({ ...hunk, after: { ...after, lines: replaced.lines } });
      return this.#workspace.accept({ path, lines: { start_line, end_line } });
    });
    return isDone && edited.length > 0 ? edited : null;
  }

  /** False when it could not be done. What is not to be done any more counts as done where `isNothingDone` says so. */
  async #done(call: () => Promise<{ message: string } | null>, isNothingDone = true): Promise<boolean> {
    try {
      const done = await call();
      if (done) await this.#terminal.tell(done.message.split('\n')[0]!);
      return true;
    } catch (error) {
      await tellRefused(this.#terminal, error);
      return isNothingDone && isEditError(error, 'NO_CHANGE');
    }
  }
}

function nameOf({ commit: at, path, lines, version }: ReviewHunk): AcceptOptions & { path: string } {
  return { at, path, lines, version: version ?? undefined };
}
