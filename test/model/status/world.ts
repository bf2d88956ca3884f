/**
 * A person's repository in memory, with a trail beside its branches: texts and refs, no git. What happened is kept as it
 * happened: each version of a trail is there with its parent, its kind and HEAD at that time.
 */

import { isSame, type Line, merged, type Text } from './lines.ts';

export const PATHS = ['a', 'b'] as const;

/** Texts by path. */
export type Files = Readonly<Record<string, Text>>;

export interface Commit {
  parent: Commit | null;
  files: Files;
}

/** What a version of a trail is; `base` is the commit that the trail begins at. Commands and redos are of the real engine alone. */
export type Kind = 'base' | 'edit' | 'command' | 'back' | 'redo' | 'reject' | 'outside' | 'head';

export interface Version {
  /** In the order in which versions were made. */
  number: number;
  id: string;
  kind: Kind;
  parent: Version | null;
  head: Commit;
  files: Files;
}

export interface Stash {
  base: Commit;
  index: Files;
  work: Files;
}

/** What a reader is given. */
export interface Scene {
  tip: Version;
  work: Files;
  head: Files;
  /** With what it was made from, where that is known. */
  elsewhere: ReadonlyArray<{ where: string; files: Files; from?: Files }>;
}

export class World {
  branch = 'main';
  readonly branches: Map<string, Commit> = new Map();
  readonly trails: Map<string, Version> = new Map();
  readonly stashes: Stash[] = [];
  index: Files;
  work: Files;
  /** The trail that was written last: what a branch without one may go on from. */
  newest: Version | null = null;
  /** Lines that were put in the place of others: they do not say the same. */
  readonly instead: Map<Line, Text> = new Map();
  #versions = 0;
  #lines = 0;

  constructor(lengths: readonly number[]) {
    const files = Object.fromEntries(PATHS.map((path, n) => [path, this.typed(lengths[n]!)]));
    this.branches.set('main', { parent: null, files });
    this.index = files;
    this.work = files;
  }

  get head(): Commit {
    return this.branches.get(this.branch)!;
  }

  /** New lines, in the place of others. */
  typed(count: number, gone: Text = []): Line[] {
    const lines = Array.from({ length: count }, () => this.#lines++);
    for (const line of lines) this.instead.set(line, gone);
    return lines;
  }

  moveHead(to: Commit): void {
    this.branches.set(this.branch, to);
  }

  write(path: string, text: Text): void {
    this.work = { ...this.work, [path]: text };
  }

  get isClean(): boolean {
    return isSameFiles(this.work, this.head.files) && isSameFiles(this.index, this.head.files);
  }

  /** The trail as it is when HEAD that moved counts as joined already; `null` where there is none. */
  synced(): Version | null {
    const { head } = this;
    const tip = this.#continued();
    if (!tip || tip.head === head) return tip;
    const files = synced(tip, head, this.work);
    return this.#version('head', { parent: tip, head, files });
  }

  #version(kind: Kind, { parent, head, files }: Pick<Version, 'parent' | 'head' | 'files'>): Version {
    const number = this.#versions++;
    return { number, id: `${kind} ${number}`, kind, parent, head, files };
  }

  /** The branch's own trail, or one that grew from it, or the newest where it has none, if its work is in the files. */
  #continued(): Version | null {
    const own = this.trails.get(this.branch) ?? null;
    const { newest } = this;
    if (!newest || own === newest || (own && !ancestors(newest).includes(own))) return own;
    const [first] = ancestors(newest);
    const isThere = PATHS.some(path => {
      const base = new Set(own?.files[path] ?? first!.files[path]);
      return newest.files[path]!.some(line => !base.has(line) && this.work[path]!.includes(line));
    });
    return isThere ? newest : own;
  }

  /** Records a step of the trail that changes some files, after HEAD and what came from outside at their paths. */
  record(kind: Kind, files: Files): Version {
    this.recordOutside(Object.keys(files));
    const version = this.#append(kind, files);
    this.work = { ...this.work, ...files };
    return version;
  }

  recordOutside(paths: readonly string[]): void {
    const { head } = this;
    const tip = this.synced() ?? this.#version('base', { parent: null, head, files: head.files });
    this.trails.set(this.branch, tip);
    this.newest = tip;
    for (const path of paths)
      if (!isSame(this.work[path]!, tip.files[path]!)) this.#append('outside', { [path]: this.work[path]! });
  }

  #append(kind: Kind, files: Files): Version {
    const tip = this.trails.get(this.branch)!;
    return this.#move(
      this.#version(kind, { parent: tip, head: tip.head, files: { ...tip.files, ...files } }),
    );
  }

  #move(version: Version): Version {
    this.trails.set(this.branch, version);
    this.newest = version;
    return version;
  }

  /** What a reader sees; `null` where there is no trail. */
  scene(): Scene | null {
    const tip = this.synced();
    if (!tip) return null;
    const elsewhere = [
      { where: 'index', files: this.index, from: this.head.files },
      ...this.stashes.flatMap(({ base, work, index }, n) => [
        { where: `stash@{${n}}`, files: work, from: base.files },
        { where: `stash@{${n}}`, files: index, from: base.files },
      ]),
      ...[...this.branches]
        .filter(([name]) => name !== this.branch)
        .map(([name, { files }]) => ({ where: `branch ${name}`, files })),
    ];
    return { tip, work: this.work, head: this.head.files, elsewhere };
  }
}

/** What brings a trail up to HEAD, as src/engine/change/retained-edits.ts chooses. */
export function synced(tip: Version, head: Commit, work: Files): Files {
  return mapFiles(path => {
    const [old, ours, theirs] = [tip.head.files[path]!, tip.files[path]!, head.files[path]!];
    const file = work[path]!;
    if (isSame(ours, old) || isSame(file, theirs)) return theirs;
    if (isSame(file, ours) || isSame(old, theirs)) return ours;
    const without = merged(ours, file, old);
    if (without && isSame(without, file)) return theirs;
    return merged(old, theirs, ours) ?? theirs;
  });
}

/** The version and all that it grew from, oldest first. */
export function ancestors(tip: Version): Version[] {
  const found: Version[] = [];
  for (let one: Version | null = tip; one; one = one.parent) found.unshift(one);
  return found;
}

export function mapFiles(text: (path: string) => Text): Files {
  return Object.fromEntries(PATHS.map(path => [path, text(path)]));
}

export function isSameFiles(one: Files, other: Files): boolean {
  return PATHS.every(path => isSame(one[path]!, other[path]!));
}

/** Both changes in one, or `null`. */
export function mergedFiles(base: Files, ours: Files, theirs: Files): Files | null {
  const files: Record<string, Text> = {};
  for (const path of PATHS) {
    const text = merged(base[path]!, ours[path]!, theirs[path]!);
    if (!text) return null;
    files[path] = text;
  }
  return files;
}
