/**
 * A look at all files: what changed since the last one is recorded, as the work of the command that ran, or as what others did;
 * or all of it as the work of a session, for a program that knows.
 */

import { shownName } from '../c-quote.ts';
import { WITHHELD } from '../engine/admission/admit.ts';
import type { DoneData } from '../engine/answer.ts';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import { Cancellation } from '../engine/calls/cancel.ts';
import type { By } from '../engine/calls/events.ts';
import * as option from '../engine/calls/option.ts';
import { makeChange } from '../engine/change/change.ts';
import type { Planned } from '../engine/change/planned.ts';
import type { ChangeRequest } from '../engine/change/request.ts';
import type { Context } from '../engine/context.ts';
import type { Editor } from '../engine/editor.ts';
import type { Snapshot } from '../engine/files/snapshot.ts';
import { noteSignal } from '../engine/origins/event-folder.ts';
import { headOfOthers } from '../engine/origins/head-moves.ts';
import { notingLook } from '../engine/origins/looked.ts';
import { originMeta } from '../engine/origins/origins.ts';
import { isEditError } from '../errors.ts';
import { readHead } from '../git/refs/refs.ts';
import type { RunGit } from '../git/run-git.ts';
import { listedSome } from '../text/words.ts';
import { foldersInside, listChanged, noteExcluded, noteSeen, seenBefore } from './seen/private-index.ts';
import {
  movesIn,
  ownChanges,
  type Present,
  presentFiles,
  statesOf,
  unrecorded,
} from './seen/seen-changes.ts';

/** The command that ran before a look. */
export interface RanCommand {
  /** The command's session, for the hooks of the workspace. */
  session: unknown;
  editor: Editor;
  /** `null`: all that changed is its work, whoever made it. */
  call: string | null;
  /** Where HEAD stood when it began, where that is known. */
  head?: string | null | undefined;
  reason: string | undefined;
}

export interface ScanOptions {
  /** Lists what changed; without it every file is looked at. */
  git?: RunGit | undefined;
  command?: RanCommand | undefined;
}

/** The commits of a look: of the command, and of others. */
export interface Looked {
  done: DoneData | null;
  outside: DoneData | null;
  /** Files that were too many to be recorded: those of a command are left to the next look. */
  left: number;
  /** Names of what may have changed and nobody can record: repositories inside this one, what a filter makes, and names that are no text. */
  passed: readonly string[];
  /** The refusal of what may not enter history: it stays in the files alone. */
  withheld?: string;
}

const NOTHING: Looked = { done: null, outside: null, left: 0, passed: [] };

/** Looks at all files, and records what changed. Throws as an edit does, and what reading and writing the repository throw. */
export async function scanChanges(context: Context, options: ScanOptions): Promise<Looked> {
  const { repo, store } = context;
  if (!repo.workDir || !store.separate || !store.entry) return NOTHING;
  return notingLook(context, () => lookAtAll(context, options));
}

async function lookAtAll(context: Context, { git, command }: ScanOptions): Promise<Looked> {
  const paths = await listChanged(context, git);
  const passed = new Set(paths.filter(path => !isName(path)));
  await noteExcluded(context, [...passed]);
  const { found, over, left } = await presentFiles(context, paths.filter(isName));
  const withheld: string[] = [];
  const record: Record = request => unlessNothing(context, request, withheld);
  const done = command ? await recordCommand(context, found, { command, record, passed }) : null;
  const outside = await recordOutside(found, { record, passed });
  // Too many that are there already: whoever changes one of them from now on, it is not those that were there.
  const known = command ? [] : await statesOf(context, over);
  await noteSeen(context, [...found.map(({ seen }) => seen), ...known]);
  const [first] = withheld;
  return {
    done,
    outside,
    left: left + over.length,
    passed: [...passed],
    ...(first !== undefined && { withheld: first }),
  };
}

/** Names in words what was passed over; '' for nothing. */
export function passedWords({ passed }: Looked): string {
  return passed.length === 0
    ? ''
    : `not looked into, since it cannot be recorded: ${listedSome(passed.map(shownName))}`;
}

/** False for a repository inside this one, and for bytes that are no text, as git's list has them then. */
function isName(path: string): boolean {
  return !path.endsWith('/') && !path.includes('\ufffd');
}

