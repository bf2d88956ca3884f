/** What a person does with git, of one file in memory: commit, amend, branches, stash, pull. Shares no code with src. */

import { diffArrays } from 'diff';
import type { Disk } from './folder.ts';

/** The acts of a person, on whatever holds the file and HEAD. */
export interface Acts {
  readonly disk: { file: string[]; readonly head: string[] };
  /** Commits the file, or this text and nothing else of the file. */
  commit(text?: readonly string[]): void;
  switchTo(name: string): boolean;
  stashed(between: () => void): boolean;
  pull(change: (text: readonly string[]) => string[]): boolean;
}

export class World implements Acts {
  readonly disk: Disk;
  readonly branches: Map<string, string[]>;
  branch = 'main';

  constructor(base: string[]) {
    this.disk = { file: [...base], head: [...base] };
    this.branches = new Map([
      ['main', base],
      ['other', base],
    ]);
  }

  commit(text: readonly string[] = this.disk.file): void {
    this.disk.head = [...text];
    this.branches.set(this.branch, [...text]);
  }

  /** As `git switch`: refused where the file has open work, and the branches differ. Answers whether it was done. */
  switchTo(name: string): boolean {
    const next = this.branches.get(name)!;
    const isOpen = !same(this.disk.file, this.disk.head);
    if (isOpen && !same(next, this.disk.head)) return false;
    this.branch = name;
    if (!isOpen) this.disk.file = [...next];
    this.disk.head = [...next];
    return true;
  }

  /** Sets open work aside, lets `between` happen, and brings it back where git would; else it is lost. */
  stashed(between: () => void): boolean {
    const { file, head } = this.disk;
    this.disk.file = [...head];
    between();
    const merged = merge(head, this.disk.head, file);
    this.disk.file = merged ?? [...this.disk.head];
    return merged !== null;
  }

  /** A colleague's commit comes. */
  pull(change: (text: readonly string[]) => string[]): boolean {
    return this.stashed(() => {
      this.commit(change(this.disk.head));
      this.disk.file = [...this.disk.head];
    });
  }
}

export const same = (one: readonly string[], other: readonly string[]): boolean =>
  one.join('\n') === other.join('\n');

interface Change {
  from: number;
  to: number;
  put: string[];
}

function changes(base: readonly string[], text: readonly string[]): Change[] {
  const found: Change[] = [];
  let at = 0;
  let open: Change | null = null;
  for (const part of diffArrays([...base], [...text])) {
    if (!part.added && !part.removed) {
      at += part.value.length;
      open = null;
      continue;
    }
    if (!open) found.push((open = { from: at, to: at, put: [] }));
    if (part.added) open.put.push(...part.value);
    else open.to = at += part.value.length;
  }
  return found;
}

/** Three texts joined as git does; `null` where two changes touch and differ. */
export function merge(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): string[] | null {
  const [mine, others] = [changes(base, ours), changes(base, theirs)];
  const all: Change[] = [...mine];
  for (const change of others) {
    const touching = mine.filter(({ from, to }) => from <= change.to && change.from <= to);
    if (touching.length === 0) all.push(change);
    else if (touching.length > 1 || !isSame(touching[0]!, change)) return null;
  }
  const text: string[] = [];
  let at = 0;
  for (const { from, to, put } of all.sort((a, b) => a.from - b.from)) {
    text.push(...base.slice(at, from), ...put);
    at = to;
  }
  return [...text, ...base.slice(at)];
}

function isSame(a: Change, b: Change): boolean {
  return a.from === b.from && a.to === b.to && same(a.put, b.put);
}
