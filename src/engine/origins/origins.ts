/** Tells whose the changes are that nothing recorded, by what agents were doing when the files were written, and how a commit says it. */

import { layered } from '../../git/repository/config.ts';
import { OUTSIDE } from '../../trail/editors.ts';
import type { TrailMeta } from '../../trail/message.ts';
import { readEntryOrNull, type TrailEntry, walkRows } from '../../trail/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import type { Activity, CallWindow, Span } from './activity.ts';
import { plainField } from './agent-events.ts';
import { readActivity } from './event-folder.ts';
import { lookedAt } from './own-files.ts';

/** Changes that have the same evidence. */
export interface Origin<Ref> {
  evidence: Evidence;
  changes: Map<string, Ref>;
}

/** Groups changes by whose they are. Those of the person come last. `parent`: the trail's newest commit. */
export async function groupedByOrigin<Ref>(
  context: Context,
  entries: ReadonlyMap<string, Ref>,
  { parent, beside = null }: { parent: string | null; beside?: Beside | 'person' | null },
): Promise<Array<Origin<Ref>>> {
  const whose = await whoseChanges(context, [...entries.keys()], { tip: parent, beside });
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

const PERSON: Evidence = { by: 'person' };
const NOBODY: Evidence = { by: 'unclaimed', agents: [] };

/** A call of a tool, and where a change stands to what the tool says that it did. */
export interface Beside {
  place: 'before' | 'during' | 'after';
  agent: string;
  session: string;
  call: string;
  tool: string;
}

interface Asked {
  /** The newest commit: what was recorded of a path is not in question. */
  tip: string | null;
  beside?: Beside | 'person' | null;
  /** All paths were otherwise at the last look, so that a file that is older came here since, with a folder that was moved. */
  isListed?: boolean;
}

/** Tells whose the changes of these paths are, as the trail records the paths. Throws nothing: where it cannot be told, it is nobody's. */
export async function whoseChanges(
  context: Context,
  paths: readonly string[],
  { tip, beside = null, isListed = false }: Asked,
): Promise<Map<string, Evidence>> {
  const rule = ruleOf(context);
  if (beside === 'person') return new Map(paths.map(path => [path, PERSON]));
  if (rule !== 'by evidence') return new Map(paths.map(path => [path, rule === 'mine' ? PERSON : NOBODY]));
  if (beside?.place === 'during') return new Map(paths.map(path => [path, duringCall(beside)]));
  const activity = await readActivity(context).catch(() => null);
  const looked = await lookedAt(context);
  const newest = tip === null ? null : await readEntryOrNull(context.objects, tip);
  const recorded = await lastRecords(context, tip, paths);
  const found = new Map<string, Evidence>();
  for (const path of paths) {
    const change: Change = {
      path,
      changed: await changedAt(context, path, { isBound: looked !== undefined, ...(isListed && { looked }) }),
      since: recorded.get(path) ?? momentOf(newest),
      recorded: recorded.get(path),
      after: looked,
      ...(activity && beside ? besideCall(activity, beside, looked) : {}),
    };
    const isForgotten = activity?.forgotten != null && (change.changed ?? change.since) < activity.forgotten;
    found.set(path, activity && !isForgotten ? evidenceFor(activity, change) : NOBODY);
  }
  return found;
}

function momentOf(entry: TrailEntry | null): bigint {
  return BigInt(entry?.time ?? 0) * 1_000_000_000n;
}

/** Commits in which the last record of a path is looked for. */
const MOST_ROWS = 2_000;

/** Finds the second in which each path was recorded last. */
async function lastRecords(
  { objects }: Context,
  tip: string | null,
  paths: readonly string[],
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  const left = new Set(paths);
  for await (const rows of walkRows(objects, tip, { ownOnly: true, limit: MOST_ROWS }))
    for (const row of rows) {
      for (const path of row.paths) {
        if (!left.delete(path)) continue;
        found.set(path, momentOf(await row.entry()));
      }
      if (left.size === 0) return found;
    }
  return found;
}

function duringCall({ agent, session, call, tool }: Beside): Evidence {
  return { by: 'during', calls: [{ agent, session, call, tool, path: undefined, from: 0n, until: null }] };
}

/** Narrows the moment: what a tool found before its edit was made by its call's begin, what stands there besides after its end. */
function besideCall(
  { calls }: Activity,
  { place, session, call }: Beside,
  looked: bigint | undefined,
): Partial<Change> {
  const own = calls.find(one => one.session === plainField(session) && one.call === plainField(call));
  if (place === 'before')
    return { changed: own && looked !== undefined ? own.from : null, except: own?.call };
  return own?.until == null ? {} : { after: own.until };
}
/** Returns the rule: `vedit.outside` of git's config comes before the option. */
function ruleOf({ repo, userConfig, outsideBy }: Context): 'mine' | 'unclaimed' | 'by evidence' {
  const set = layered(repo.config, userConfig).get('vedit.outside');
  if (set === 'mine' || set === 'unclaimed') return set;
  return outsideBy ?? 'by evidence';
}

/**
 * Returns the ctime; `null` where there is no file, or none on a disk that agents write to. With `isBound`, of a file that is gone, or
 * that came here since it was `looked`, the last moment at which that can have been: the ctime of the folder that it went from, or
 * came to.
 */
async function changedAt(
  context: Context,
  path: string,
  { isBound, looked = 0n }: { isBound: boolean; looked?: bigint | undefined },
): Promise<bigint | null> {
  const name = fromTrail(context, path);
  if (name === null || !context.repo.workDir || !context.store.separate) return null;
  for (let at = `/${name}`; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const stat = await context.fs.lstat(context.root + at).catch(() => null);
    if (stat && stat.ctimeNs >= looked) return stat.ctimeNs;
    if (!isBound || at === '') return null;
  }
}

/**
 * `person`: no agent can have made it. `during`: it was made while these calls ran; `isLate`: or after that. `unclaimed`: while
 * these agents were at work; who is not told.
 */
export type Evidence =
  | { by: 'person' }
  | { by: 'during'; calls: CallWindow[]; isLate?: boolean }
  | { by: 'unclaimed'; agents: string[] };

/** A change of one path. */
interface Change {
  /** As the trail records it. */
  path: string;
  /** The ctime of the file; `null` where that is not known: it is gone, or elsewhere than on a disk. */
  changed: bigint | null;
  /** Everything from before this moment is recorded, and of this path from before that one. */
  since: bigint;
  recorded?: bigint | undefined;
  /** It was made later than this; where that is not known, the last of those who changed the file stands for all. */
  after?: bigint | undefined;
  /** A call that is known not to have made it. */
  except?: string | undefined;
}

/** Decides whose a change is: the person's where no agent can have made it, else nobody's yet. Pure. */
export function evidenceFor(activity: Activity, change: Change): Evidence {
  const { path, changed, since, except } = change;
  if (changed === null) return withoutMoment(activity, path, since);
  // What was recorded of the file since the look narrows it.
  const { recorded = 0n } = change;
  const isLater = change.after !== undefined && recorded > change.after && recorded <= changed;
  const after = isLater ? recorded : change.after;
  const isThen = (span: Span): boolean =>
    after === undefined || after >= changed
      ? overlaps(span, changed, changed)
      : span.from <= changed && (span.until === null || span.until > after);
  const calls = activity.calls.filter(call => call.call !== except && isThen(call) && mayChange(call, path));
  const isLate = calls.some(({ until }) => until !== null && until < changed);
  if (calls.length > 0) return { by: 'during', calls, ...(isLate ? { isLate } : {}) };
  const left = activity.calls.filter(
    one => isOver(one, changed) && mayChange(one, path) && activity.outlives(one),
  );
  if (left.length > 0) return { by: 'during', calls: left, isLate: true };
  const turns = activity.turns.filter(turn => isThen(turn) && !turn.announced);
  const clients = activity.clients.filter(client => isThen(client) && !client.hooked);
  return ofAgents([...turns, ...clients]);
}

/** Lists whose a change can be that was made at any moment since. */
function withoutMoment({ turns, calls, clients }: Activity, path: string, since: bigint): Evidence {
  const isThen = (span: Span): boolean => overlaps(span, since, null);
  return ofAgents([
    ...turns.filter(isThen),
    ...calls.filter(one => isThen(one) && mayChange(one, path)),
    ...clients.filter(client => isThen(client) && !client.hooked),
  ]);
}

function ofAgents(found: ReadonlyArray<{ agent: string }>): Evidence {
  if (found.length === 0) return { by: 'person' };
  const names = found.map(({ agent }) => agent).filter(agent => agent !== '');
  return { by: 'unclaimed', agents: [...new Set(names)].sort() };
}

function isOver({ from, until }: Span, at: bigint): boolean {
  return from <= at && until !== null && until < at;
}

function mayChange(call: CallWindow, path: string): boolean {
  return call.path === undefined || call.path === path;
}

function overlaps(span: Span, from: bigint, until: bigint | null): boolean {
  return (span.until === null || span.until >= from) && (until === null || span.from <= until);
}
