/** The review as people read it: each hunk with its lasting name, both texts, and the edits behind it. */

import { isReadable } from '../engine/admission/policy/readable.ts';
import type { Answer } from '../engine/answer.ts';
import { type Context, toTrail } from '../engine/context.ts';
import { editorName } from '../engine/editor-name.ts';
import { logEntry } from '../engine/log-entry.ts';
import { type Comment, readComments } from '../engine/rejections/comments.ts';
import { type Author, isPersons } from '../engine/rejections/people.ts';
import { findSession } from '../engine/trails/sessions.ts';
import { findTurn } from '../engine/trails/turns.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { isBelow } from '../history/changed-paths.ts';
import { bytesOfRows } from '../history/file-rows.ts';
import { PEERS_PREFIX, parsePeerRef, parsePublished } from '../history/peer-names.ts';
import { readEntry, walkRows } from '../history/walk.ts';
import { textOf } from '../line/row.ts';
import type { HunkLines } from '../line/text-lines.ts';
import { counted, cutLine, listed } from '../text/words.ts';
import { pathName } from '../wording.ts';
import { commentsAt } from './comment.ts';
import { checkReviewable, hunksAt, hunksNamed } from './find-hunks.ts';
import { type HunkKind, heldNow, OpenFiles, type UnreviewedFile, type UnreviewedHunk } from './open-files.ts';
import type { ReviewOptions } from './options.ts';
import { placeWords } from './place-words.ts';
import { linesIn, type Renamed, renamedFiles } from './renames.ts';
import { openPaths, openReview, type Review, withAccepted } from './review.ts';
import { isOfComments, isReviewOf, REVIEW_PREFIX } from './review-ref.ts';
import { textIn } from './reviewed-file.ts';

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
  /** True where the first files were asked for, and there are others. */
  more?: true;
}

/** Text that nobody claims; its hunks have numbers of their own. */
export interface UnclaimedText {
  hunks: ReviewHunk[];
  /** The number of files that the places are in. */
  files: number;
  /** The agents that were at work. */
  agents: string[];
  /** In one line, such as `3 places in 2 files, while codex ran`. */
  words: string;
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
  /** The comments on it, with what agents replied, the oldest first. */
  comments: Comment[];
  /** The file that one which came or went was or is now. What is accepted or rejected of one is of both. */
  renamed?: Renamed;
  /** Where they were asked for, the bytes of a file that is no text and may be shown; `null`: there is no file. */
  bytes?: { before: Uint8Array | null; after: Uint8Array | null };
}

export interface ReviewEdit {
  /** The commit that made the edit; `null` for text that is in the files and not recorded yet. */
  commit: string | null;
  subject: string;
  /** The reason given with the edit; '' for none. */
  reason: string;
  session: string | null;
  agent: string | null;
  model: string | null;
  /** The id of what the agent did for one prompt. */
  turn: string | null;
  author: string;
  /** ISO 8601, UTC; '' for what is not recorded. */
  time: string;
  /** True for a person's own text. */
  person: boolean;
}

export interface HunkText {
  /** The number of its first line, from 1. */
  line: number;
  /** Without their ends. */
  lines: string[];
}

/** A hunk that may be asked for, with what is told of it. */
interface Asked extends Pick<ReviewHunk, 'edits' | 'comments'> {
  file: UnreviewedFile;
  hunk: UnreviewedHunk;
}

