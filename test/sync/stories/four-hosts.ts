/** Four hosts on one trail, over HTTP. */

import { bareServer, type HttpOptions, httpServer } from '../../helpers/git-servers.ts';
import {
  asideIn,
  broken,
  type HostWork,
  settle,
  startHost,
  startHosts,
  type Totals,
} from './host-processes.ts';

const NAMES = ['one', 'two', 'three', 'four'];

export interface Figures {
  edits: number;
  /** Seconds until the last edit was answered, and until the server had all. */
  edited: number;
  synced: number;
  pushes: number;
  merges: number;
  outrun: number;
  aside: number;
  /** Syncs that failed, by why. */
  failed: Record<string, number>;
  /** Milliseconds that an edit waited for its answer, on average. */
  wait: number;
}

/** Answers what is wrong, and the figures. */
export async function fourHosts(
  work: Omit<HostWork, 'name'>,
  options: HttpOptions = {},
): Promise<{ wrong: string[]; figures: Figures }> {
  const server = bareServer();
  const { url } = await httpServer(server, options);
  const places = await startHosts(server, NAMES);
  for (const place of places) place.git('remote', 'set-url', 'origin', url);
  const hosts = places.map((place, n) => startHost(place, { ...work, name: NAMES[n]! }));
  await Promise.all(hosts.map(host => host.done));
  for (const place of places) place.git('remote', 'set-url', 'origin', server.dir);
  await settle(places);
  const acks = hosts.flatMap(host => host.acks);
  const wrong = hosts.flatMap(host => host.wrong);
  if (acks.length !== work.count * NAMES.length) wrong.push(`only ${acks.length} edits were acknowledged`);
  const aside = hosts.flatMap(host => host.aside);
  // What settling put aside, no process was told of.
  const told = new Set(aside.map(one => one.merge));
  const all = [...aside, ...asideIn(server).filter(one => !aside.some(known => known.aside === one.aside))];
  if (told.size === 0 && asideIn(server).length > 0)
    wrong.push('edits were put aside, and no event named one');
  wrong.push(...(await broken({ server, places, acks, aside: all })));
  const totals = hosts.flatMap(host => (host.totals ? [host.totals] : []));
  return { wrong, figures: figuresOf(totals, acks.length, asideIn(server).length) };
}

function figuresOf(totals: readonly Totals[], edits: number, aside: number): Figures {
  const sum = (of: (one: Totals) => number): number => totals.reduce((all, one) => all + of(one), 0);
  const failed: Record<string, number> = {};
  for (const one of totals)
    for (const [code, count] of Object.entries(one.failed)) failed[code] = (failed[code] ?? 0) + count;
  return {
    edits,
    edited: Math.max(...totals.map(one => one.edited)) / 1000,
    synced: Math.max(...totals.map(one => one.ms)) / 1000,
    pushes: sum(one => one.pushes),
    merges: sum(one => one.merges),
    outrun: sum(one => one.outrun),
    aside,
    failed,
    wait: Math.round(sum(one => one.waited) / edits),
  };
}
