/**
 * Random histories of a folder, and the oracle that judges them. Each line is unique and says in its text who wrote it, so the
 * truth about blame, status, undo and landing is read from the texts alone: the oracle shares no code with src.
 */

import type { LineEvent } from '../../../src/line/event.ts';
import { lastText, putBy, textAfter, textOf } from '../../../src/line/row.ts';
import type { Weave } from '../../../src/line/weave.ts';
import { type Fate, fatesIn } from '../../../src/line/words.ts';
import { Folder } from './folder.ts';
import { changed, Random } from './random.ts';
import { type Acts, same, World } from './world.ts';

/** An edit as the oracle knows it: the lines that it put in and took out. */
interface Edit {
  event: LineEvent;
  put: string[];
  took: string[];
  undone: boolean;
}

export interface Counts {
  blame: number;
  past: number;
  status: number;
  undo: number;
  redo: number;
  refused: number;
  land: number;
  needs: number;
}

export const NONE: Counts = { blame: 0, past: 0, status: 0, undo: 0, redo: 0, refused: 0, land: 0, needs: 0 };

/** The text of the file at first. */
export const BASE: readonly string[] = Array.from({ length: 12 }, (_, at) => `base${at}`);

/** Plays one history. Answers what was found wrong, each with the acts before it. */
export function play(
  seed: number,
  acts: number,
  counts: Counts,
  world: Acts = new World([...BASE]),
): string[] {
  return new History(seed, counts, world).play(acts);
}

class History {
  readonly #random: Random;
  readonly #counts: Counts;
  readonly #world: Acts;
  readonly #folder: Folder;
  readonly #edits: Edit[] = [];
  /** By line: the edit that wrote it; and the edits and others that ever took it out. */
  readonly #writers = new Map<string, Edit>();
  readonly #takers = new Map<string, Set<Edit | 'other'>>();
  /** By line: what took it out of the file last, where that is sure. */
  readonly #gone = new Map<string, string>();
  readonly #wrong: string[] = [];
  readonly #trace: string[] = [];
  readonly #seed: number;
  /** Whether a formatter is at work. */
  readonly #formats: boolean;
  #next = 0;

  constructor(seed: number, counts: Counts, world: Acts) {
    this.#formats = seed % 2 === 0;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#counts = counts;
    this.#world = world;
    this.#folder = new Folder(this.#world.disk);
  }

  play(acts: number): string[] {
    for (let at = 0; at < acts && this.#wrong.length === 0; at++) {
      this.#act();
      if (this.#random.below(3) > 0) this.#check();
    }
    this.#check();
    this.#checkReplay();
    return this.#wrong;
  }

  /** What is kept makes the same weave again. */
  #checkReplay(): void {
    const told = (weave: Weave): string[] =>
      weave.rows().map(({ log, head, accepted }) => {
        const flips = log.map(
          ({ event, text, as }) => `${event.id}${text === null ? '-' : `+${text}`}${as?.id ?? ''}`,
        );
        return `${flips} ${head} ${accepted}`;
      });
    const [now, again] = [told(this.#folder.weave), told(this.#folder.replayed())];
    const at = now.findIndex((row, n) => row !== again[n]);
    if (!same(now, again)) this.#fail(`made anew, row ${at} is ${again[at]}, and was ${now[at]}`);
  }

  #fail(what: string): void {
    this.#wrong.push(`seed ${this.#seed}: ${what}\n  ${this.#trace.slice(-12).join('\n  ')}`);
  }

  /** The lines of the file, and of HEAD, whatever their indentation: a formatter changes that alone. */
  get #file(): readonly string[] {
    return this.#world.disk.file.map(line => line.trim());
  }

