/**
 * Random histories of a folder in which people move, rename and format what agents edit, and use git. Each line holds a word
 * of its own that says who wrote it: blame, ways back, rejections and landings are judged by those words alone.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isEditError, openWorkspace, type Session, type Workspace } from '../../../src/index.ts';
import { git } from '../../helpers/landing.ts';
import { personRepo } from '../../helpers/person-repo.ts';
import { changed, Random } from './random.ts';

export interface FolderCounts {
  blamed: number;
  back: number;
  rejected: number;
  landed: number;
}

type Files = Readonly<Record<string, string>>;
type Act = readonly [name: string, act: () => unknown];

const ADA = { name: 'Ada', email: 'ada@example.com' };

/** Plays one history. Answers what was found wrong, with the acts before it. */
export async function playFolder(seed: number, acts: number, counts: FolderCounts): Promise<string[]> {
  const history = new FolderHistory(seed, counts);
  await history.play(acts);
  return history.wrong;
}

class FolderHistory {
  readonly wrong: string[] = [];
  readonly #random: Random;
  readonly #seed: number;
  readonly #counts: FolderCounts;
  readonly #root: string;
  readonly #trace: string[] = [];
  #workspace!: Workspace;
  #sessions: Session[] = [];
  #next = 0;

  constructor(seed: number, counts: FolderCounts) {
    [this.#seed, this.#counts, this.#random] = [seed, counts, new Random(seed)];
    const text = (name: string): string => this.#text(8, `Ada_${name}`);
    this.#root = personRepo({
      'a.js': text('a'),
      'b.js': text('b'),
      'd/c.js': text('c'),
      'd/e/f.js': text('f'),
    }).dir;
  }

  async play(acts: number): Promise<void> {
    this.#workspace = await openWorkspace({ root: this.#root, user: ADA });
    this.#sessions = ['ann', 'bob'].map(agent => this.#workspace.session({ agent, id: agent }));
    for (let at = 0; at < acts && this.wrong.length === 0; at++) {
      await this.#act();
      if (this.#random.below(8) === 0) await this.#check();
    }
    await this.#check();
    const { faults } = (await this.#workspace.verify()).data;
    if (faults.length > 0) this.#fail(`verify: ${JSON.stringify(faults)}`);
    await this.#workspace.close();
  }

  #fail(what: string): void {
    this.wrong.push(`seed ${this.#seed}: ${what}\n  ${this.#trace.slice(-12).join('\n  ')}`);
  }

  /** Lines, each with a word of its own: `who_number`. */
  #text(count: number, who: string): string {
    return Array.from({ length: count }, () => `say('${who}_${this.#next++}');\n`).join('');
  }

  #files(folder = ''): Files {
    const found: Record<string, string> = {};
    for (const name of readdirSync(join(this.#root, folder)).sort()) {
      const path = join(folder, name);
      if (name === '.git') continue;
      if (statSync(join(this.#root, path)).isDirectory()) Object.assign(found, this.#files(path));
      else found[path] = readFileSync(join(this.#root, path), 'utf8');
    }
    return found;
  }

  async #act(): Promise<void> {
    const what = this.#random.below(20);
    // All may be in a stash, or never have been committed.
    if (Object.keys(this.#files()).length === 0) return void this.#git('checkout', '-qf', 'main', '--', '.');
    if (what < 9) return this.#person();
    if (what < 15) return this.#agent();
    if (what < 17) return this.#undoAndRedo();
    return what === 17 ? this.#reject() : this.#land();
  }

  #person(): void {
    const files = this.#files();
    const [path, text] = this.#random.one(Object.entries(files));
    const write = (fresh: string) => (): void => writeFileSync(join(this.#root, path), fresh);
    const typed = changed(this.#random, text.split('\n').slice(0, -1), () => this.#text(1, 'Ada').trimEnd());
    const formatted = text.replaceAll(/^(?=\S)/gm, '  ').replaceAll("'", '"');
    const folder = this.#random.one(readdirSync(this.#root).filter(name => !/[.]/.test(name)));
    const acts: Act[] = [
      [`type ${path}`, write(typed.map(line => `${line}\n`).join(''))],
      [`format ${path}`, write(formatted)],
      [`mv ${path}`, () => this.#move(path, this.#fresh())],
      [`git mv ${path}`, () => this.#git('mv', path, `moved${this.#next++}.js`)],
      [`mv ${folder}`, () => folder && this.#move(folder, `folder${this.#next++}`)],
      ['commit -a', () => this.#git('commit', '-qam', 'mine')],
      ['commit all', () => this.#git('add', '-A') && this.#git('commit', '-qm', 'mine')],
      ['amend', () => this.#git('commit', '-qa', '--amend', '--no-edit')],
      ['stash', () => this.#git('stash', '-qu')],
      ['pop', () => this.#pop()],
      ['switch', () => this.#git('checkout', '-q', this.#git('checkout', '-qb', 'other') ? 'main' : 'other')],
    ];
    const [name, act] = this.#random.one(acts);
    act();
    this.#trace.push(name);
  }

  #fresh(): string {
    return `${this.#random.one(['', 'd/', 'new/'])}named${this.#next++}.js`;
  }

  #move(from: string, to: string): void {
    mkdirSync(dirname(join(this.#root, to)), { recursive: true });
    renameSync(join(this.#root, from), join(this.#root, to));
  }

  #pop(): void {
    if (this.#git('stash', 'pop', '-q')) return;
    this.#git('checkout', '-qf', 'HEAD');
    this.#git('clean', '-qfd');
  }

  /** True where git did it. */
  #git(...args: string[]): boolean {
    try {
      execFileSync('git', ['-C', this.#root, ...args], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  async #agent(): Promise<void> {
    const files = this.#files();
    const paths = Object.keys(files);
    const [path, other] = [this.#random.one(paths), this.#random.one(paths)];
    const session = this.#random.one(this.#sessions);
    const fresh = this.#text(2, session.agent!);
    const [file_text, new_path] = [`${fresh}${files[path]!.replaceAll(/^(?=\S)/gm, '  ')}`, this.#fresh()];
    const above = { path: other, file_text: `${fresh}${files[other]}`, overwrite: true };
    const acts: Act[] = [
      [`write ${path}`, () => session.edit('create', { path, file_text, overwrite: true })],
      [`create ${new_path}`, () => session.edit('create', { path: new_path, file_text: fresh })],
      [`move ${path} ${new_path}`, () => session.edit('move', { path, new_path })],
      [`delete ${path}`, () => paths.length > 3 && session.edit('delete', { path })],
      [`insert ${other}`, () => session.edit('create', above)],
    ];
    if (path !== other) {
      const edits = [
        { edit: 'move' as const, path, new_path },
        { edit: 'create' as const, ...above },
      ];
      acts.push([`move ${path} ${new_path}, insert ${other}`, () => session.change(edits)]);
    }
    const [name, act] = this.#random.one(acts);
    await this.#tried(`${session.agent} ${name}`, act);
  }

  /** Answers what was done; `null` where it was refused, and changed nothing. */
  async #tried<T>(name: string, act: () => T | Promise<T>): Promise<T | null> {
    const before = JSON.stringify(this.#files());
    try {
      const done = await act();
      this.#trace.push(name);
      return done;
    } catch (error) {
      if (!isEditError(error, 'CONFLICT', 'NO_CHANGE', 'REJECTED', 'FILE_EXISTS')) throw error;
      this.#trace.push(`${name}: ${error.code}`);
      if (JSON.stringify(this.#files()) !== before) this.#fail(`a refused ${name} changed files`);
      return null;
    }
  }

  async #undoAndRedo(): Promise<void> {
    const session = this.#random.one(this.#sessions);
    const before = this.#files();
    if (!(await this.#tried('undo', () => session.undo()))) return;
    const gone = minus(wordsOf(before), wordsOf(this.#files()));
    for (const word of gone)
      if (!word.startsWith(session.agent!)) this.#fail(`${session.agent}'s undo takes out ${word}`);
    await this.#tried('redo', () => session.redo());
    this.#counts.back++;
    if (JSON.stringify(this.#files()) !== JSON.stringify(before)) this.#fail('undo and redo are not nothing');
  }

  async #reject(): Promise<void> {
    const { hunks } = (await this.#workspace.review()).data;
    if (hunks.length === 0) return;
    const { path, lines, commit, version } = this.#random.one(hunks);
    const [before, head] = [this.#files(), new Set(this.#head())];
    const at = { at: commit, path, lines, version: version ?? undefined };
    if (this.#random.below(2))
      return void (await this.#tried(`accept ${path}`, () => this.#workspace.accept(at)));
    if (!(await this.#tried(`reject ${path}`, () => this.#workspace.reject(at)))) return;
    this.#counts.rejected++;
    // What an undo brought back in place of text that HEAD has goes again.
    for (const word of minus(wordsOf(before), wordsOf(this.#files())))
      if (word.startsWith('Ada') && head.has(word)) this.#fail(`a rejection takes out ${word}`);
  }

  async #land(): Promise<void> {
    const [files, old] = [this.#files(), this.#head()];
    const land = (): Promise<unknown> => this.#workspace.land({ git, message: 'Landed', outside: true });
    if (!(await this.#tried('land', land))) return;
    this.#counts.landed++;
    if (JSON.stringify(this.#files()) !== JSON.stringify(files)) this.#fail('a landing changed files');
    const there = new Set(wordsOf(files));
    for (const word of minus(this.#head(), old))
      if (!there.has(word)) this.#fail(`a landing brings ${word}, which no file has`);
  }

  /** The words of HEAD's files. */
  #head(): string[] {
    // Without a file it finds nothing, and ends with 1.
    const { stdout } = spawnSync('git', ['-C', this.#root, 'grep', '-hI', '', 'HEAD'], { encoding: 'utf8' });
    return wordsOf({ stdout });
  }

  async #check(): Promise<void> {
    for (const path of Object.keys(this.#files())) {
      const blamed = await this.#sessions[0]!.blame({ path }).catch(error => {
        if (isEditError(error, 'FILE_NOT_FOUND', 'NO_CHANGE')) return null;
        throw error;
      });
      for (const { text, agent, commit } of blamed?.data.lines ?? []) {
        const [who] = wordsOf({ text });
        this.#counts.blamed++;
        if (who && !who.startsWith(agent ?? 'Ada'))
          this.#fail(`blame of ${who} in ${path}: ${commit} ${agent}`);
      }
    }
  }
}

function wordsOf(files: Files): string[] {
  return Object.values(files).flatMap(text =>
    [...text.matchAll(/(?:Ada|ann|bob)[_\w]*/g)].map(([word]) => word),
  );
}

function minus(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return all.filter(one => !known.has(one));
}
