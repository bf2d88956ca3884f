/**
 * Random histories of a real repository through the product itself: sessions edit, a person types and uses git, and what undo,
 * redo, landing, blame and log do and say is judged by texts alone, in which each line is unique and says who wrote it.
 */

import { isEditError, openWorkspace, type Session, type Workspace } from '../../../src/index.ts';
import { git } from '../../helpers/landing.ts';
import { GitWorld } from './git-world.ts';
import { BASE } from './history.ts';
import { changed, Random } from './random.ts';
import { same } from './world.ts';

interface Edit {
  commit: string;
  put: readonly string[];
  took: readonly string[];
  undone: boolean;
}

export interface ProductCounts {
  blame: number;
  status: number;
  undo: number;
  redo: number;
  land: number;
  refused: number;
}

export const NO_COUNTS: ProductCounts = { blame: 0, status: 0, undo: 0, redo: 0, land: 0, refused: 0 };

/** Plays one history. Answers what was found wrong, with the acts before it. */
export async function playProduct(seed: number, acts: number, counts: ProductCounts): Promise<string[]> {
  const world = new GitWorld(BASE);
  const workspace = await openWorkspace({ root: world.folder, user: { name: 'P', email: 'p@x' } });
  const history = new ProductHistory(seed, world, workspace, counts);
  await history.play(acts);
  await workspace.close();
  world.end();
  return history.wrong;
}

class ProductHistory {
  readonly wrong: string[] = [];
  readonly #random: Random;
  readonly #seed: number;
  readonly #world: GitWorld;
  readonly #workspace: Workspace;
  readonly #sessions: readonly Session[];
  readonly #counts: ProductCounts;
  readonly #edits: Edit[] = [];
  readonly #trace: string[] = [];
  #next = 0;

  constructor(seed: number, world: GitWorld, workspace: Workspace, counts: ProductCounts) {
    [this.#seed, this.#world, this.#workspace, this.#counts] = [seed, world, workspace, counts];
    this.#random = new Random(seed);
    this.#sessions = ['ann', 'bob'].map(agent => workspace.session({ agent, id: agent }));
  }

  async play(acts: number): Promise<void> {
    for (let at = 0; at < acts && this.wrong.length === 0; at++) {
      await this.#act();
      if (this.#random.below(4) === 0) await this.#check();
    }
    await this.#check();
    const { faults } = (await this.#workspace.verify()).data;
    if (faults.length > 0) this.#fail(`verify: ${JSON.stringify(faults)}`);
  }

  #fail(what: string): void {
    this.wrong.push(`seed ${this.#seed}: ${what}\n  ${this.#trace.slice(-12).join('\n  ')}`);
  }

  get #file(): readonly string[] {
    return this.#world.disk.file;
  }

  async #act(): Promise<void> {
    const what = this.#random.below(18);
    if (what < 6) return this.#edit();
    if (what < 12) this.#git(what);
    else if (what < 15) return this.#undo();
    else if (what === 15) return this.#redo();
    else return this.#land();
  }

  /** A change of up to two lines, in which new lines begin with `mark`. */
  #changed(mark: string, text: readonly string[]): string[] {
    return changed(this.#random, text, () => `${mark}${this.#next++}`);
  }

