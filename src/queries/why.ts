/** Why a line is as it is: the edit that wrote it, by whom, in which turn, what was asked, and what became of it. */

import * as z from 'zod';
import { readAsked } from '../agents/prompts.ts';
import type { Answer } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import * as option from '../engine/calls/option.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import { type Context, fromTrail, toTrail } from '../engine/context.ts';
import { withWay } from '../engine/files/missing.ts';
import { movedFrom } from '../engine/files/outside.ts';
import { fileIn, type Snapshot } from '../engine/files/snapshot.ts';
import { type LogEntry, logEntry } from '../engine/log-entry.ts';
import { statusWords } from '../engine/status/status-words.ts';
import { editStatuses } from '../engine/status/statuses.ts';
import { EditError } from '../errors.ts';
import { rowsInTree } from '../history/file-rows.ts';
import { readEntry, readEntryOrNull } from '../history/walk.ts';
import type { EditStatus } from '../line/standing.ts';
import { isOutside } from '../operations.ts';
import { type LineChange, lineDiff } from '../text/diff/line-diff.ts';
import { textFile } from '../text/document.ts';
import { lineBreakOf, linesOf } from '../text/lines.ts';
import { cutLine } from '../text/words.ts';
import { pathName, shortId } from '../wording.ts';
import { blameFile } from './blame.ts';

export interface WhyOptions {
  path: string;
  /** From 1, of the file as it is now. */
  line: number;
}

export const checkWhy: CheckOptions<WhyOptions> = optionsCheck(
  { path: option.requiredText, line: () => z.int().positive() },
  { path: 'src/auth.ts', line: 12 },
);

/** A commit of a person that brought an edit to the branch. */
export interface LandedIn {
  commit: string;
  subject: string;
  author: string;
  /** ISO 8601, UTC. */
  time: string;
}

export interface WhyData {
  path: string;
  line: number;
  text: string;
  /** The commit that wrote the line; `null` where none has it yet: it was changed outside the engine. */
  edit: LogEntry | null;
  /** True for a change from outside that may be an agent's, and that nobody claims. */
  unclaimed: boolean;
  /** The file's path in that commit, where it was another. */
  path_then: string | null;
  /** The prompt of the agent, and the command that its call ran, as far as they are kept here (`vedit.prompts`). */
  asked: string | null;
  command: string | null;
  /** The commit of the branch that has it; `null`: none, or the edit is a commit of a person itself. */
  landed: LandedIn | null;
}

/** Throws FILE_NOT_FOUND, LINE_OUT_OF_RANGE, BINARY_FILE, and the codes of a path that is not allowed. */
export async function why(context: Context, { path: given, line }: WhyOptions): Promise<Answer<WhyData>> {
  const snapshot = await syncedSnapshot(context);
  const path = await snapshot.resolve(given);
  const { text, recorded } = await lineOf(snapshot, path, line);
  const written = recorded === null ? NOTHING : await writtenBy(snapshot, path, text, recorded);
  const data: WhyData = { ...written, path, line, text };
  return { message: whyWords(data).join('\n'), data };
}

const NOTHING = { edit: null, unclaimed: false, path_then: null, asked: null, command: null, landed: null };

/** Reads the line as it is now, and its number in what is recorded; `null` where it was changed since. */
async function lineOf(
  snapshot: Snapshot,
  path: string,
  line: number,
): Promise<{ text: string; recorded: number | null }> {
  const { context, trail } = snapshot;
  const renamed = await movedFrom(snapshot, path);
  const name = (renamed && fromTrail(context, renamed)) ?? path;
  const [file, old] = [await snapshot.asRecorded(path), await fileIn(context, trail.tree, name)];
  const gone = `There is no file ${pathName(path)}.`;
  if (!file) throw await withWay(snapshot, new EditError('FILE_NOT_FOUND', gone, { path }));
  const now = textFile(path, file.bytes, file.version).text;
  const lines = linesOf(now);
  if (line > lines.count) throw pastEnd(path, line, lines.count);
  const text = lines.content(line);
  if (!old || old.version === file.version) return { text, recorded: old && line };
  const changes = lineDiff(textFile(path, old.bytes, old.version).text, now, lineBreakOf(now));
  const before = oldLine(changes, line - 1);
  return { text, recorded: before === null ? null : before + 1 };
}

