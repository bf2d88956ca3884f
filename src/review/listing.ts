/** The review as people read it: each hunk with its lasting name, both texts, and the edits behind it. */

import type { Answer } from '../engine/answer.ts';
import { type Context, givenPath, toTrail } from '../engine/context.ts';
import { editorName } from '../engine/editor-name.ts';
import { changesAt, type HunkLines, plain, plainLines } from '../engine/rejections/compare.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { findTurn } from '../engine/trails/turns.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { counted, cutLine } from '../text/words.ts';
import { PEERS_PREFIX, type PeerTrail, parsePeerRef, parsePublished } from '../trail/peer-names.ts';
import { readEntry, type TrailEntry } from '../trail/walk.ts';
import { pathName } from '../wording.ts';
import { openReview, type Review, withAccepted } from './accepted/accepted-text.ts';
import { isReviewOf, REVIEW_PREFIX } from './accepted/review-ref.ts';
import { cutFile } from './hunks/find-hunks.ts';
import { checkReviewable } from './hunks/nothing-left.ts';
import { placeWords } from './hunks/place-words.ts';
import { isWholeFile, type Renamed, renamedFiles } from './hunks/renames.ts';
import type { HunkKind, UnreviewedFile, UnreviewedHunk } from './hunks/unreviewed.ts';
import type { ReviewOptions } from './options.ts';
import { editsOf, type ReviewEdit } from './review-edit.ts';
import { type FoldedText, foldedText } from './unclaimed.ts';
import { OpenFiles, unreviewedFiles } from './unreviewed-files.ts';

export interface ReviewData {
  /** The ref that holds the edits. */
  trail: string;
  /** The trail's newest commit; `null` where nothing was edited. */
  commit: string | null;
  /** The person whose review it is. */
  reviewer: string;
  reviewers: string[];
  hunks: ReviewHunk[];
  /** Text that came from outside while an agent was at work, and nobody claims; `null`: none. */
  unclaimed: UnclaimedText | null;
}
/** Text that nobody claims; its hunks have numbers of their own. */
export interface UnclaimedText extends FoldedText {
  hunks: ReviewHunk[];
}

/** A place that is not accepted as it is now. `commit`, `path` and `lines` are its lasting name. */
export interface ReviewHunk {
  /** For display, from 1; and the newest commit when this was listed. */
  number: number;
  commit: string;
  path: string;
  /** The lines of the present file; `end_line` below `start_line`: lines before `start_line` were taken out. */
  lines: HunkLines;
  /** The version of the present file, as it would be recorded; `null` where it is gone. */
  version: string | null;
  /** All kinds but `lines` are the whole file. */
  kind: HunkKind;
  before: HunkText;
  after: HunkText;
  /** Up to 3 common lines on each side. */
  context: { above: string[]; below: string[] };
  /** The edits whose lines it holds, and those that took the old ones out; the newest first. */
  edits: ReviewEdit[];
  /** True when a person's text is in it: a rejection leaves that. */
  mixed: boolean;
  /** Other reviewers who accepted the hunk. */
  accepted_by: string[];
  /** The file that one which came or went was or is now. What is accepted or rejected of one is of both. */
  renamed?: Renamed;
}

export interface HunkText {
  /** The number of its first line, from 1. */
  line: number;
  /** Without their ends. */
  lines: string[];
}

/** Throws INVALID_INPUT for a session or turn that there is not, FILE_NOT_FOUND for a path that there is not. */
export async function listReview(context: Context, options: ReviewOptions): Promise<Answer<ReviewData>> {
  const { path, lines, reviewer } = options;
  const review = await openReview(context, reviewer);
  const folder = path === undefined ? '' : toTrail(context, givenPath(context, path, { folder: true }));
  const isAskedFor = await editFilter(context, options);
  const below = folder.replace(/\/$/, '');
  const open = await OpenFiles.open(review, below);
  const files = await Promise.all((await open.unreviewed()).map(file => cutFile(open.maker, file, lines)));
  if (below !== '' && files.length === 0) await checkReviewable(review, below);
  const others = await otherReviews(review);
  const renames = await renamesAmong(review, files, below);
  const hunks: ReviewHunk[] = [];
  const nobodys: ReviewHunk[] = [];
  const entries = new Set<TrailEntry>();
  const acceptances = await Promise.all(others.map(other => acceptanceOf(other, files)));
  for (const file of files) {
    for (const hunk of file.hunks) {
      const edits = editsOf(hunk);
      if (!isAskedFor(edits)) continue;
      const group = hunk.unclaimed ? nobodys : hunks;
      const renamed = hunk.unclaimed ? undefined : renames.get(file.name);
      group.push({
        number: group.length + 1,
        commit: review.snapshot.shown.parent!,
        path: file.name,
        lines: hunk.lines,
        version: file.present.file?.version ?? null,
        kind: hunk.kind,
        ...textsOf(file, hunk),
        edits,
        mixed: hunk.mixed,
        accepted_by: acceptances.filter(one => one.isAccepted(file, hunk)).map(one => one.name),
        ...(renamed ? { renamed } : {}),
      });
      if (hunk.unclaimed) for (const entry of hunk.nobodys) entries.add(entry);
    }
  }
  const data: ReviewData = {
    trail: review.snapshot.trail.ref,
    commit: review.snapshot.shown.parent,
    reviewer: review.reviewer.name,
    reviewers: others.map(one => one.reviewer.name),
    hunks,
    unclaimed: nobodys.length === 0 ? null : { hunks: nobodys, ...foldedText(nobodys, entries) },
  };
  return { message: reviewWords(data), data };
}

