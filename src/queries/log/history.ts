/** The trail for readers: log and show. */

import type { Layer } from '../../engine/admission/policy/policies.ts';
import type { Answer } from '../../engine/answer.ts';
import { syncedSnapshot } from '../../engine/change/sync.ts';
import { commitDiffs } from '../../engine/commit-diffs.ts';
import { type Context, namedPath } from '../../engine/context.ts';
import { diffWords, fileStats } from '../../engine/diff-words.ts';
import { editorName } from '../../engine/editor-name.ts';
import { joinedDiff } from '../../engine/file-diffs.ts';
import { joins, type LogEntry, logEntry } from '../../engine/log-entry.ts';
import { commentWords, readComments } from '../../engine/rejections/comments.ts';
import { findCommit } from '../../engine/revision.ts';
import { statusWords } from '../../engine/status/status-words.ts';
import { editStatuses } from '../../engine/status/statuses.ts';
import { openTrail } from '../../engine/trails/open-trail.ts';
import type { TrailHead } from '../../history/head.ts';
import { readEntry, type TrailEntry, walkRows } from '../../history/walk.ts';
import { fieldName, ifTool, look, shortId, toolName } from '../../wording.ts';
import type { LogOptions } from '../read-options.ts';
import { givenChoices, type LogChoice, LogFilter } from './log-filter.ts';

export type { LogEntry } from '../../engine/log-entry.ts';

export interface LogData {
  /** Newest first. */
  entries: LogEntry[];
}

export type ShowData = LogEntry & Required<Pick<LogEntry, 'stats' | 'diff'>>;

/**
 * The trail, newest first. Nothing is read beyond the last entry that is asked for. Throws INVALID_INPUT, FILE_NOT_FOUND for
 * a session, turn, revision, op or path that there is not.
 */
export function logEntries(context: Context, asked: LogOptions = {}): AsyncGenerator<LogEntry> {
  return readLog(context, asked, (_, logged) => logged);
}

/** Yields what `made` makes of each log entry and of the commit that was read for it. */
export async function* readLog<T>(
  context: Context,
  asked: LogOptions,
  made: (entry: TrailEntry, logged: LogEntry) => T,
): AsyncGenerator<T> {
  // All entries are in the root.
  const path = asked.path === undefined ? '' : await namedPath(context, asked.path, { folder: true });
  const options = { ...asked, path: path || undefined };
  const trail = await openTrail(context);
  const { limit = Number.POSITIVE_INFINITY } = options;
  if (limit <= 0) return;
  const snapshot = await syncedSnapshot(context, trail);
  const layers = options.stats || options.patch ? await context.policies.layers() : [];
  const comments = await readComments(context, trail.ref);
  for await (const entries of chosenEntries(context, trail, options)) {
    const found = await editStatuses(snapshot, entries);
    for (const entry of entries) {
      const logged = logEntry(entry, found.get(entry.commit), comments);
      if (options.stats || options.patch)
        Object.assign(logged, await changes(context, entry, layers, options));
      yield made(entry, logged);
    }
  }
}

/**
 * The number of entries whose status is asked for together at first, and the factor by which it grows each time:
 * statuses are read file by file.
 */
const AT_ONCE = { first: 16, growth: 256 };

/** The commits that the log shows, newest first, some at a time. */
async function* chosenEntries(
  context: Context,
  trail: TrailHead,
  options: LogOptions,
): AsyncGenerator<TrailEntry[]> {
  const { tip, checkedOut } = trail;
  const filter = await LogFilter.of(context, trail, options);
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  let most = AT_ONCE.first;
  let chosen: TrailEntry[] = [];
  let isNone = true;
  walk: for await (const rows of walkRows(context.objects, tip, { ownOnly: !checkedOut })) {
    for (const row of rows) {
      const verdict = filter.judge(row);
      if (verdict === 'end') break walk;
      if (verdict === 'skip') continue;
      const entry = await row.entry();
      if (!(await filter.fits(entry))) continue;
      chosen.push(entry);
      if (chosen.length < Math.min(most, left)) continue;
      yield chosen;
      isNone = false;
      left -= chosen.length;
      most *= AT_ONCE.growth;
      chosen = [];
      if (left <= 0) return;
    }
  }
  if (chosen.length > 0) yield chosen;
  else if (isNone) await filter.checkNames();
}

async function changes(
  context: Context,
  entry: TrailEntry,
  layers: readonly Layer[],
  { stats, patch, path }: LogOptions,
): Promise<Pick<LogEntry, 'stats' | 'diff'>> {
  const fileDiffs = joins(logEntry(entry)) ? [] : await commitDiffs(context, entry, path, layers);
  return {
    ...(stats ? { stats: fileStats(fileDiffs) } : {}),
    ...(patch ? { diff: joinedDiff(fileDiffs) } : {}),
  };
}

export async function log(context: Context, options: LogOptions): Promise<Answer<LogData>> {
  const entries: LogEntry[] = [];
  for await (const entry of logEntries(context, options)) entries.push(entry);
  const lines = entries.map(entry => {
    return `${shortId(entry.commit)} ${entry.time.slice(0, 19)}Z ${editorName(entry)}: ${entry.subject}${marks(entry)}`;
  });
  if (options.limit !== undefined && entries.length >= options.limit)
    lines.push(`[the newest ${entries.length}; a larger limit shows more, if there are]`);
  const all = ifTool('log', tool => ` ${tool} without it lists all of them.`);
  const none = noEntries(options);
  const message = lines.join('\n') || `${none}${none.startsWith('No edit') ? all : ''}`;
  return { message, data: { entries } };
}

/** Says that the log is empty: for a filter that nothing fits, or a history that has not begun. */
export function noEntries(choice: LogChoice): string {
  const words = givenChoices(choice).map(([name, value]) => `${name} ${value}`);
  if (words.length === 0) return 'The history is empty: nothing was edited yet.';
  return `No edit of the history fits: ${words.join(', ')}.`;
}

function marks(entry: LogEntry): string {
  return [...statusWords(entry), ...commentWords(entry)].map(one => ` [${one}]`).join('');
}

/** One commit: what the log says of it, and its diff; of one that joins two histories, that to its first parent. */
export async function show(
  context: Context,
  { commit: spec }: { commit: string },
): Promise<Answer<ShowData>> {
  const trail = await openTrail(context);
  const commit = await findCommit(context, trail, spec);
  const entry = await readEntry(context.objects, commit);
  const fileDiffs = await commitDiffs(context, entry);
  const snapshot = await syncedSnapshot(context, trail);
  const data: ShowData = {
    ...logEntry(
      entry,
      (await editStatuses(snapshot, [entry])).get(commit),
      await readComments(context, trail.ref),
    ),
    stats: fileStats(fileDiffs),
    diff: joinedDiff(fileDiffs),
  };
  const reason = entry.reason ? `\n\n${entry.reason}` : '';
  const said = (data.comments ?? []).flatMap(one => [one, ...one.replies]);
  const words = said.map(one => `\n${one.author}: ${one.text}`).join('');
  const head = `${commit}\n${data.time} ${data.agent ?? data.author}\n${entry.subject}${reason}${words && `\n${words}`}`;
  return { message: `${head}\n\n${diffWords(data.diff, data.stats, restOf(commit))}`, data };
}

function restOf(commit: string): string {
  const id = shortId(commit);
  const one = `${toolName('diff')} from "${id}~1" to "${id}" with a ${fieldName('path')} shows one file`;
  const lines = `${look()} a file with ${fieldName('at')} "${id}" and a ${fieldName('view_range')} for any lines`;
  return ifTool('diff', `${one}; ${lines}`, lines);
}
