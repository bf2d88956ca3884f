/**
 * The history for an auditor, oldest first, as records of one schema: what was done, what was refused, what people said of
 * it, what is signed, and what is missing. docs/trust.md describes each field; a change that is none to add makes a new version.
 */

import { readRefusals } from '../engine/change/refusals.ts';
import type { Context } from '../engine/context.ts';
import { openTrail } from '../engine/trails/open-trail.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { readEntryOrNull, type TrailEntry } from '../history/walk.ts';
import { isHead, isOutside, isRemark, isWayBack } from '../operations.ts';
import { REVIEW_PREFIX, reviewCommits } from '../review/review-ref.ts';
import { statementsOf } from '../signing/check-signatures.ts';
import { signedRef } from '../signing/statement.ts';
import { type LogEntry, readLog } from './log/history.ts';
import { verify } from './verify.ts';

const SCHEMA = 'vedit-audit/1';

/** One line of the export; the fields after `time` are those of its kind. */
export interface AuditRecord {
  schema: typeof SCHEMA;
  kind:
    | 'history'
    | 'edit'
    | 'way_back'
    | 'head'
    | 'outside'
    | 'foreign'
    | 'landing'
    | 'review'
    | 'refusal'
    | 'signature'
    | 'gap'
    | 'fault'
    | 'end';
  /** ISO 8601, UTC. */
  time: string;
  [field: string]: unknown;
}

type Kind = AuditRecord['kind'];

function record(kind: Kind, time: string, fields: object): AuditRecord {
  return { schema: SCHEMA, kind, time, ...fields };
}

/** Yields the first record, then what happened in the order of its time, then what is missing now, then the last record. */
export async function* auditRecords(context: Context): AsyncGenerator<AuditRecord> {
  const trail = await openTrail(context);
  const now = context.now().toISOString();
  yield record('history', now, { trail: trail.ref, head: trail.tip, ref: signedRef(trail.ref) });
  const happened: AuditRecord[] = [];
  for await (const one of readLog(context, {}, (entry, logged) => ofEntry(entry, logged)))
    happened.push(...one);
  happened.push(...(await reviews(context)), ...(await refusals(context)), ...(await signatures(context)));
  const inOrder = (a: AuditRecord, b: AuditRecord): number =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
  // The log is newest first: what happened in the same second stays in its order.
  yield* happened.reverse().sort(inOrder);
  const { data } = await verify(context);
  for (const { path, message } of data.changed) yield record('gap', now, { path, message });
  for (const { kind, commit, path, message } of data.faults)
    yield record('fault', now, { fault: kind, commit, path, message });
  const { sound, commits, signed } = data;
  yield record('end', now, { records: happened.length, commits, sound, signed });
}

function ofEntry({ meta }: TrailEntry, logged: LogEntry): AuditRecord[] {
  const { time, status, stats: _stats, diff: _diff, ...fields } = logged;
  const allows = [...(meta?.allowsSecrets ?? [])];
  const { now, by, landed_in } = status;
  const entry = { ...fields, status: { now, by }, allows_secrets: allows };
  const records = [record(kindOf(logged.op), time, entry)];
  if (landed_in === null) return records;
  return [
    record('landing', time, { commit: landed_in, edit: logged.commit, paths: logged.paths }),
    ...records,
  ];
}

function kindOf(op: string | null): Kind {
  if (op === null) return 'foreign';
  if (isOutside(op)) return 'outside';
  if (isHead(op)) return 'head';
  return isWayBack(op) ? 'way_back' : 'edit';
}

/** Lists what reviewers accepted, took back and said, and what agents replied; what they rejected is an edit of the trail. */
async function reviews({ objects, repo }: Context): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for (const { name: ref, oid } of await listRefs(repo, REVIEW_PREFIX))
    for await (const { commit, meta, author, subject, reason, time } of reviewCommits(objects, oid)) {
      const at = new Date(time * 1000).toISOString();
      found.push(
        record('review', at, {
          commit,
          ref,
          op: meta?.op,
          reviewer: author.name,
          subject,
          paths: meta?.paths,
          ...(isRemark(meta?.op) ? { text: reason, edits: meta?.comments, replies: meta?.replies } : {}),
        }),
      );
    }
  return found;
}

/** Reads the refusals that were kept; see recordRefusals. */
async function refusals(context: Context): Promise<AuditRecord[]> {
  return (await readRefusals(context)).map(({ time, data: _data, ...fields }) =>
    record('refusal', time, fields),
  );
}

async function signatures(context: Context): Promise<AuditRecord[]> {
  const statements = await statementsOf(context, await openTrail(context), []);
  return Promise.all(
    statements.map(async ({ time, ...fields }) => {
      const signer = (await readEntryOrNull(context.objects, fields.commit))?.author.name ?? null;
      return record('signature', time, { ...fields, signer });
    }),
  );
}