  #git(what: number): void {
    const world = this.#world;
    const name = this.#random.one(['main', 'other']);
    const acts: ReadonlyArray<readonly [name: string, act: () => unknown]> = [
      ['type', () => (world.disk.file = this.#changed('P', this.#file))],
      ['commit', () => world.commit()],
      [`stash, switch ${name}, pop`, () => world.stashed(() => world.switchTo(name))],
      [`switch ${name}`, () => world.switchTo(name)],
      ['pull', () => world.pull(text => this.#changed('C', text))],
      ['amend', () => world.amend()],
    ];
    const [told, act] = acts[what - 6]!;
    const done = act();
    this.#trace.push(`${told} ${done} -> ${this.#file.join(' ')} | HEAD ${world.disk.head.join(' ')}`);
  }

  async #edit(): Promise<void> {
    const before = this.#file;
    const text = this.#changed(`A${this.#edits.length}_`, before);
    const file_text = text.map(line => `${line}\n`).join('');
    const session = this.#random.one(this.#sessions);
    const { data } = await session.edit('create', { path: 'f', file_text, overwrite: true });
    const put = text.filter(line => !before.includes(line));
    const took = before.filter(line => !text.includes(line));
    if (!same(text, this.#file)) this.#fail('an edit wrote another text');
    this.#edits.push({ commit: data.commit!, put, took, undone: false });
    this.#trace.push(`edit ${this.#edits.length - 1} +${put} -${took} -> ${text.join(' ')}`);
  }

  /** What the action did, or `null` where it was refused, and changed nothing. */
  async #tried<T>(told: string, act: () => Promise<T>): Promise<T | null> {
    const [file, head] = [this.#file, this.#world.disk.head];
    try {
      const done = await act();
      this.#trace.push(`${told} -> ${this.#file.join(' ')} | HEAD ${this.#world.disk.head.join(' ')}`);
      return done;
    } catch (error) {
      if (!isEditError(error, 'CONFLICT', 'NO_CHANGE')) throw error;
      if (error.code === 'CONFLICT') this.#counts.refused++;
      this.#trace.push(`${told}: ${error.code}`);
      if (!same(file, this.#file) || !same(head, this.#world.disk.head))
        this.#fail(`a refused ${told} changed something`);
      return null;
    }
  }

  async #undo(): Promise<void> {
    const open = this.#edits.filter(edit => !edit.undone);
    if (open.length === 0) return;
    const edit = this.#random.one(open);
    const before = this.#file;
    const name = `undo ${this.#edits.indexOf(edit)}`;
    const done = await this.#tried(name, () => this.#sessions[0]!.revert(edit.commit));
    if (!done) return;
    this.#counts.undo++;
    edit.undone = true;
    this.#judgeBack(before, edit.put, edit.took, name);
  }

  async #redo(): Promise<void> {
    const undone = this.#edits.filter(edit => edit.undone);
    if (undone.length === 0) return;
    const edit = this.#random.one(undone);
    const before = this.#file;
    const entries = (await this.#sessions[0]!.log()).data.entries;
    const undo = entries.find(({ undoes }) => undoes.some(id => edit.commit.startsWith(id)));
    if (!undo) return this.#fail(`log tells of no undo of ${edit.commit}`);
    const name = `redo ${this.#edits.indexOf(edit)}`;
    if (!(await this.#tried(name, () => this.#sessions[0]!.revert(undo.commit)))) return;
    this.#counts.redo++;
    edit.undone = false;
    this.#judgeBack(before, edit.took, edit.put, name);
  }

  /** No line goes but these, and none comes but those. */
  #judgeBack(
    before: readonly string[],
    goes: readonly string[],
    comes: readonly string[],
    told: string,
  ): void {
    const after = this.#file;
    for (const line of before)
      if (!goes.includes(line) && !after.includes(line)) this.#fail(`${told} took out ${line}`);
    for (const line of after) {
      // A line that HEAD brought again is not the edit's to take out again.
      if (told.startsWith('undo') && goes.includes(line)) this.#fail(`${told} left ${line}`);
      if (!before.includes(line) && !comes.includes(line)) this.#fail(`${told} brought ${line}`);
    }
    const [kept, now] = [
      before.filter(line => after.includes(line)),
      after.filter(line => before.includes(line)),
    ];
    if (!same(kept, now)) this.#fail(`${told} changed the order`);
  }

  async #land(): Promise<void> {
    const chosen = this.#edits.filter(edit => !edit.undone && this.#random.below(3) > 0);
    if (chosen.length === 0) return;
    const [file, head] = [this.#file, this.#world.disk.head];
    const names = chosen.map(edit => this.#edits.indexOf(edit)).join(' ');
    const commits = chosen.map(({ commit }) => commit);
    if (!(await this.#tried(`land ${names}`, () => this.#workspace.land({ commits, git })))) return;
    this.#counts.land++;
    if (!same(file, this.#file)) this.#fail('landing changed the file');
    const text = this.#world.disk.head;
    const own = new Set(chosen.flatMap(({ put }) => put));
    for (const line of text) {
      if (head.includes(line)) continue;
      if (!file.includes(line)) this.#fail(`landing brings ${line}, which the file lacks`);
      if (!own.has(line) && (line.startsWith('A') || line.startsWith('P')))
        this.#fail(`landing brings another's ${line}`);
    }
    for (const line of head)
      if (!text.includes(line) && file.includes(line)) this.#fail(`landing drops ${line}`);
    for (const line of own)
      if (file.includes(line) && !text.includes(line)) this.#fail(`landing leaves out ${line}`);
  }

  /** What blame and log say now. */
  async #check(): Promise<void> {
    if (this.#edits.length === 0) return;
    const [file, head] = [this.#file, this.#world.disk.head];
    const { lines } = (await this.#sessions[0]!.blame({ path: 'f' })).data;
    for (const { text, commit, agent } of lines) {
      this.#counts.blame++;
      const edit = this.#edits.find(({ put }) => put.includes(text));
      const isRight = edit ? edit.commit === commit : agent === null;
      if (!isRight) this.#fail(`blame of ${text}: ${commit} ${agent}`);
    }
    const entries = (await this.#sessions[0]!.log()).data.entries;
    for (const edit of this.#edits) {
      this.#counts.status++;
      const told = entries.find(({ commit }) => commit === edit.commit)?.status.lines;
      const [there, landed] = [file, head].map(text => edit.put.filter(line => text.includes(line)));
      const open = there!.filter(line => !landed!.includes(line)).length;
      const both = there!.length - open;
      const isSaid = told && (told.open ?? 0) >= open && (told.landed ?? 0) >= both;
      if (!isSaid)
        this.#fail(
          `edit ${this.#edits.indexOf(edit)} has ${open} open, ${both} landed: ${JSON.stringify(told)}`,
        );
    }
  }
}
