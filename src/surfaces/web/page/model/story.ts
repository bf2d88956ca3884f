/** The entries as people think of them: who made them, which files they are about, what took what back. Pure. */

import { isHead, isOutside, isRejection, isWayBack } from '../../../../operations.ts';
import type { Timeline, TimelineEntry, TimelineFile } from '../../../../queries/timeline.ts';
import type { Group } from '../contract.ts';

/** A link from an entry to another one: `words` go before it. */
export interface Relation {
  words: string;
  entry: number;
}

/** One file through its edits. */
export interface FileStory {
  /** The newest path, marked when another file has it now. */
  name: string;
  /** Oldest first: which entry, and what it did to the file. */
  steps: Array<{ entry: number; change: TimelineFile }>;
}

/** Numbers of lines. */
export interface Sum {
  added: number;
  removed: number;
}

export class Story {
  readonly timeline: Timeline;
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  readonly files: FileStory[] = [];
  /** In the order of their first entries; whoever is not a session last. */
  readonly groups: readonly Group[];
  readonly #byName = new Map<string, FileStory>();
  readonly #groupOf: Group[] = [];
  readonly #filesOf: FileStory[][];
  readonly #byCommit: Map<string, number>;
  readonly #relations: Relation[][];

  constructor(timeline: Timeline) {
    this.timeline = timeline;
    this.entries = timeline.entries;
    this.#filesOf = this.entries.map(() => []);
    this.#byCommit = new Map(this.entries.map((entry, index) => [entry.commit, index]));
    this.#relations = this.entries.map(() => []);
    this.#tellFiles();
    this.groups = this.#gather();
    this.#relate();
  }

  /** Tells edits from what takes back or puts back, and from what came from outside. */
  isEdit(index: number): boolean {
    return !isWayBack(this.entries[index]!.op) && !this.isOutside(index);
  }

  /** Tells whether an entry is a change that did not come through the engine. */
  isOutside(index: number): boolean {
    const { op } = this.entries[index]!;
    return op === null || isOutside(op) || isHead(op) || isRejection(op);
  }

  /** Tells whether somebody took an edit back, so that it stands nowhere any more. */
  isBack(index: number): boolean {
    return ['taken back', 'rejected', 'taken out by hand'].includes(this.entries[index]!.status.now);
  }

  isRevertible(index: number): boolean {
    return this.isEdit(index) && !this.isBack(index);
  }

  groupOf(index: number): Group {
    return this.#groupOf[index]!;
  }

  fileNamed(name: string | null): FileStory | null {
    return this.#byName.get(name ?? '') ?? null;
  }

  /** Lists the files of an entry, in the order of its changes. */
  filesOf(index: number): readonly FileStory[] {
    return this.#filesOf[index]!;
  }

  /** Returns the entry of a commit. */
  indexOf(commit: string): number | null {
    return this.#byCommit.get(commit) ?? null;
  }

  /** Finds the entry with this id or the beginning of one. */
  find(commit: string): number | null {
    const index = this.entries.findIndex(entry => commit.length >= 4 && entry.commit.startsWith(commit));
    return index < 0 ? null : index;
  }

  /** Names a file of an entry: the first of `preferred` that is one, or else its first. */
  fileFor(commit: string, preferred: ReadonlyArray<string | null>): string | null {
    const names = this.filesOf(this.indexOf(commit)!).map(({ name }) => name);
    return preferred.find(one => one !== null && names.includes(one)) ?? names[0] ?? null;
  }

  relationsOf(index: number): readonly Relation[] {
    return this.#relations[index]!;
  }

  /** Counts the lines that an entry added and removed. */
  sumOf(index: number): Sum {
    const sum = { added: 0, removed: 0 };
    for (const { added, removed } of this.entries[index]!.files) {
      sum.added += added;
      sum.removed += removed;
    }
    return sum;
  }

  /** Follows each file from its newest entry to its oldest, through moves, as the timeline was put together. */
  #tellFiles(): void {
    const open = new Map<string, FileStory>();
    const taken = new Set<string>();
    for (const [entry, { files }] of this.entries.entries()) {
      for (const change of files) {
        const { path, from } = change;
        const file = open.get(path) ?? this.#newFile(path, taken.has(path));
        file.steps.unshift({ entry, change });
        this.#filesOf[entry]!.push(file);
        taken.add(path);
        open.delete(path);
        open.set(from ?? path, file);
      }
    }
  }

  /** Adds a file. Each has another name; `isTaken`: a later file has the path, and the name says so. */
  #newFile(path: string, isTaken: boolean): FileStory {
    let name = isTaken ? `${path} (earlier)` : path;
    for (let n = 2; this.#byName.has(name); n++) name = `${path} (earlier, ${n})`;
    const file: FileStory = { name, steps: [] };
    this.files.push(file);
    this.#byName.set(name, file);
    return file;
  }

  #gather(): Group[] {
    const found = new Map<string, Group>();
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const own = groupFor(this.entries[index]!);
      const group = found.get(own.key) ?? own;
      found.set(group.key, group);
      group.count++;
      this.#groupOf[index] = group;
    }
    const groups = [...found.values()];
    const sessions = groups.filter(one => one.session !== null);
    for (const group of sessions) group.tint = tintOf(group.name);
    return [...sessions, ...groups.filter(one => one.session === null)];
  }

  #relate(): void {
    for (const [index, { undoes, redoes, restores }] of this.entries.entries()) {
      const links = [
        ...undoes.map(commit => ({ commit, to: 'takes back', by: 'taken back by' })),
        ...redoes.map(commit => ({ commit, to: 'puts back', by: 'put back by' })),
        ...(restores === null ? [] : [{ commit: restores, to: 'returns to', by: 'returned to by' }]),
      ];
      for (const { commit, to, by } of links) {
        const other = this.#byCommit.get(commit);
        if (other === undefined) continue;
        this.#relations[index]!.push({ words: to, entry: other });
        this.#relations[other]!.push({ words: by, entry: index });
      }
    }
  }
}

/** Makes the group of an entry; text from outside belongs to no session, whoever recorded it. */
function groupFor({ op, session, agent, author, brought_by: brought }: TimelineEntry): Group {
  const rest = { count: 0, tint: 'tint-other' };
  if (isHead(op)) {
    const name = brought ?? 'git';
    return { key: `author ${name}`, name, session: null, ...rest };
  }
  if (isOutside(op)) return { key: 'outside', name: 'not through vedit', session: null, ...rest };
  const key = session === null ? `author ${author}` : `session ${session}`;
  const name = agent ?? (author === 'agent' && session !== null ? key : author);
  return { key, name, session, ...rest };
}

const TINTS = 8;

/** Returns the CSS class of an agent's colour: the same one wherever it is named. */
export function tintOf(name: string): string {
  return `tint-${hashOf(name) % TINTS}`;
}

/** Hashes a text by FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}

/** A map: an operation of a program's own may have the name of anything, `constructor` too. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'created',
    delete: 'deleted',
    move: 'moved',
    undo: 'undone',
    redo: 'redone',
    revert: 'taken out',
    rollback: 'rolled back',
    restore: 'restored',
    reject: 'rejected',
    outside: 'changed outside',
    head: 'synced',
    shell: 'changed by a command',
  }),
);

/** Returns the word for an operation; `null`: a commit that the engine did not make. */
export function verbOf(op: string | null): string {
  return op === null ? 'committed' : (VERBS.get(op) ?? 'edited');
}
