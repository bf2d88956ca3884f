/** The entries as people think of them: who made them, which files they are about, what took what back. Pure. */

import type { Timeline, TimelineEntry } from '../../../../queries/timeline/timeline.ts';
import type { Group, State } from '../contract.ts';
import { FileStory } from './file-story.ts';

/** The kind by which an entry is drawn. `commit` is one that the engine did not make. */
export type Kind =
  | 'edit'
  | 'create'
  | 'delete'
  | 'move'
  | 'undo'
  | 'redo'
  | 'back'
  | 'outside'
  | 'sync'
  | 'commit';

/** A link from an entry to another one: `words` go before it. */
export interface Relation {
  words: string;
  entry: number;
}

export class Story {
  readonly timeline: Timeline;
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  readonly files: FileStory[] = [];
  /** In the order of their first entries; whoever is not a session last. */
  readonly groups: readonly Group[];
  readonly #groupOf: Group[] = [];
  readonly #filesOf: number[][];
  readonly #byCommit: Map<string, number>;
  readonly #relations: Relation[][];
  readonly #tints = new Map<string, string>();

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

  kindOf(index: number): Kind {
    const { op } = this.entries[index]!;
    if (op === null) return 'commit';
    if (op === 'outside' || op === 'sync' || op === 'undo' || op === 'redo') return op;
    if (op === 'rollback' || op === 'revert' || op === 'restore') return 'back';
    return op === 'create' || op === 'delete' || op === 'move' ? op : 'edit';
  }

  /** False for what takes back or puts back, and for what came from outside. */
  isEdit(index: number): boolean {
    return ['edit', 'create', 'delete', 'move'].includes(this.kindOf(index));
  }

  /** True for an edit that stands nowhere any more, because somebody took it back. */
  isBack(index: number): boolean {
    return ['taken back', 'rejected', 'taken back by hand'].includes(this.entries[index]!.status.now);
  }

  groupOf(index: number): Group {
    return this.#groupOf[index]!;
  }

  filesOf(index: number): readonly number[] {
    return this.#filesOf[index]!;
  }

  /** The entry with this id or the beginning of one. */
  find(commit: string): number | null {
    const index = this.entries.findIndex(entry => commit.length >= 4 && entry.commit.startsWith(commit));
    return index < 0 ? null : index;
  }

  /** The file of an entry that replay and blame go on with, and its step there. */
  placeOf(
    chosen: number,
    { onlyFile, file: current }: Pick<State, 'onlyFile' | 'file'>,
  ): Pick<State, 'file' | 'step'> {
    const files = this.filesOf(chosen);
    const file = [onlyFile, current].find(one => one !== null && files.includes(one)) ?? files[0] ?? null;
    return { file, step: file === null ? 0 : this.files[file]!.stepOf(chosen) + 1 };
  }

  relationsOf(index: number): readonly Relation[] {
    return this.#relations[index]!;
  }

  sum(entries: readonly number[]): { added: number; removed: number } {
    const files = entries.flatMap(index => this.entries[index]!.files);
    return {
      added: files.reduce((total, file) => total + file.added, 0),
      removed: files.reduce((total, file) => total + file.removed, 0),
    };
  }

  /** Follows each file from its newest entry to its oldest, through moves, as the timeline was put together. */
  #tellFiles(): void {
    const open = new Map<string, number>();
    const taken = new Set<string>();
    for (const [entry, { files }] of this.entries.entries()) {
      for (const change of files) {
        const { path, from } = change;
        const file = open.get(path) ?? this.files.length;
        if (file === this.files.length) {
          const name = taken.has(path) ? `${path} (earlier)` : path;
          this.files.push(new FileStory(path, name, commit => this.#byCommit.get(commit) ?? null));
        }
        this.files[file]!.steps.unshift({ entry, change });
        this.#filesOf[entry]!.push(file);
        taken.add(path);
        open.delete(path);
        open.set(from ?? path, file);
      }
    }
  }

  #gather(): Group[] {
    const found = new Map<string, Group>();
    for (let index = this.entries.length - 1; index >= 0; index--) {
      const { key, group } = this.#groupFor(this.entries[index]!);
      if (!found.has(key)) found.set(key, group);
      found.get(key)!.entries.unshift(index);
      this.#groupOf[index] = found.get(key)!;
    }
    const groups = [...found.values()];
    const sorted = [
      ...groups.filter(one => one.session !== null),
      ...groups.filter(one => one.session === null),
    ];
    const agents = sorted.filter(one => one.session !== null).map(({ name }) => name);
    for (const [name, tint] of tintsOf(agents)) this.#tints.set(name, tint);
    for (const group of sorted) group.tint = group.session === null ? 'tint-other' : this.tintOf(group.name);
    return sorted;
  }

  /** The CSS class of an agent's colour; that of all others for who is no agent of the story. */
  tintOf(name: string): string {
    return this.#tints.get(name) ?? 'tint-other';
  }

  /** Finds the group; text from outside belongs to no session, whoever recorded it. */
  #groupFor({ op, session, agent, model, author }: TimelineEntry): { key: string; group: Group } {
    const isOutside = op === 'outside' || op === 'sync';
    const name = isOutside
      ? 'not through vedit'
      : (agent ?? (session === null || author !== 'agent' ? author : `session ${session}`));
    const own = isOutside ? null : session;
    const key = isOutside ? 'outside' : own === null ? `author ${author}` : `session ${own}`;
    return { key, group: { name, session: own, model, entries: [], tint: '' } };
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

const TINTS = 8;

/** Returns a colour, as a CSS class, for each agent: the same in every story, unless another agent of it has that by its name too. */
export function tintsOf(names: readonly string[]): Map<string, string> {
  const tints = new Map<string, string>();
  const taken = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    let tint = hashOf(name) % TINTS;
    while (taken.has(tint) && taken.size < TINTS) tint = (tint + 1) % TINTS;
    taken.add(tint);
    tints.set(name, `tint-${tint}`);
  }
  return tints;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
