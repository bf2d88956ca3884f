/** The trails of a repository: where each is, who worked on it, and whether it has landed. */

import type { Answer } from '../engine/answer.ts';
import { syncedSnapshot } from '../engine/change/sync.ts';
import type { Context } from '../engine/context.ts';
import { openWork, openWorkOf } from '../engine/trails/open-work.ts';
import { listRefs } from '../git/refs/ref-list.ts';
import { readHead, readRef } from '../git/refs/refs.ts';
import { readTrail, TRAIL_PREFIX, trailHome } from '../trail/head.ts';
import { isEdit, readEntry, walkTrail } from '../trail/walk.ts';
import { shortId } from '../wording.ts';

export interface TrailsData {
  trails: TrailInfo[];
}

export interface TrailInfo {
  ref: string;
  /** As git shortens it: `vedit/main`, or `main` where the trail is the checked-out branch. */
  name: string;
  head: string;
  /** True for the trail that edits made now go to. */
  current: boolean;
  checked_out: boolean;
  /** Edits among the newest COMMITS commits; `more` says that there are older ones. */
  edits: number;
  more: boolean;
  /** ISO 8601, UTC. */
  last: string;
  sessions: string[];
  agents: string[];
  /** The branch that was checked out when its newest commit was made; `null`: HEAD was detached. */
  branch: string | null;
  /** Edits of which something stands that HEAD does not have. */
  left: number;
  /** True when there are older ones than the newest 1,000 commits, which were not looked at. */
  left_more: boolean;
}

/** The most commits of each trail that are read. */
const COMMITS = 1_000;
/** The most sessions and agents that are named, the latest first. */
const NAMED = 20;

export async function trails(context: Context): Promise<Answer<TrailsData>> {
  const list = await listTrails(context);
  const lines = list.map(one => {
    const edits = `${one.edits}${one.more ? ' or more' : ''} ${one.edits === 1 ? 'edit' : 'edits'}`;
    const left = one.left === 0 ? 'nothing open' : `${one.left_more ? 'at least ' : ''}${one.left} open`;
    const state = one.checked_out ? 'checked out' : left;
    return `${one.current ? '*' : ' '} ${one.name} ${shortId(one.head)} ${one.last} ${edits}, ${state}`;
  });
  return { message: lines.join('\n') || 'There is no history yet.', data: { trails: list } };
}

/** Lists the trails: the current one first, then by name. */
export async function listTrails(context: Context): Promise<TrailInfo[]> {
  const { repo } = context;
  const head = await readHead(repo);
  const home = trailHome(repo, head, context.trailName);
  const refs = (await listRefs(repo, TRAIL_PREFIX)).filter(({ name }) => name !== home.ref);
  const current = home.checkedOut ? head.oid : await readRef(repo, home.ref);
  const infos: TrailInfo[] = [];
  if (current) infos.push(await describe(context, { ...home, oid: current }, true, head.oid));
  for (const { name: ref, oid } of refs)
    infos.push(await describe(context, { ref, checkedOut: false, oid }, false, head.oid));
  return infos;
}

interface TrailRef {
  ref: string;
  checkedOut: boolean;
  oid: string;
}

/** Describes one trail; for that of what is checked out, the files tell what is open, too. */
async function describe(
  context: Context,
  place: TrailRef,
  current: boolean,
  head: string | null,
): Promise<TrailInfo> {
  const { ref, checkedOut, oid } = place;
  const { repo, objects, trailName } = context;
  const trail = checkedOut ? null : await readTrail(repo, objects, trailName);
  const open =
    trail &&
    (await (current && trail.tip === oid
      ? openWork(await syncedSnapshot(context, trail))
      : openWorkOf(context, ref, oid, head)));
  const { meta } = await readEntry(objects, oid);
  return {
    ref,
    name: ref.replace(/^refs\/(heads\/)?/, ''),
    head: oid,
    current,
    checked_out: checkedOut,
    ...(await readNewest(context, place)),
    branch: (checkedOut ? ref.replace(/^refs\/heads\//, '') : meta?.branch) ?? null,
    left: open?.edits.length ?? 0,
    left_more: open?.more ?? false,
  };
}

async function readNewest(
  context: Context,
  { oid, checkedOut }: TrailRef,
): Promise<Pick<TrailInfo, 'edits' | 'more' | 'last' | 'sessions' | 'agents'>> {
  const sessions = new Set<string>();
  const agents = new Set<string>();
  let [edits, count] = [0, 0];
  for await (const entry of walkTrail(context.objects, oid, { ownOnly: !checkedOut, limit: COMMITS })) {
    count++;
    if (isEdit(entry)) edits++;
    if (entry.meta?.session) sessions.add(entry.meta.session);
    if (entry.meta?.agent) agents.add(entry.meta.agent);
  }
  const newest = await readEntry(context.objects, oid);
  return {
    edits,
    more: count === COMMITS,
    last: new Date(newest.time * 1000).toISOString(),
    sessions: [...sessions].slice(0, NAMED),
    agents: [...agents].slice(0, NAMED),
  };
}
