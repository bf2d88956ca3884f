/** blame: each line of a file with the edit, the session, the agent and the reason behind it. */

import type { Answer } from '../engine/answer.ts';
import { syncTrail } from '../engine/change/sync.ts';
import { type Context, fromTrail, toTrail } from '../engine/context.ts';
import { wayTo } from '../engine/files/missing.ts';
import { movedFrom } from '../engine/files/outside.ts';
import { fileIn, Snapshot } from '../engine/files/snapshot.ts';
import { logEntry } from '../engine/log-entry.ts';
import { findCommit } from '../engine/revision.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { EditError } from '../errors.ts';
import { isUnclaimed } from '../history/editors.ts';
import type { TrailHead } from '../history/head.ts';
import { fileAtCommit } from '../history/steps.ts';
import { readEntry, type TrailEntry } from '../history/walk.ts';
import { type BlamedLine, type BlameOptions, blame } from '../line/blame.ts';
import { Claims, readClaims } from '../review/claims.ts';
import { textFile } from '../text/document.ts';
import { linesOf } from '../text/lines.ts';
import { pathName, shortId } from '../wording.ts';
import type { BlameInput } from './read-options.ts';
import { checkRange } from './view.ts';

export interface BlameLine {
  line: number;
  text: string;
  commit: string;
  time: string;
  op: string | null;
  session: string | null;
  agent: string | null;
  /** The author; of a change from outside that somebody claims, they; several where clones claim it differently. */
  author: string;
  reason: string;
  /** True for a change from outside that may be an agent's, and that nobody claims. */
  unclaimed?: true;
  /** The file's path in that commit, when it was another then. */
  path?: string;
}

export interface BlameData {
  path: string;
  /** The commit that was looked at; HEAD's where that moved since the trail looked, so that the two are joined. */
  commit: string;
  lines: BlameLine[];
  /** True where a commit says that it landed edits of a history that is not here: `fetch` may bring who made them. */
  fetch_may_know?: true;
  /** False when the file was changed since, so that its lines may have other numbers now. */
  recorded: boolean;
  /** The last line that was asked for, when `lines` ends before it. */
  cut?: number;
}

export async function blameFile(context: Context, input: BlameInput): Promise<Answer<BlameData>> {
  const trail = await openTrail(context);
  // HEAD that moved (a pull, a commit) counts as joined already, by a commit that nobody is told of.
  const { trail: now, commit: sync } = await syncTrail(context, trail);
  const snapshot = new Snapshot(context, now);
  const path = await snapshot.resolve(input.path);
  let wanted = { from: 0, to: 0 };
  const range = (count: number): { from: number; to: number } => {
    wanted = checkRange(count, input.viewRange, path);
    return { ...wanted, to: Math.min(wanted.to, wanted.from + (input.maxLines ?? count) - 1) };
  };
  const options = { ...blameOptions(context, now), ignoreSpace: input.ignoreSpace === true };
  const renamed = input.at === undefined ? await movedFrom(snapshot, path) : null;
  const name = renamed ?? toTrail(context, path);
  // What an agent moved or deleted, and git brought back, only HEAD has.
  const asked =
    input.at === undefined ? [now.parent, now.head] : [await findCommit(context, trail, input.at)];
  let [commit, found]: [string | null, BlamedLine[] | null] = [null, null];
  for (const one of asked) {
    if (found || one === null) continue;
    commit = one;
    found = await blame(context.objects, one, name, range, options);
  }
  if (!commit || !found) throw await notRecorded(snapshot, path, asked[0] ?? null);
  const all = linesOf(await textAt(context, name, commit));
  const isAsked = found.some(({ entry }) => isUnclaimed(entry));
  const claims = isAsked ? await readClaims(context) : new Claims();
  const known = new Map<TrailEntry, Origin>();
  const originOf = (entry: TrailEntry, recorded: string): Origin => {
    const then = fromTrail(context, recorded) ?? recorded;
    const origin = known.get(entry) ?? claimed(entry, claims, recorded);
    known.set(entry, origin);
    return then === path ? origin : { ...origin, path: then };
  };
  const joined = sync && (await readEntry(context.objects, trail.head!));
  const lines = found.map(({ line, entry, path: then }): BlameLine => {
    const writer = entry.commit === sync?.oid ? joined! : entry;
    return { line, text: all.content(line), ...originOf(writer, then) };
  });
  const recorded = input.at !== undefined || (renamed === null && (await isAsIn(commit, snapshot, path)));
  const shown = commit === sync?.oid ? trail.head! : commit;
  const last = lines.at(-1)?.line ?? wanted.to;
  const isCut = last < wanted.to;
  const mayKnow = await landedElsewhere(context, new Set(found.map(({ entry }) => entry)));
  const notices = [
    mayKnow
      ? '[some of these commits landed edits of a history that is not here: vedit fetch may bring who made them, and why]'
      : '',
    isCut
      ? `[lines ${last + 1}-${wanted.to} are not shown; ask for them with view_range [${last + 1}, ${wanted.to}]]`
      : '',
    recorded
      ? ''
      : renamed !== null
        ? `[the history has the file as ${fromTrail(context, renamed) ?? renamed}: it was renamed, not through vedit, and these are the recorded lines]`
        : '[the file differs from history: it was changed, not through vedit, and these are the recorded lines]',
  ];
  return {
    message: [...lines.map(words), ...notices.filter(one => one !== '')].join('\n'),
    data: {
      path,
      commit: shown,
      lines,
      recorded,
      ...(mayKnow ? { fetch_may_know: true } : {}),
      ...(isCut ? { cut: wanted.to } : {}),
    },
  };
}