  get #head(): readonly string[] {
    return this.#world.disk.head.map(line => line.trim());
  }

  #act(): void {
    const before = this.#file;
    const what = this.#random.below(this.#formats ? 19 : 18);
    if (what < 6) this.#edit();
    else if (what < 8) this.#world.disk.file = this.#changed('P')(this.#world.disk.file);
    // Branches whose texts are formatted in several ways are not tried.
    else if (what < 13) this.#git(this.#formats && (what === 9 || what === 10) ? 8 : what);
    else if (what < 16) this.#goBack();
    else if (what === 16) this.#redo();
    else if (what === 17) this.#land();
    else this.#format();
    if (what >= 6 && what < 13) {
      for (const line of before) if (!this.#file.includes(line)) this.#taken(line, 'other');
      this.#noteGone(before, what < 8 ? 'typed' : 'git');
      this.#trace.push(`-> ${this.#file.join(' ')} | HEAD ${this.#head.join(' ')}`);
    }
  }

  /** Indents some lines in another way. What comes back and is formatted before anybody looks would be new lines. */
  #format(): void {
    this.#folder.look();
    const from = this.#random.below(this.#file.length + 1);
    const to = from + this.#random.below(6);
    this.#world.disk.file = this.#world.disk.file.map((line, at) =>
      at < from || at >= to ? line : line.startsWith(' ') ? line.trim() : `  ${line}`,
    );
    this.#folder.look();
    this.#trace.push(`format ${from} to ${to}`);
  }

  #git(what: number): void {
    const world = this.#world;
    const name = this.#random.one(['main', 'other']);
    const note = (act: string, done: unknown): void => void this.#trace.push(`${act}: ${done}`);
    for (const [line, by] of this.#gone) if (by === 'typed') this.#gone.set(line, 'git');
    if (what === 8) note('commit', world.commit());
    else if (what === 9)
      note(
        `stash, switch ${name}, pop`,
        world.stashed(() => this.#sometimesLook(() => world.switchTo(name))),
      );
    else if (what === 10) note(`switch ${name}`, world.switchTo(name));
    else if (what === 11) note('pull', world.pull(this.#changed('C')));
    else note('commit of a part', world.commit(this.#part()));
  }

  /** Somebody asks in the middle of what a person does. */
  #sometimesLook(then: () => void): void {
    if (this.#random.below(3) === 0) this.#folder.look();
    then();
    if (this.#random.below(3) === 0) this.#folder.look();
  }

  /** HEAD, and of what is open the lines before some place. */
  #part(): string[] {
    const { file, head } = this.#world.disk;
    const shared = file.filter(line => head.includes(line));
    if (shared.length === 0) return file;
    const line = this.#random.one(shared);
    return [...file.slice(0, file.indexOf(line)), ...head.slice(head.indexOf(line))];
  }

  /** A change of up to two lines, in which new lines begin with `mark`. */
  #changed(mark: string): (text: readonly string[]) => string[] {
    return text => changed(this.#random, text, () => `${mark}${this.#next++}`);
  }

  #noteGone(before: readonly string[], by: string): void {
    // What had gone before and goes again may be the old taking.
    for (const line of before)
      if (!this.#file.includes(line))
        this.#gone.set(line, by === 'typed' && this.#gone.has(line) ? 'git' : by);
  }

  #taken(line: string, by: Edit | 'other'): void {
    this.#takers.set(line, (this.#takers.get(line) ?? new Set()).add(by));
  }

  #edit(): void {
    const before = this.#file;
    const event = this.#folder.edit(this.#changed(`A${this.#edits.length}_`));
    const after = this.#file;
    const put = after.filter(line => !before.includes(line));
    const took = before.filter(line => !after.includes(line));
    const edit = { event, put, took, undone: false };
    this.#edits.push(edit);
    for (const line of put) this.#writers.set(line, edit);
    for (const line of took) this.#taken(line, edit);
    this.#noteGone(before, `edit ${event.id}`);
    this.#trace.push(`edit ${this.#edits.length - 1} +${put} -${took} -> ${this.#file.join(' ')}`);
  }

  #goBack(): void {
    const some = Array.from({ length: 1 + this.#random.below(3) }, () =>
      this.#random.below(this.#edits.length),
    );
    const chosen = [...new Set(some)].map(at => this.#edits[at]!).filter(edit => edit && !edit.undone);
    if (chosen.length === 0) return;
    this.#folder.look();
    const before = this.#file;
    const refused = this.#folder.undo(new Set(chosen.map(({ event }) => event)));
    this.#trace.push(
      `undo ${chosen.map(edit => this.#edits.indexOf(edit))} ${refused.size === 0} -> ${this.#file.join(' ')}`,
    );
    if (refused.size > 0) {
      this.#counts.refused++;
      if (!same(before, this.#file)) this.#fail('a refused undo changed the file');
      return;
    }
    this.#counts.undo++;
    this.#noteGone(before, `undo ${this.#folder.events.at(-1)!.id}`);
    for (const edit of chosen) edit.undone = true;
    this.#judgeUndo(chosen, before);
    if (this.#random.below(4) === 0) this.#backAgain(chosen, before);
  }

  #judgeUndo(chosen: readonly Edit[], before: readonly string[]): void {
    const after = this.#file;
    const put = new Set(chosen.flatMap(edit => edit.put));
    const took = new Set(chosen.flatMap(edit => edit.took));
    for (const line of before)
      if (!put.has(line) && !after.includes(line)) this.#fail(`undo took out ${line}`);
    for (const line of after) {
      if (put.has(line)) this.#fail(`undo left ${line}`);
      if (!before.includes(line) && !took.has(line)) this.#fail(`undo brought ${line}`);
    }
    for (const line of took) {
      const takers = [...(this.#takers.get(line) ?? [])];
      const isFree = takers.every(taker => taker !== 'other' && chosen.includes(taker));
      const writer = this.#writers.get(line);
      if (isFree && !put.has(line) && !writer?.undone && !after.includes(line))
        this.#fail(`undo did not bring ${line}`);
    }
    const kept = before.filter(line => after.includes(line));
    if (
      !same(
        kept,
        after.filter(line => before.includes(line)),
      )
    )
      this.#fail('undo changed the order');
    const newest = this.#folder.events.at(-2);
    if (chosen.length === 1 && newest === chosen[0]!.event) {
      const text = before.filter(line => !put.has(line));
      if (
        !same(
          text,
          after.filter(line => !took.has(line)),
        )
      )
        this.#fail('undo of the newest is not the text before');
    }
  }

  /** An undo and its redo are nothing. */
  #backAgain(chosen: readonly Edit[], before: readonly string[]): void {
    const refused = this.#folder.redo(new Set(chosen.map(({ event }) => event)));
    this.#trace.push(`redo at once -> ${this.#file.join(' ')}`);
    for (const [line, by] of this.#gone) if (by.startsWith('undo')) this.#gone.set(line, 'git');
    this.#counts.redo++;
    if (refused.size > 0) this.#fail('a redo at once is refused');
    else if (!same(before, this.#file)) this.#fail('undo and redo are not nothing');
    for (const edit of chosen) edit.undone = false;
  }

  #redo(): void {
    const undone = this.#edits.filter(edit => edit.undone);
    if (undone.length === 0) return;
    const edit = this.#random.one(undone);
    this.#folder.look();
    const before = this.#file;
    const refused = this.#folder.redo(new Set([edit.event]));
    this.#trace.push(`redo ${this.#edits.indexOf(edit)} ${refused.size === 0} -> ${this.#file.join(' ')}`);
    if (refused.size > 0) {
      this.#counts.refused++;
      if (!same(before, this.#file)) this.#fail('a refused redo changed the file');
      return;
    }
    this.#counts.redo++;
    this.#noteGone(before, 'git');
    edit.undone = false;
    const [put, took] = [new Set(edit.put), new Set(edit.took)];
    for (const line of before)
      if (!took.has(line) && !this.#file.includes(line)) this.#fail(`redo took out ${line}`);
    for (const line of this.#file)
      if (!put.has(line) && !before.includes(line)) this.#fail(`redo brought ${line}`);
  }

  #land(): void {
    const chosen = this.#edits.filter(edit => !edit.undone && this.#random.below(3) > 0);
    if (chosen.length === 0) return;
    const { text, stuck } = this.#folder.land(new Set(chosen.map(({ event }) => event)));
    this.#counts.land++;
    this.#trace.push(
      `land ${chosen.map(edit => this.#edits.indexOf(edit))} stuck ${stuck} -> ${text.join(' ')}`,
    );
    if (stuck > 0) this.#counts.needs++;
    this.#judgeLanding(
      chosen,
      text.map(line => line.trim()),
      stuck === 0,
    );
    const all = this.#folder.land(new Set(this.#folder.events), true).text;
    if (!same(all, this.#world.disk.file)) this.#fail(`landing of all is not the file but ${all.join(' ')}`);
    if (stuck === 0 && this.#random.below(2) === 0) this.#world.commit(text);
  }

  #judgeLanding(chosen: readonly Edit[], text: readonly string[], isDone: boolean): void {
    const [file, head] = [this.#file, this.#head];
    for (const line of text) {
      if (head.includes(line)) continue;
      if (!file.includes(line)) this.#fail(`landing brings ${line}, which the file lacks`);
      const writer = this.#writers.get(line);
      if (writer && !chosen.includes(writer)) this.#fail(`landing brings another's ${line}`);
    }
    for (const line of head)
      if (!text.includes(line) && file.includes(line)) this.#fail(`landing drops ${line}`);
    if (new Set(text).size !== text.length) this.#fail('landing has a line twice');
    for (const line of isDone ? chosen.flatMap(({ put }) => put) : [])
      if (file.includes(line) && !text.includes(line)) this.#fail(`landing leaves out ${line}`);
  }

  /** What is said of every line and edit now. */
  #check(): void {
    this.#folder.look();
    const { weave } = this.#folder;
    const { file, head } = this.#world.disk;
    if (!same(weave.text, file)) this.#fail('the weave is not the file');
    const inHead = weave.rows().filter(row => row.head !== null);
    if (
      !same(
        inHead.map(row => row.head!),
        head,
      )
    )
      this.#fail('the weave has another HEAD');
    for (const row of weave.live) this.#checkBlame(textOf(row)!.trim(), putBy(row));
    this.#checkPast();
    const fates = fatesIn(weave.rows());
    for (const edit of this.#edits) this.#checkStatus(edit, fates.get(edit.event) ?? []);
  }

  /** Who wrote each line of what the file was after some event. */
  #checkPast(): void {
    const { event, text } = this.#random.one(this.#folder.past);
    const rows = this.#folder.weave.rows().filter(row => textAfter(row, event.at) !== null);
    const told = rows.map(row => textAfter(row, event.at)!);
    if (!same(told, text))
      this.#fail(`after event ${event.id} the weave has ${told.join(' ')}, not ${text.join(' ')}`);
    this.#counts.past++;
    for (const [at, row] of rows.entries()) this.#checkBlame(told[at]!.trim(), putBy(row));
  }

  #checkBlame(line: string, event: LineEvent): void {
    this.#counts.blame++;
    const writer = this.#writers.get(line);
    const isRight = writer
      ? event === writer.event
      : event.kind === (line.startsWith('P') ? 'outside' : 'head');
    const isCommitted = line.startsWith('P') && event.kind === 'head';
    if (!isRight && !isCommitted) this.#fail(`blame of ${line}: ${event.kind} ${event.id}`);
  }

  #checkStatus(edit: Edit, fates: readonly Fate[]): void {
    this.#counts.status++;
    const [file, head] = [this.#file, this.#head];
    const said = new Map(fates.filter(({ isPut }) => isPut).map(fate => [lastText(fate.row).trim(), fate]));
    for (const line of edit.put) {
      const [isIn, isInHead] = [file.includes(line), head.includes(line)];
      const { word = 'none', by = null } = said.get(line) ?? {};
      const gone = this.#gone.get(line) ?? '';
      const wants = isIn ? [isInHead ? 'landed' : 'open'] : isInHead ? ['changed'] : wordsOf(gone);
      const isBy = isIn || isInHead || !/^(edit|undo)/.test(gone) || gone.endsWith(` ${by?.id}`);
      if (!wants.includes(word) || !isBy)
        this.#fail(`status of ${line}: ${word} by ${by?.kind} ${by?.id}, for ${wants}, ${gone}`);
    }
    if (said.size !== edit.put.length) this.#fail(`edit ${edit.event.id} has ${said.size} rows`);
  }
}

/** The words for a line that is in neither text, by what took it out. */
function wordsOf(gone: string): string[] {
  if (gone.startsWith('edit')) return ['superseded'];
  if (gone.startsWith('undo')) return ['taken back'];
  if (gone === 'typed') return ['rewritten', 'taken out by hand'];
  return ['away', 'rewritten', 'taken out by hand', 'superseded', 'taken back'];
}
