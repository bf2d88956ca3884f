/** The trail's commits for a check: every one down to its beginning, however broken it may be. */

import { ifRefused } from '../../errors.ts';
import { type Identity, parseCommit } from '../../git/objects/commit.ts';
import type { ObjectDatabase } from '../../git/objects/object-database.ts';
import { shortId } from '../../wording.ts';
import type { TrailHead, TrailTip } from '../head.ts';
import { beginsTrail, readEntry, type TrailEntry, walkTrail } from '../walk.ts';
import { type Fault, fault, faultsOf } from './faults.ts';

export interface Link {
  entry: TrailEntry;
  committer: Identity;
}

export interface Chain {
  /** Oldest first; on a checked-out branch with the commits of others in between. */
  links: Link[];
  /** The commit that was checked before, where the chain came to it: what is below was not read. */
  since: TrailEntry | null;
  /** The faults that stand in the way of reading all of it. */
  faults: Fault[];
}

export interface ChainOptions {
  shallow: ReadonlySet<string>;
  /** The full id of a commit that was checked before. */
  since?: string | undefined;
  onCommit?: ((count: number) => void) | undefined;
}

export async function readChain(
  objects: ObjectDatabase,
  trail: TrailTip,
  options: ChainOptions,
): Promise<Chain> {
  const links: Link[] = [];
  const faults: Fault[] = [];
  const strangers: string[] = [];
  let next = trail.tip;
  let since: TrailEntry | null = null;
  for (let count = 1; next !== null; count++) {
    const link: Link | null = await readLink(objects, next, links.at(-1), faults);
    if (!link) break;
    if (next === options.since) {
      since = link.entry;
      break;
    }
    if (link.entry.meta || trail.checkedOut) {
      faults.push(...foreign(strangers));
      links.push(link);
    } else if (stoodOn(links.at(-1), next) || strangers.push(next) >= LIMIT) break;
    options.onCommit?.(count);
    next = endsAt(link.entry, trail, options) ? null : (link.entry.parents[0] ?? null);
  }
  faults.push(...foreign(strangers));
  links.reverse();
  if (!trail.checkedOut && options.shallow.size === 0 && !since) faults.push(...beheaded(links[0], faults));
  return { links, since, faults };
}

function endsAt(
  entry: TrailEntry,
  { checkedOut }: Pick<TrailHead, 'checkedOut'>,
  { shallow }: ChainOptions,
): boolean {
  return (!checkedOut && beginsTrail(entry)) || shallow.has(entry.commit);
}

/** The first commit of a trail beside the branch says that it is. Where reading broke off, that is fault enough. */
function beheaded(oldest: Link | undefined, faults: readonly Fault[]): Fault[] {
  if (!oldest || beginsTrail(oldest.entry) || faults.some(one => one.kind === 'unreadable')) return [];
  const words = 'It is the oldest commit of the history, and not the first: what was below it is gone.';
  return [fault('link', oldest.entry.commit, words)];
}

async function readLink(
  objects: ObjectDatabase,
  oid: string,
  above: Link | undefined,
  faults: Fault[],
): Promise<Link | null> {
  let link: Link | null = null;
  const found = await faultsOf(above?.entry.commit ?? oid, null, async () => {
    const { content } = await objects.read(oid, 'commit');
    link = { entry: await readEntry(objects, oid), committer: parseCommit(content).committer };
    return [];
  });
  for (const fault of found) faults.push(fault);
  return link;
}

/** Below the trail's own commits lies the one that HEAD was at: they say which. */
function stoodOn(oldest: Link | undefined, oid: string): boolean {
  if (!oldest) return false;
  const { meta, parents } = oldest.entry;
  return meta?.head === undefined ? parents[0] === oid : meta.head === oid;
}

/** One fault for an unbroken row of commits of others, above the trail's beginning. */
function foreign(row: string[]): Fault[] {
  const [first, ...rest] = row.splice(0);
  if (first === undefined) return [];
  const which = rest.length === 0 ? 'is a commit' : `is the first of ${rest.length + 1} commits in a row`;
  return [fault('foreign', first, `${shortId(first)} ${which} that the engine did not make.`)];
}

/** The most commits of others in a row, below which no more of the trail is looked for. */
const LIMIT = 10_000;

interface BelowOptions {
  /** The commit that was checked before: what is below it is read when it is asked for. */
  since: TrailEntry | null;
  ownOnly: boolean;
}

/** The commits of a trail that are below the one that is being checked. */
export class Below {
  readonly #entries = new Map<string, TrailEntry>();
  readonly #older: AsyncGenerator<TrailEntry> | null;

  constructor(objects: ObjectDatabase, { since, ownOnly }: BelowOptions) {
    if (since) this.add(since);
    this.#older = since && walkTrail(objects, since.parents[0] ?? null, { ownOnly });
  }

  add(entry: TrailEntry): void {
    this.#entries.set(entry.commit, entry);
  }

  /** The commit, if it is one of those that were checked or read so far. */
  get(oid: string): TrailEntry | undefined {
    return this.#entries.get(oid);
  }

  async has(oid: string): Promise<boolean> {
    while (!this.#entries.has(oid)) if (!(await this.#readOlder())) return false;
    return true;
  }

  async hasPrefix(prefix: string): Promise<boolean> {
    if ([...this.#entries.keys()].some(oid => oid.startsWith(prefix))) return true;
    for (let next = await this.#readOlder(); next; next = await this.#readOlder())
      if (next.commit.startsWith(prefix)) return true;
    return false;
  }

  /**
   * Reads the next older entry. One that was checked before and cannot be read now is not there for those who look
   * below it.
   */
  async #readOlder(): Promise<TrailEntry | null> {
    const next = await this.#older?.next().catch(ifRefused(null));
    if (!next || next.done) return null;
    this.add(next.value);
    return next.value;
  }
}
