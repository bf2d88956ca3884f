/** What a person does with git, of one file of a real repository. The same acts as world.ts, which plays them in memory. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Acts } from './world.ts';

const lines = (text: string): string[] => text.split('\n').slice(0, -1);
const textOf = (all: readonly string[]): string => all.map(line => `${line}\n`).join('');

export class GitWorld implements Acts {
  readonly disk: Acts['disk'];
  readonly folder: string = mkdtempSync(join(tmpdir(), 'line-'));

  constructor(base: readonly string[]) {
    const file = join(this.folder, 'f');
    const show = (): string[] => lines(this.#git(['show', 'HEAD:f'])!);
    this.disk = {
      get file() {
        return lines(readFileSync(file, 'utf8'));
      },
      set file(text) {
        writeFileSync(file, textOf(text));
      },
      get head() {
        return show();
      },
    };
    this.#git(['init', '-q', '-b', 'main']);
    for (const [key, value] of Object.entries({ 'user.name': 'P', 'user.email': 'p@x', 'gc.auto': '0' }))
      this.#git(['config', key, value]);
    this.disk.file = [...base];
    this.#git(['add', 'f']);
    this.#git(['commit', '-qm', 'first']);
    this.#git(['branch', 'other']);
  }

  end(): void {
    rmSync(this.folder, { recursive: true });
  }

  /** What git prints; `null` where it fails. */
  #git(args: readonly string[], input?: string): string | null {
    try {
      return execFileSync('git', ['-C', this.folder, ...args], {
        encoding: 'utf8',
        input,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
    } catch {
      return null;
    }
  }

  /** A commit of this text, by plumbing: the file stays. */
  #made(text: readonly string[]): string {
    const blob = this.#git(['hash-object', '-w', '--stdin'], textOf(text))!.trim();
    const tree = this.#git(['mktree'], `100644 blob ${blob}\tf\n`)!.trim();
    return this.#git(['commit-tree', tree, '-p', 'HEAD', '-m', 'x'])!.trim();
  }

  commit(text?: readonly string[]): void {
    if (text) this.#git(['reset', '-q', '--mixed', this.#made(text)]);
    else this.#git(['commit', '-qam', 'own']);
  }

  amend(): void {
    this.#git(['commit', '-q', '--amend', '--no-edit', '-a']);
  }

  switchTo(name: string): boolean {
    return this.#git(['switch', '-q', name]) !== null;
  }

  stashed(between: () => void): boolean {
    const isOpen = this.#git(['status', '--porcelain'])! !== '';
    if (isOpen) this.#git(['stash', '-q']);
    between();
    if (!isOpen || this.#git(['stash', 'pop', '-q']) !== null) return true;
    this.#git(['reset', '-q', '--hard']);
    this.#git(['stash', 'drop', '-q']);
    return false;
  }

  pull(change: (text: readonly string[]) => string[]): boolean {
    const theirs = this.#made(change(this.disk.head));
    return this.stashed(() => this.#git(['merge', '-q', '--ff-only', theirs]));
  }
}