/** Throws INVALID_INPUT for a session or turn that there is not, FILE_NOT_FOUND for a path that there is not. */
export async function listReview(context: Context, options: ReviewOptions): Promise<Answer<ReviewData>> {
  const { path, lines, reviewer, first } = options;
  const review = await openReview(context, reviewer);
  const folder = path === undefined ? '' : toTrail(context, await review.snapshot.named(path));
  const isAskedFor = await editFilter(context, options);
  const below = folder.replace(/\/$/, '');
  const paths = await openPaths(review, below);
  const read = first === undefined ? paths : await firstOf(review, paths, first);
  const open = await OpenFiles.open(review, read);
  const files: UnreviewedFile[] = [];
  const halves = await open.unreviewed();
  for (const file of halves.filter(({ path: at }) => isBelow(at, below || undefined)))
    files.push({ ...file, hunks: await hunksAt(open, file, lines) });
  if (below !== '' && files.length === 0) await checkReviewable(review, below);
  const renames = renamedFiles(halves);
  const others = await otherReviews(review, files);
  const comments = await readComments(context, review.snapshot.trail.ref);
  await open.readAuthors(files);
  const all: Asked[] = [];
  for (const file of files) {
    const said = commentsAt(open.line, file, file.hunks, comments);
    for (const hunk of file.hunks) {
      const edits = editsOf(await open.authorsIn(file.path, [hunk]));
      all.push({ file, hunk, edits, comments: said.get(hunk) ?? [] });
    }
  }
  const shown = new Map<UnreviewedFile, ReviewHunk['bytes']>();
  for (const file of options.bytes ? files : [])
    if (!file.places && (await isReadable(context, await review.snapshot.layers(), file.name)))
      shown.set(file, await bytesOf(review, file));
  const asked = all.filter(({ edits }) => isAskedFor(edits));
  const told = (some: readonly Asked[]): ReviewHunk[] =>
    some.map(({ file, hunk, edits, comments: said }, at) => {
      const renamed = hunk.unclaimed ? undefined : renames.get(file.name);
      return {
        number: at + 1,
        commit: review.snapshot.shown.parent!,
        path: file.name,
        lines: hunk.lines,
        version: file.version,
        kind: hunk.kind,
        ...textsOf(file, hunk),
        edits,
        mixed: hunk.mixed,
        accepted_by: others.filter(one => one.hasAccepted(file, hunk)).map(one => one.name),
        comments: said,
        ...(renamed ? { renamed } : {}),
        ...(shown.has(file) ? { bytes: shown.get(file)! } : {}),
      };
    });
  const nobodys = asked.filter(({ hunk }) => hunk.unclaimed);
  const data: ReviewData = {
    trail: review.snapshot.trail.ref,
    commit: review.snapshot.shown.parent,
    reviewer: review.reviewer.name,
    reviewers: others.map(one => one.name),
    hunks: told(asked.filter(({ hunk }) => !hunk.unclaimed)),
    unclaimed: nobodys.length === 0 ? null : unclaimedText(told(nobodys), nobodys),
    ...(read.length < paths.length ? { more: true } : {}),
  };
  return { message: reviewWords(data), data };
}

/** The first of the files, in the order of a review, that have this many edits together. */
async function firstOf({ snapshot }: Review, paths: readonly string[], edits: number): Promise<string[]> {
  const { context, trail } = snapshot;
  const counts = new Map(paths.toSorted().map(path => [path, 0]));
  for await (const rows of walkRows(context.objects, trail.tip, { ownOnly: !trail.checkedOut }))
    for (const path of rows.flatMap(row => row.paths))
      if (counts.has(path)) counts.set(path, counts.get(path)! + 1);
  let count = 0;
  return [...counts.keys()].filter(path => (count += counts.get(path)!) - counts.get(path)! < edits);
}

async function bytesOf(
  { snapshot }: Review,
  { path, accepted, present }: UnreviewedFile,
): Promise<NonNullable<ReviewHunk['bytes']>> {
  const after = present && (await heldNow(snapshot, path))?.content;
  if (!accepted || !('oid' in accepted))
    return { before: accepted && (await bytesOfRows(accepted)), after: after ?? null };
  return { before: await snapshot.context.objects.file(accepted.path, accepted.oid), after: after ?? null };
}

/** Text that nobody claims, in one line: it is taken with one answer. */
function unclaimedText(hunks: ReviewHunk[], nobodys: ReadonlyArray<{ hunk: UnreviewedHunk }>): UnclaimedText {
  const during = nobodys.flatMap(({ hunk }) => hunk.nobodys.flatMap(({ meta }) => meta?.during ?? []));
  const agents = [...new Set(during.map(one => one.split(' ')[0]!))].sort();
  const files = new Set(hunks.map(({ path }) => path)).size;
  const when = agents.length > 0 ? `while ${listed(agents)} ran` : 'changed by nobody knows whom';
  const words = `${counted(hunks.length, 'place')} in ${counted(files, 'file')}, ${when}`;
  return { hunks, files, agents, words };
}

