/** The review in the picker: each answer is done at once, so that the next `vedit review` goes on from there. */

import { isEditError } from '../../../errors.ts';
import type { ReviewData, ReviewHunk, UnclaimedText } from '../../../review/listing.ts';
import type { AcceptOptions } from '../../../review/options.ts';
import { splitHunk } from '../../../review/split-hunk.ts';
import type { Workspace } from '../../../workspace/open.ts';
import type { Piece } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { headPieces } from '../views/review-view.ts';
import { askedDiff, hunkText } from '../views/shown-diff.ts';
import { type EditingPlace, editHunk, tellRefused } from './hunk-edit.ts';
import type { Picking } from './picker.ts';

export class ReviewPicking implements Picking<ReviewHunk> {
  readonly question = 'Accept this hunk';
  readonly isFinal = true;
  readonly help: Picking<ReviewHunk>['help'] = {
    y: 'accept this hunk',
    n: 'do not accept this hunk: it is asked about again in the next review',
    q: 'quit; do not accept this hunk or any of the remaining ones',
    a: 'accept this hunk and all later hunks in the file',
    d: 'do not accept this hunk or any of the later hunks in the file',
    e: 'manually edit the current hunk; what you leave is accepted',
    r: 'reject this hunk: you are asked why, and the agent is told',
    c: 'comment on this hunk: the agent is told, and nothing is accepted or rejected',
    m: 'all that nobody claims is yours: it counts as accepted, and blame names you',
    z: 'take back what you accepted or rejected last',
  };
  readonly #terminal: Terminal;
  readonly #workspace: Workspace;
  readonly #place: EditingPlace;
  /** All that is asked about: a file that was renamed once, where it is now; what nobody claims at the end. */
  readonly hunks: readonly ReviewHunk[];
  readonly #path: string | undefined;
  readonly #unclaimed: UnclaimedText | null;
  readonly #nobodys: Set<ReviewHunk>;

  /** `path`: the file or folder that is reviewed, where it is not all. */
  constructor(
    workspace: Workspace,
    place: EditingPlace,
    { hunks, unclaimed, path }: Pick<ReviewData, 'hunks' | 'unclaimed'> & { path: string | undefined },
  ) {
    this.#terminal = place.terminal;
    this.#workspace = workspace;
    this.#place = place;
    this.#path = path;
    this.#unclaimed = unclaimed;
    this.#nobodys = new Set(unclaimed?.hunks);
    this.hunks = [...withoutOldHalves(hunks), ...this.#nobodys];
  }

  async pieces(hunk: ReviewHunk, number: number, count: number): Promise<Piece[]> {
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

function withoutOldHalves(hunks: readonly ReviewHunk[]): ReviewHunk[] {
  const paths = new Set(hunks.map(({ path }) => path));
  return hunks.filter(({ kind, renamed }) => !(kind === 'delete' && renamed && paths.has(renamed.path)));
}

function nameOf({ commit: at, path, lines, version }: ReviewHunk): AcceptOptions & { path: string } {
  return { at, path, lines, version: version ?? undefined };
}
