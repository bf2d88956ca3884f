/** Finds every object that leads to the text: holds it, or leads to one that does. Each object is read once. */

import { latin1 } from '../bytes.ts';
import { isEditError } from '../errors.ts';
import { parseCommitHead } from '../git/objects/commit.ts';
import type { GitObject } from '../git/objects/object.ts';
import type { ObjectDatabase } from '../git/objects/object-database.ts';
import { isGitlink, parseTree } from '../git/objects/tree-entries.ts';

/** True for an object that holds the text itself. Asked of trees too: a name may hold it. */
export type Holds = (oid: string, object: GitObject) => boolean;

interface Frame {
  oid: string;
  children: string[];
  next: number;
  leads: boolean;
}

export class Tracer {
  readonly #objects: ObjectDatabase;
  readonly #holds: Holds;
  readonly #known = new Map<string, boolean>();
  /** By each id that leads to it, those that it leads there by. */
  readonly #children = new Map<string, readonly string[]>();
  /** Ids of objects that hold the purged text themselves, not by what they refer to. */
  readonly holding: Set<string> = new Set();
  /** The objects that could not be read, each with why. */
  readonly unread: Map<string, string> = new Map();

  constructor(objects: ObjectDatabase, holds: Holds) {
    this.#objects = objects;
    this.#holds = holds;
  }

  /** True where the object leads to the text. One that is missing, as below a shallow clone, does not. */
  async leads(oid: string): Promise<boolean> {
    const frames: Frame[] = [];
    const enter = async (next: string): Promise<void> => {
      if (!this.#known.has(next)) frames.push(await this.#open(next));
    };
    await enter(oid);
    for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
      const child = frame.children[frame.next++];
      if (child !== undefined) await enter(child);
      else this.#close(frames.pop()!);
    }
    return this.#known.get(oid)!;
  }

  async #open(oid: string): Promise<Frame> {
    // So that nothing is entered twice; nothing leads to itself.
    this.#known.set(oid, false);
    const object = await this.#readOrNull(oid);
    const leads = object !== null && this.#holds(oid, object);
    if (leads) this.holding.add(oid);
    return { oid, children: object ? childrenOf(object) : [], next: 0, leads };
  }

  #close({ oid, children, leads }: Frame): void {
    const to = children.filter(child => this.#known.get(child));
    if (!leads && to.length === 0) return;
    this.#known.set(oid, true);
    this.#children.set(oid, to);
  }

  async #readOrNull(oid: string): Promise<GitObject | null> {
    try {
      return await this.#objects.readOrNull(oid);
    } catch (error) {
      if (!isEditError(error, 'CORRUPT') && !isEditError(error, 'TOO_LARGE')) throw error;
      this.unread.set(oid, error.message);
      return null;
    }
  }

  /** Adds to `seen` all on the ways from an object to the text, itself among them; none where it does not lead there. */
  async waysFrom(oid: string, seen: Set<string> = new Set()): Promise<Set<string>> {
    if (!(await this.leads(oid))) return seen;
    const open = [oid];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(this.#children.get(next) ?? []));
    }
    return seen;
  }
}

/** Lists the ids of what an object names and git keeps because of it. */
export function childrenOf({ type, content }: GitObject): string[] {
  if (type === 'tree') return parseTree(content).flatMap(({ mode, oid }) => (isGitlink(mode) ? [] : [oid]));
  if (type === 'tag') return /^object ([0-9a-f]{40})\n/.exec(latin1(content.subarray(0, 64)))?.slice(1) ?? [];
  if (type === 'blob') return [];
  const { tree, parents } = parseCommitHead(content);
  return [...parents, tree];
}