/** Says whose history is read, and as what. */
export function blameOptions({ user }: Context, { tip, parent, checkedOut }: TrailHead): BlameOptions {
  return { tip: tip && parent, ownOnly: !checkedOut, ...(user && { user }) };
}

/** True where a landed commit names edits that no object here is of. */
async function landedElsewhere({ objects }: Context, entries: ReadonlySet<TrailEntry>): Promise<boolean> {
  for (const { lands = [] } of entries)
    for (const { last } of lands) if (!(await objects.has(last))) return true;
  return false;
}

async function notRecorded(snapshot: Snapshot, path: string, commit: string | null): Promise<EditError> {
  const message = `History has no file ${pathName(path)}${commit ? ` in ${shortId(commit)}` : ''}.`;
  const tree = commit && (await readEntry(snapshot.context.objects, commit)).tree;
  if (!tree) return new EditError('FILE_NOT_FOUND', message, { path });
  const { folder, suggestion, what } = await wayTo(snapshot, path, tree);
  return new EditError('FILE_NOT_FOUND', `${message} ${what}`.trimEnd(), { path, folder, suggestion });
}

type Origin = Omit<BlameLine, 'line' | 'text'>;

/** Tells who wrote the lines of a commit; a change from outside is of those who claim it. */
function claimed(entry: TrailEntry, claims: Claims, path: string): Origin {
  const { commit, time, op, session, agent, author, reason, subject } = logEntry(entry);
  const names = isUnclaimed(entry) ? claims.of(commit, path) : [];
  return {
    ...{ commit, time, op, session, agent },
    author: names.join(', ') || author,
    reason: op === null ? subject : reason,
    ...(isUnclaimed(entry) && names.length === 0 ? { unclaimed: true } : {}),
  };
}

async function isAsIn(commit: string, snapshot: Snapshot, path: string): Promise<boolean> {
  const { context, conversion } = snapshot;
  const file = await snapshot.file(path).catch(() => null);
  return conversion.holds(path, file, await fileAtCommit(context.objects, commit, toTrail(context, path)));
}

async function textAt(context: Context, path: string, commit: string): Promise<string> {
  const { tree } = await readEntry(context.objects, commit);
  const file = await fileIn(context, tree, fromTrail(context, path) ?? path);
  return file ? textFile(path, file.bytes, file.version).text : '';
}

function words(line: BlameLine): string {
  const who = line.agent ?? line.author;
  const what = line.op ?? 'commit';
  return `${shortId(line.commit)} (${who} ${line.time.slice(0, 16)}Z ${what}) ${String(line.line).padStart(6)}\t${line.text}`;
}