async function recordCommand(
  context: Context,
  found: readonly Present[],
  { command, record, passed }: { command: RanCommand } & Recording,
): Promise<DoneData | null> {
  const { session, editor, call, head: from, reason } = command;
  const wasSeen = await seenBefore(context);
  const own = call === null ? null : { session: editor.session, call, head: from };
  const head = own && (await headOfOthers(context, own));
  const plan = async (snapshot: Snapshot): Promise<Planned> => {
    const changes = await unrecorded(snapshot, found, 'edit', passed);
    const { drafted, calls } = own
      ? await ownChanges(snapshot, changes, { own, wasSeen })
      : { drafted: changes, calls: [] };
    const paths = drafted.map(({ path }) => path);
    return {
      targets: new Map(),
      moves: await movesIn(drafted),
      inPlace: { paths, as: 'edit', drafted },
      meta: calls.length > 1 ? originMeta({ by: 'during', calls }) : { certain: 'window' },
    };
  };
  return record({
    op: 'shell',
    plan,
    session: () => session,
    editor,
    call: call ?? undefined,
    reason,
    ...(own ? { upTo: head } : {}),
  });
}

/** Records the rest, which is by others, or nobody can tell. */
function recordOutside(found: readonly Present[], { record, passed }: Recording): Promise<DoneData | null> {
  const plan = async (snapshot: Snapshot): Promise<Planned> => {
    const drafted = await unrecorded(snapshot, found, 'outside', passed);
    const paths = drafted.map(({ path }) => path);
    return { targets: new Map(), moves: [], inPlace: { paths, as: 'outside', drafted } };
  };
  return record({ op: 'outside', plan, session: () => null, editor: { session: 'look' } });
}

type Recorded = Pick<ChangeRequest, 'op' | 'plan' | 'session' | 'editor' | 'call' | 'reason' | 'upTo'>;

type Record = (request: Recorded) => Promise<DoneData | null>;

/** The way to record what was found, and the names of what cannot be recorded. */
interface Recording {
  record: Record;
  passed: Set<string>;
}

/** Returns `null` where nothing is left to record; what may not enter history is added to `withheld`. */
async function unlessNothing(
  context: Context,
  request: Recorded,
  withheld: string[],
): Promise<DoneData | null> {
  try {
    const { data } = await makeChange(context, { ...request, dryRun: false, cancel: new Cancellation() });
    withheld.push(...(data.notes ?? []).filter(note => note.startsWith(WITHHELD)));
    return data;
  } catch (error) {
    if (isEditError(error, 'NO_CHANGE')) return null;
    if (isEditError(error, 'SECRET', 'DENIED')) {
      withheld.push(`${WITHHELD}${error.message}`);
      return null;
    }
    throw error;
  }
}

export interface RecordAllOptions {
  /** The purpose. */
  reason?: string | undefined;
  /** Lists what changed; without it the engine looks at every file itself. */
  git?: RunGit | undefined;
}

export interface During<T> extends Looked {
  /** The result of the work. */
  value: T;
}

export const checkRecordAll: CheckOptions<RecordAllOptions> = optionsCheck(
  { reason: option.text, git: option.callback<RunGit> },
  { reason: 'npm test' },
);

/** The session whose work it is; `session` for those who are asked about it. */
export interface Recorder {
  context: Context;
  by: By;
  session: unknown;
}

/** See Session.during. */
export async function recordDuring<T>(
  { context, by, session }: Recorder,
  work: () => Promise<T>,
  { reason, git }: RecordAllOptions,
): Promise<During<T>> {
  const call = context.processes.newToken();
  const signal = { agent: by.agent ?? '', session: by.session, id: call, tool: 'during' };
  const before = await scanChanges(context, { git });
  const inside = await foldersInside(context);
  const { oid: head } = await readHead(context.repo);
  await noteSignal(context, { ...signal, kind: 'before' });
  const [done] = await Promise.allSettled([work()]);
  await noteSignal(context, { ...signal, kind: 'after' });
  const looked = await scanChanges(context, {
    git,
    command: { session, editor: by, call, head, reason },
  });
  if (done.status === 'rejected') throw done.reason;
  const passed = [...inside, ...(await foldersInside(context)), ...before.passed, ...looked.passed];
  return { ...looked, left: before.left + looked.left, passed: [...new Set(passed)], value: done.value };
}

/** See Session.recordAll. */
export function recordAll(
  { context, by, session }: Recorder,
  { reason, git }: RecordAllOptions,
): Promise<Looked> {
  return scanChanges(context, { git, command: { session, editor: by, call: null, reason } });
}
