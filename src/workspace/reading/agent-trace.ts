/**
 * The history as Agent Trace records, version 0.1.0 (https://agent-trace.dev): who wrote which lines of which file, at the
 * commit that wrote them. Every commit of the trail is one edit, so nothing of it is guessed.
 */

import * as z from 'zod';
import { type CheckOptions, optionsCheck } from '../call-options.ts';
import type { Context } from '../context.ts';
import { type ExportEntry, type ExportFile, exportEntries, type LineRange } from './export.ts';
import { type LogOptions, logFields } from './history.ts';

/** MIME type `application/vnd.agent-trace.record+json`. */
export interface TraceRecord {
  version: string;
  /** A UUID made of the commit's id: the same commit always has the same. */
  id: string;
  timestamp: string;
  vcs: { type: 'git'; revision: string };
  tool?: { name: string; version: string };
  files: Array<{ path: string; conversations: [TraceConversation] }>;
  metadata: { vedit: TraceMetadata };
}

export interface TraceConversation {
  contributor: { type: 'ai' | 'unknown'; model_id?: string };
  ranges: LineRange[];
}

/** What the format has no field for; absent where it is not known. */
export type TraceMetadata = Partial<
  Pick<
    ExportEntry,
    | 'op'
    | 'agent'
    | 'session'
    | 'call_id'
    | 'edit_id'
    | 'reason'
    | 'undone'
    | 'undoes'
    | 'redoes'
    | 'restores'
  >
>;

export interface AgentTraceOptions extends LogOptions {
  /** The program that writes the records. */
  tool?: { name: string; version: string } | undefined;
}

export const checkAgentTrace: CheckOptions<AgentTraceOptions> = optionsCheck(
  { ...logFields, tool: z.strictObject({ name: z.string(), version: z.string() }).optional() },
  { limit: 100 },
);

const VERSION = '0.1.0';

/** Characters that the format allows. */
const LONGEST_MODEL = 250;

/** Newest first. Commits that the engine did not make say nothing of their contributors, so they are left out. */
export async function* agentTrace(
  context: Context,
  { tool, ...options }: AgentTraceOptions = {},
): AsyncGenerator<TraceRecord> {
  for await (const entry of exportEntries(context, options)) {
    if (entry.op === null || entry.op === 'sync') continue;
    const contributor = contributorOf(entry);
    const files = entry.files.map(({ path, ranges }: ExportFile) => {
      const conversations: [TraceConversation] = [{ contributor, ranges }];
      return { path, conversations };
    });
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

/**
 * An edit that names its agent is an agent's. What came from outside may be a person's or a program's, and a way back puts
 * back what anybody wrote: nobody knows from this commit alone.
 */
function contributorOf({
  op,
  agent,
  model,
  undoes,
  redoes,
  restores,
}: ExportEntry): TraceConversation['contributor'] {
  const isWayBack = undoes.length > 0 || redoes.length > 0 || restores !== null;
  if (agent === null || op === 'outside' || isWayBack) return { type: 'unknown' };
  const id = model && modelId(model);
  return id ? { type: 'ai', model_id: id } : { type: 'ai' };
}

/** The makers of models whose names tell. */
const MAKERS: ReadonlyArray<readonly [name: RegExp, maker: string]> = [
  [/^claude-/, 'anthropic'],
  [/^(gpt-|o\d)/, 'openai'],
  [/^gemini-/, 'google'],
];

/** As https://models.dev names it, `maker/model`; a name that does not tell its maker stays as it is. */
function modelId(model: string): string | undefined {
  const maker = model.includes('/') ? undefined : MAKERS.find(([name]) => name.test(model))?.[1];
  const id = maker ? `${maker}/${model}` : model;
  return id.length > LONGEST_MODEL ? undefined : id;
}

/** RFC 9562, version 8: the digits are our own. */
function uuidOf(commit: string): string {
  const hex = `${commit.slice(0, 12)}8${commit.slice(13, 16)}a${commit.slice(17, 32)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function metadataOf(entry: ExportEntry): TraceMetadata {
  const { op, agent, session, call_id, edit_id, reason, undone, undoes, redoes, restores } = entry;
  const all = { op, agent, session, call_id, edit_id, reason, undone, undoes, redoes, restores };
  const isTold = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isTold(value)));
}