/** Returns the line of the old text that a line of the new one is, 0-based; `null` for one that was put in. */
function oldLine(changes: readonly LineChange[], line: number): number | null {
  let shift = 0;
  for (const { oldEnd, newStart, newEnd } of changes) {
    if (line < newStart) break;
    if (line < newEnd) return null;
    shift = oldEnd - newEnd;
  }
  return line + shift;
}

function pastEnd(path: string, line: number, lines: number): EditError {
  const words = `${pathName(path)} has ${lines} lines, so there is no line ${line}. Name one from 1 to ${lines}.`;
  return new EditError('LINE_OUT_OF_RANGE', words, { path, min: 1, max: lines, line, field: 'line' });
}

async function writtenBy(
  snapshot: Snapshot,
  path: string,
  text: string,
  line: number,
): Promise<Omit<WhyData, 'path' | 'line' | 'text'>> {
  const { context } = snapshot;
  const [found] = (await blameFile(context, { path, viewRange: [line, line] })).data.lines;
  const entry = await readEntry(context.objects, found!.commit);
  const status = (await editStatuses(snapshot, [entry])).get(entry.commit);
  const edit = { ...logEntry(entry, status), author: found!.author };
  const { turn, call_id: call } = edit;
  const asked = turn === null ? null : await readAsked(context, turn, call);
  return {
    edit,
    unclaimed: found!.unclaimed ?? false,
    path_then: found!.path ?? null,
    asked: asked?.prompt ?? null,
    command: asked?.command ?? null,
    landed: await landedIn(context, edit.status, { text, names: [path, found!.path ?? path] }),
  };
}

/** Reads the commit that an edit landed in; `null` also where that is only a part of it, without this line. */
async function landedIn(
  context: Context,
  { now, landed_in: commit }: EditStatus,
  line: { text: string; names: readonly string[] },
): Promise<LandedIn | null> {
  const { objects } = context;
  const entry = commit === null ? null : await readEntryOrNull(objects, commit);
  if (!entry) return null;
  const isThere = async (): Promise<boolean> => {
    const rows = line.names.map(name => rowsInTree(objects, entry.tree, [toTrail(context, name)]));
    return (await Promise.all(rows)).flat().some(row => row.replace(/\r$/, '') === line.text);
  };
  if (now !== 'landed' && !(await isThere())) return null;
  const { subject, author, time } = logEntry(entry);
  return { commit: entry.commit, subject, author, time };
}

/** A line of the message is no longer. */
const LONGEST = 160;

/** Writes the answer as lines of a name and what there is to say of it; the first is the line itself. */
export function whyWords(data: WhyData): string[] {
  const fields = Object.entries(whyFields(data)).filter(([, words]) => words !== '');
  const shown = fields.map(([name, words]) => `${name.padEnd(9)}${cutLine(words.split('\n')[0]!, LONGEST)}`);
  return [`${pathName(data.path)}:${data.line}  ${cutLine(data.text.trim(), LONGEST)}`, ...shown];
}

function whyFields({
  edit,
  unclaimed,
  path_then: then,
  asked,
  command,
  landed,
}: WhyData): Record<string, string> {
  if (!edit) return { by: 'somebody, not through vedit: the change is not recorded yet' };
  const { commit, time, subject, reason, session, turn, certain, op } = edit;
  return {
    by: unclaimed ? 'nobody who claims it: it came from outside while an agent was at work' : whoOf(edit),
    when: `${time.slice(0, 16).replace('T', ' ')} UTC`,
    edit: `${shortId(commit)} ${subject}${then === null ? '' : `, when it was ${then}`}`,
    session: [session, turn && `turn ${turn}`].filter(Boolean).join(', '),
    asked: asked ?? '',
    command: command ?? '',
    reason,
    certain: isOutside(op) ? '' : (CERTAIN[certain ?? ''] ?? ''),
    became: op === null ? '' : statusWords(edit).join(', ') || 'open: it is not on the branch yet',
    landed: landed ? `${shortId(landed.commit)} ${landed.subject} (${landed.author})` : '',
  };
}

const CERTAIN: Readonly<Record<string, string>> = {
  window: 'it changed while the call ran: somebody who typed then may have written it',
  during: 'it changed while several calls ran: another of them may have written it',
};

function whoOf({ agent, client, author, model, subagent }: LogEntry): string {
  const more = [model, subagent && `sub-agent ${subagent}`, client].filter(Boolean).join(', ');
  return `${agent ?? author}${more === '' ? '' : ` (${more})`}`;
}