/** Returns a test of whether a hunk is asked for, by the edits behind it. Throws INVALID_INPUT. */
async function editFilter(
  context: Context,
  { session, turn, since }: ReviewOptions,
): Promise<(edits: readonly ReviewEdit[]) => boolean> {
  const own = session === undefined ? undefined : await findSession(context, session);
  const asked = turn === undefined ? undefined : await findTurn(context, turn, own);
  return edits =>
    (own === undefined || edits.some(edit => edit.session === own)) &&
    (asked === undefined || edits.some(edit => edit.turn === asked)) &&
    (!since || edits.some(({ time }) => time === '' || new Date(time) >= since));
}

/** Finds the files that were renamed; the other half of one may be a file that is not listed. */
async function renamesAmong(
  review: Review,
  files: readonly UnreviewedFile[],
  below: string,
): Promise<Map<string, Renamed>> {
  const isAll = below === '' || !files.some(({ hunks }) => hunks.some(isWholeFile));
  return renamedFiles(isAll ? files : await unreviewedFiles(review));
}

/** Another reviewer, and which hunks they accepted. */
interface Acceptance {
  name: string;
  isAccepted(file: UnreviewedFile, hunk: UnreviewedHunk): boolean;
}

async function acceptanceOf(review: Review, files: readonly UnreviewedFile[]): Promise<Acceptance> {
  const open = await OpenFiles.at(
    review,
    files.map(({ path }) => path),
  );
  const left = new Map((await open.unreviewed()).map(file => [file.path, file]));
  const isAccepted = ({ path }: UnreviewedFile, { change, lines }: UnreviewedHunk): boolean => {
    const theirs = left.get(path);
    if (!theirs) return true;
    return change !== null && !!theirs.compared && changesAt(theirs.compared.changes, lines).length === 0;
  };
  return { name: review.reviewer.name, isAccepted };
}

/** The most common lines that are shown on each side. */
const CONTEXT = 3;

function textsOf(
  { compared, accepted }: UnreviewedFile,
  { change }: UnreviewedHunk,
): Pick<ReviewHunk, 'before' | 'after' | 'context'> {
  const none = { line: 1, lines: [] };
  if (!compared || !change) {
    const lines = accepted.file && accepted.text !== null ? plainLines(accepted.text) : [];
    return { before: { line: 1, lines }, after: none, context: { above: [], below: [] } };
  }
  const { old, now } = compared;
  const { oldStart, oldEnd, newStart, newEnd } = change;
  return {
    before: { line: oldStart + 1, lines: plain(old.slice(oldStart, oldEnd)) },
    after: { line: newStart + 1, lines: plain(now.slice(newStart, newEnd)) },
    context: {
      above: plain(now.slice(Math.max(0, newStart - CONTEXT), newStart)),
      below: plain(now.slice(newEnd, newEnd + CONTEXT)),
    },
  };
}

/** The most hunks named in the message, and the most characters of a reason. */
const NAMED = 200;
const REASON = 200;

function reviewWords({ hunks, unclaimed, reviewer }: ReviewData): string {
  const folded = unclaimed
    ? [`${unclaimed.words}: nobody's, until somebody claims it (m in vedit review).`]
    : [];
  if (hunks.length === 0) return [`Nothing is left to review for ${reviewer}.`, ...folded].join('\n');
  const lines = hunks.slice(0, NAMED).map(hunk => {
    const { number, path, before, after, edits } = hunk;
    const who = [...new Set(edits.filter(one => !one.person).map(editorName))].join(', ');
    const why = edits.find(one => one.reason !== '')?.reason;
    const size = `+${after.lines.length} -${before.lines.length}`;
    const reason = why ? `: ${cutLine(why.split('\n')[0]!, REASON)}` : '';
    return `${number}. ${pathName(path)} ${placeWords(hunk, pathName)} (${size}) ${who || 'an agent'}${reason}`;
  });
  const more = hunks.length > NAMED ? [`[and ${hunks.length - NAMED} more]`] : [];
  const head = `${counted(hunks.length, 'hunk')} to review for ${reviewer}:`;
  return [head, ...lines, ...more, ...folded].join('\n');
}

/** Opens the reviews of everybody else on the same trail; of another clone's trail, those that it published. */
async function otherReviews({ snapshot, ref }: Review): Promise<Review[]> {
  const { context, trail } = snapshot;
  const peer = trail.mirror ? parsePeerRef(trail.ref) : null;
  const isAsked = (name: string): boolean =>
    peer ? isPublished(peer, name) : name !== ref && isReviewOf(trail.ref, name);
  const found: Review[] = [];
  for (const { name, oid } of await listRefs(context.repo, peer ? PEERS_PREFIX : REVIEW_PREFIX)) {
    if (!isAsked(name)) continue;
    const { author, meta } = await readEntry(context.objects, oid);
    // Whoever may push to a clone may say that somebody accepted something.
    const note = peer ? ` (says ${peer.clone})` : meta?.agent === undefined ? '' : ' (an agent)';
    found.push(await withAccepted(snapshot, { ...author, name: `${author.name}${note}` }, name, oid));
  }
  return found;
}

/** True for the ref of a review that the clone published of its branch. */
function isPublished({ clone, branch }: PeerTrail, ref: string): boolean {
  const found = parsePublished(ref);
  return found?.reviewer !== undefined && found.clone === clone && found.branch === branch;
}
