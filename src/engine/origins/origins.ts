/** Tells whose the changes are that nothing recorded, by what agents were doing when the files were written, and how a commit says it. */

import { layered } from '../../git/repository/config.ts';
import { OUTSIDE } from '../../history/editors.ts';
import type { TrailMeta } from '../../history/message.ts';
import { type TrailEntry, walkRows } from '../../history/walk.ts';
import { type Context, fromTrail } from '../context.ts';
import type { Activity, CallWindow, Span } from './activity.ts';
import { plainField } from './agent-events.ts';
import { readActivity } from './event-folder.ts';
import { lookedAt } from './looked.ts';

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
  const all = sameForAll(context, beside);
  if (all || beside === 'person') return new Map(paths.map(path => [path, all ?? PERSON]));
  const activity = await readActivity(context).catch(() => null);
  if (!activity) return new Map(paths.map(path => [path, NOBODY]));
  const looked = await lookedAt(context);
  const recorded = await lastRecords(context, tip, paths);
  const found = new Map<string, Evidence>();
  for (const path of paths) {
    const changed = await changedAt(context, path, { looked, isListed });
    const known: Moments = { changed, after: looked, recorded: recorded.get(path) };
    const change = besideCall(activity, beside, known, recorded.get('') ?? 0n);
    const isForgotten = activity.forgotten !== null && (change.until ?? change.from) < activity.forgotten;
    found.set(path, isForgotten ? NOBODY : evidenceFor(activity, change));
  }
  return found;
}

/** Returns whose all changes are, whatever agents did; `null`: that depends. */
function sameForAll(context: Context, beside: Asked['beside']): Evidence | null {
  if (beside === 'person') return PERSON;
  const set = layered(context.repo.config, context.userConfig).get('vedit.outside');
  // Git's config comes before the option.
  const rule = set === 'mine' || set === 'unclaimed' ? set : context.outsideBy;
  if (rule) return rule === 'mine' ? PERSON : NOBODY;
  if (beside?.place !== 'during') return null;
  return { by: 'during', calls: [{ ...beside, from: 0n, until: null }] };
}

/** Commits in which the last record of a path is looked for. */
const MOST_ROWS = 2_000;

/** Finds when each path was recorded last; below '' when anything was. In whole seconds. */
async function lastRecords(
  { objects }: Context,
  tip: string | null,
  paths: readonly string[],
): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  const left = new Set(paths);
  for await (const rows of walkRows(objects, tip, { ownOnly: true, limit: MOST_ROWS }))
    for (const row of rows) {
      const named = row.paths.filter(path => left.delete(path));
      if (named.length === 0 && found.size > 0) continue;
      const moment = BigInt((await row.entry()).time) * 1_000_000_000n;
      if (found.size === 0) found.set('', moment);
      for (const path of named) found.set(path, moment);
      if (left.size === 0) return found;
    }
  return found;
}

/** Narrows the time: what a tool found before its edit was made by its call's begin, what stands there besides after its end. */
function besideCall({ calls }: Activity, beside: Beside | null, known: Moments, oldest: bigint): Change {
  const { place, session, call } = beside ?? {};
  const own =
    beside && calls.find(one => one.session === plainField(session!) && one.call === plainField(call!));
  if (place === 'after') return whenChanged({ ...known, after: own?.until ?? known.after }, oldest);
  if (place !== 'before') return whenChanged(known, oldest);
  const changed = known.after === undefined ? null : (own?.from ?? null);
  return { ...whenChanged({ ...known, changed }, oldest), except: own?.call };
}

/**
 * Returns the ctime; `null` where there is no file, or none on a disk that agents write to. Where somebody looked, of a file that is
 * gone, or that is listed and older, the last moment at which that can have been: the ctime of the folder that it went from, or came
 * to.
 */
async function changedAt(
  context: Context,
  path: string,
  { looked, isListed }: { looked: bigint | undefined; isListed: boolean },
): Promise<bigint | null> {
  const name = fromTrail(context, path);
  if (name === null || !context.repo.workDir || !context.store.separate) return null;
  for (let at = `/${name}`; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const stat = await context.fs.lstat(context.root + at).catch(() => null);
    if (stat && (!isListed || stat.ctimeNs >= (looked ?? 0n))) return stat.ctimeNs;
    if (looked === undefined || at === '') return null;
  }
}

/** The moments that tell when a file changed. */
interface Moments {
  /** The ctime of the file; `null` where that is not known: it is gone, or elsewhere than on a disk. */
  changed: bigint | null;
  /** It was made later than this; where that is not known, the last of those who changed the file stands for all. */
  after?: bigint | undefined;
  recorded?: bigint | undefined;
}

/** Returns the time in which a change was made. `oldest`: where nothing tells, it was since then. Pure. */
export function whenChanged({ changed, after, recorded }: Moments, oldest: bigint): Span {
  if (changed === null) return { from: recorded ?? oldest, until: null };
  if (after === undefined) return { from: changed, until: changed };
  const since = recorded !== undefined && recorded > after && recorded <= changed ? recorded : after;
  return { from: since < changed ? since + 1n : changed, until: changed };
}

/**
 * `person`: no agent can have made it. `during`: it was made while these calls ran; `isLate`: or after that. `unclaimed`: while
 * these agents were at work; who is not told.
 */
export type Evidence =
  | { by: 'person' }
  | { by: 'during'; calls: CallWindow[]; isLate?: boolean }
  | { by: 'unclaimed'; agents: string[] };

/** The time in which a change was made. */
interface Change extends Span {
  /** A call that is known not to have made it. */
  except?: string | undefined;
}

/** Decides whose a change is: the person's where no agent can have made it, else nobody's yet. Pure. */
export function evidenceFor(activity: Activity, change: Change): Evidence {
  const { until, except } = change;
  const able = activity.calls.filter(one => one.call !== except);
  const calls = able.filter(one => overlap(one, change));
  const isLate = calls.some(one => one.until !== null && until !== null && one.until < until);
  if (calls.length > 0) return { by: 'during', calls, ...(isLate ? { isLate } : {}) };
  const left = able.filter(one => isOver(one, change) && activity.outlives(one));
  if (left.length > 0) return { by: 'during', calls: left, isLate: true };
  const others = [...activity.turns.filter(({ announced }) => !announced), ...activity.clients];
  const then = others.filter(one => overlap(one, change));
  if (then.length === 0) return PERSON;
  const agents = new Set(then.map(({ agent }) => agent).filter(Boolean));
  return { by: 'unclaimed', agents: [...agents].sort() };
}

function isOver({ until }: Span, { from }: Span): boolean {
  return until !== null && until < from;
}

function overlap(one: Span, other: Span): boolean {
  return !isOver(one, other) && !isOver(other, one);
}