/** The edits of the authors behind a hunk, the newest first. */
export function editsOf(authors: readonly Author[]): ReviewEdit[] {
  const recorded = authors.filter(one => one !== null).sort((a, b) => b.time - a.time);
  return [...(authors.includes(null) ? [NOT_RECORDED] : []), ...recorded.map(editOf)];
}

const NOT_RECORDED: ReviewEdit = {
  commit: null,
  subject: 'changed, not through vedit, and not recorded yet',
  reason: '',
  session: null,
  agent: null,
  model: null,
  turn: null,
  author: 'outside',
  time: '',
  person: true,
};

function editOf(entry: NonNullable<Author>): ReviewEdit {
  const { commit, subject, reason, session, agent, model, turn, author, time } = logEntry(entry);
  const about = { subject, reason, session, agent, model, turn, author };
  return { commit: commit || null, ...about, time: commit && time, person: isPersons(entry) };
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

/** The most common lines that are shown on each side. */
const CONTEXT = 3;

function textsOf(
  file: UnreviewedFile,
  { rows }: UnreviewedHunk,
): Pick<ReviewHunk, 'before' | 'after' | 'context'> {
  if (!file.places) {
    const before = linesIn(textIn(file.accepted) ?? '');
    const after = { line: 1, lines: [] };
    return { before: { line: 1, lines: before }, after, context: { above: [], below: [] } };
  }
  const present = (some: readonly string[]): string[] => some.map(plain);
  const [old, now] = [file.old.linesOf(rows), file.now.linesOf(rows)];
  const { above, below } = file.now.beside(rows, CONTEXT);
  return {
    before: { line: old.start_line, lines: file.old.among(rows).map(row => plain(row.accepted!)) },
    after: { line: now.start_line, lines: file.now.among(rows).map(row => plain(textOf(row)!)) },
    context: { above: present(above), below: present(below) },
  };
}

const plain = (line: string): string => line.replace(/\r$/, '');

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

/** Another reviewer of the same files. */
interface OtherReviewer {
  name: string;
  hasAccepted(file: UnreviewedFile, hunk: UnreviewedHunk): boolean;
}

/** Reads the reviews of everybody else on the same trail; of another clone's trail, those that it published. */
async function otherReviews(
  { snapshot, ref }: Review,
  files: readonly UnreviewedFile[],
): Promise<OtherReviewer[]> {
  const { context, trail } = snapshot;
  const peer = trail.mirror ? parsePeerRef(trail.ref) : null;
  const found: OtherReviewer[] = [];
  for (const { name, oid } of await listRefs(context.repo, peer ? PEERS_PREFIX : REVIEW_PREFIX)) {
    const of = peer && parsePublished(name);
    const isPublished = of?.reviewer !== undefined && of.clone === peer?.clone && of.branch === peer.branch;
    if (!(peer ? isPublished : name !== ref && isReviewOf(trail.ref, name)) || isOfComments(name)) continue;
    const { author, meta } = await readEntry(context.objects, oid);
    // Whoever may push to a clone may say that somebody accepted something.
    const note = peer ? ` (says ${peer.clone})` : meta?.agent === undefined ? '' : ' (an agent)';
    found.push(
      await otherReview(await withAccepted(snapshot, author, name, oid), `${author.name}${note}`, files),
    );
  }
  return found;
}

async function otherReview(
  review: Review,
  name: string,
  files: readonly UnreviewedFile[],
): Promise<OtherReviewer> {
  const paths = files.map(({ path }) => path);
  const open = await (await OpenFiles.open(review, paths)).unreviewed();
  const left = new Map(open.map(file => [file.path, file]));
  return {
    name,
    hasAccepted: ({ path, places }, { lines }) => {
      const theirs = left.get(path);
      if (!theirs) return true;
      return places !== null && theirs.places !== null && hunksNamed(theirs.hunks, lines).length === 0;
    },
  };
}
