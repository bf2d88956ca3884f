/** Changes from outside, put together by whose they are, and how a commit says it. */

import { OUTSIDE } from '../../trail/editors.ts';
import type { TrailMeta } from '../../trail/message.ts';
import { readEntryOrNull, type TrailEntry } from '../../trail/walk.ts';
import type { Context } from '../context.ts';
import type { Evidence } from './evidence.ts';
import { type Beside, whoseChanges } from './whose.ts';

export type { Beside } from './whose.ts';

/** Changes that have the same evidence. */
export interface Origin<Ref> {
  evidence: Evidence;
  changes: Map<string, Ref>;
}

/** Groups changes by whose they are. Those of the person come last. `parent`: the trail's newest commit. */
export async function groupedByOrigin<Ref>(
  context: Context,
  entries: ReadonlyMap<string, Ref>,
  { parent, beside = null }: { parent: string | null; beside?: Beside | null },
): Promise<Array<Origin<Ref>>> {
  const before = parent === null ? null : await readEntryOrNull(context.objects, parent);
  const whose = await whoseChanges(context, [...entries.keys()], before?.time, beside);
  const found = new Map<string, Origin<Ref>>();
  for (const [path, ref] of entries) {
    const evidence = whose.get(path)!;
    const key = JSON.stringify(originMeta(evidence));
    const origin = found.get(key) ?? { evidence, changes: new Map() };
    origin.changes.set(path, ref);
    found.set(key, origin);
  }
  return [...found.values()].sort((a, b) => Number(isPersons(a)) - Number(isPersons(b)));
}

function isPersons({ evidence }: Origin<unknown>): boolean {
  return evidence.by === 'person';
}

/** Returns the commit that would record what the files hold and no commit does; its id is ''. */
export function unrecordedBy(path: string, evidence: Evidence): TrailEntry {
  return {
    commit: '',
    parents: [],
    tree: '',
    subject: 'changed, not through vedit, and not recorded yet',
    reason: '',
    author: { ...OUTSIDE, seconds: 0, offsetMinutes: 0 },
    time: 0,
    meta: { op: 'outside', paths: [path], ...originMeta(evidence) },
  };
}

/** Calls that are named; of more, the first. */
const NAMED = 20;

/** Returns what the commit says of where the change comes from. */
export function originMeta(evidence: Evidence): Pick<TrailMeta, 'certain' | 'during'> {
  if (evidence.by === 'person') return {};
  const during =
    evidence.by === 'unclaimed'
      ? evidence.agents
      : evidence.calls
          .slice(0, NAMED)
          .map(({ agent, call, tool }) => [agent, call, tool].filter(Boolean).join(' '));
  return { certain: evidence.by, ...(during.length > 0 ? { during } : {}) };
}
