/**
 * The history as Agent Trace records, version 0.1.0 (https://agent-trace.dev): who wrote which lines of which file, at the
 * commit that wrote them. Every commit of the trail is one edit, so nothing of it is guessed.
 */

import * as z from 'zod';
import { type CheckOptions, optionsCheck } from '../engine/calls/call-options.ts';
import type { Context } from '../engine/context.ts';
import { isOutside, isSync, isWayBack } from '../operations.ts';
import { shortId } from '../wording.ts';
import {
  type ExportEntry,
  type ExportFile,
  type ExportSource,
  exportEntries,
  type LineRange,
} from './export.ts';
import { type LogOptions, logFields } from './read-options.ts';

/** MIME type `application/vnd.agent-trace.record+json`. */
export interface TraceRecord {
  version: string;
  /** A UUID made of the commit's id: the same commit always has the same. */
  id: string;
  timestamp: string;
  vcs: { type: 'git'; revision: string };
  tool?: { name: string; version: string };
  files: Array<{ path: string; conversations: [TraceConversation, ...TraceConversation[]] }>;
  metadata: { vedit: TraceMetadata };
}

export interface TraceConversation {
  contributor: { type: 'ai' | 'unknown'; model_id?: string };
  ranges: LineRange[];
}

/** Facts that the format has no field for; absent where they are not known. */
export type TraceMetadata = Partial<
  Pick<
    ExportEntry,
    | 'op'
    | 'agent'
    | 'session'
    | 'call_id'
    | 'edit_id'
    | 'reason'
    | 'status'
    | 'undoes'
    | 'redoes'
    | 'restores'
  > & {
    /** The commits that first wrote the lines of a way back. */
    sources: Array<
      Pick<ExportSource, 'start_line' | 'end_line' | 'commit' | 'agent' | 'session'> & { path: string }
    >;
  }
>;

export interface AgentTraceOptions extends LogOptions {
  tool?: { name: string; version: string } | undefined;
}

export const checkAgentTrace: CheckOptions<AgentTraceOptions> = optionsCheck(
  { ...logFields, tool: () => z.strictObject({ name: z.string(), version: z.string() }).optional() },
  { limit: 100 },
);

const VERSION = '0.1.0';

const LONGEST_MODEL = 250;

/** Newest first. Commits that the engine did not make say nothing of their contributors, so they are left out. */
export async function* agentTrace(
  context: Context,
  { tool, ...options }: AgentTraceOptions = {},
): AsyncGenerator<TraceRecord> {
  for await (const entry of exportEntries(context, options)) {
    if (entry.op === null || isSync(entry.op)) continue;
    const files = entry.files.map(file => ({ path: file.path, conversations: conversationsOf(entry, file) }));
    yield {
      version: VERSION,
      id: uuidOf(entry.commit),
      timestamp: entry.time,
      vcs: { type: 'git', revision: entry.commit },
      ...(tool ? { tool } : {}),
      files,
      metadata: { vedit: metadataOf(entry) },
    };
  }
}

type Contributor = TraceConversation['contributor'];

/** The lines of a way back are those of whoever wrote them; an edit wrote all that it brought. */
function conversationsOf(
  entry: ExportEntry,
  { ranges, sources }: ExportFile,
): [TraceConversation, ...TraceConversation[]] {
  const byContributor = new Map<string, TraceConversation>();
  for (const { start_line, end_line, ...source } of sources) {
    const contributor = contributorOf(source);
    const key = JSON.stringify(contributor);
    const known = byContributor.get(key) ?? { contributor, ranges: [] };
    known.ranges.push({ start_line, end_line });
    byContributor.set(key, known);
  }
  const [first, ...more] = byContributor.values();
  const own = { contributor: contributorOf(entry), ranges: without(ranges, sources) };
  return first && own.ranges.length === 0 ? [first, ...more] : [own, ...byContributor.values()];
}

/** Returns what is left of the ranges when the others, in order and inside of them, are taken out. */
function without(ranges: readonly LineRange[], others: readonly LineRange[]): LineRange[] {
  return ranges.flatMap(range => {
    const left: LineRange[] = [];
    let next = range.start_line;
    for (const { start_line, end_line } of others) {
      if (start_line < range.start_line || end_line > range.end_line) continue;
      if (start_line > next) left.push({ start_line: next, end_line: start_line - 1 });
      next = end_line + 1;
    }
    return next > range.end_line ? left : [...left, { start_line: next, end_line: range.end_line }];
  });
}

/**
 * Returns the contributor of lines. Lines from outside may be a person's or a program's. Of a way back, only lines that
 * a merge made are its own.
 */
function contributorOf({ op, agent, model }: Pick<ExportSource, 'op' | 'agent' | 'model'>): Contributor {
  if (agent === null || op === null || isOutside(op) || isWayBack(op)) return { type: 'unknown' };
  const id = model && modelId(model);
  return id ? { type: 'ai', model_id: id } : { type: 'ai' };
}

/** The makers of models whose names tell. */
const MAKERS: ReadonlyArray<readonly [name: RegExp, maker: string]> = [
  [/^claude-/, 'anthropic'],
  [/^(gpt-|o\d)/, 'openai'],
  [/^gemini-/, 'google'],
];

/** Returns the model's name as https://models.dev has it, `maker/model`; a name that does not tell its maker stays as it is. */
function modelId(model: string): string | undefined {
  const maker = model.includes('/') ? undefined : MAKERS.find(([name]) => name.test(model))?.[1];
  const id = maker ? `${maker}/${model}` : model;
  return id.length > LONGEST_MODEL ? undefined : id;
}

/** RFC 9562, version 8: the digits are our own. */
function uuidOf(commit: string): string {
  const hex = `${shortId(commit)}8${commit.slice(13, 16)}a${commit.slice(17, 32)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function metadataOf(entry: ExportEntry): TraceMetadata {
  const { op, agent, session, call_id, edit_id, reason, undoes, redoes, restores } = entry;
  const status = entry.status.now === 'open' ? null : entry.status;
  const sources = entry.files.flatMap(({ path, sources: some }) =>
    some.map(({ start_line, end_line, commit, agent, session }) => {
      return { path, start_line, end_line, commit, agent, session };
    }),
  );
  const all = { op, agent, session, call_id, edit_id, reason, status, undoes, redoes, restores, sources };
  const isTold = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isTold(value)));
}
