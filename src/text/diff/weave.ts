/**
 * All the lines that a text ever had, in one order, each with who put it in and who took it out (the interleaved deltas
 * of SCCS). From them follow the text with any choice of edits, and what a person's own changes mean for the edits:
 *
 * - A line of an edit that the person took out is gone for good; one that they brought back is what it was before.
 * - Where they left nothing of what edits wrote in a place, all edits are rejected there, and the base's text stands.
 * - What they wrote themselves belongs to no edit. Where it replaced some lines of an edit and others are left, the two
 *   cannot be told apart: such a place is revised.
 */

import { lineBreakOf } from '../lines.ts';
import { type LineChange, lineDiff, splitLines } from './line-diff.ts';
import {
  aligned,
  canComeBack,
  comeBack,
  type Insertion,
  insert,
  isEdits,
  isLostByHand,
  isThere,
  isVisible,
  newLine,
  placesIn,
  takeOut,
  type WovenLine,
  type Writer,
  workIn,
} from './weave-lines.ts';

/** A place where the person replaced a part of what edits wrote. */
export interface Revised {
  /** 1-based, in the text after the last step. */
  line: number;
  /** The edits of which something is left there. */
  edits: string[];
}

interface Changes {
  /** Where the lines of the old text stand in the weave, and where it ends. */
  places: number[];
  fresh: string[];
  changes: LineChange[];
}

const BASE: Writer = { by: 'base' };

export class Weave {
  readonly #lineBreak: '\n' | '\r';
  readonly #lines: WovenLine[];
  /** The text after the last step, which is that of the lines that are shown. */
  #now: string;
  /** The file itself, once for each time that it was made. */
  readonly #files: WovenLine[] = [];
  /** The file that an edit was made in. */
  readonly #madeIn = new Map<string, WovenLine>();
  /** Edits that put text where the person had deleted some of the base's. */
  readonly #inGaps = new Set<string>();
  /** Edits of which the person took something back. */
  readonly #touched = new Set<string>();

  /** `base` is the text before the first step; `null` is no file. */
  constructor(base: string | null) {
    this.#lineBreak = lineBreakOf(base ?? '');
    this.#now = base ?? '';
    this.#lines = splitLines(this.#now, this.#lineBreak).map(text => newLine(text, BASE));
    if (base !== null) this.#files.push(newLine('', BASE));
  }

  /** The text became another one for all choices of edits: HEAD moved. */
  base(text: string | null): void {
    this.#replace(text, BASE);
  }

  edit(edit: string, text: string | null): void {
    const file = this.#files.findLast(one => one.shown);
    if (file) this.#madeIn.set(edit, file);
    this.#replace(text, { by: 'edit', edit });
  }

  /** The person made another text of it. */
  hand(text: string | null): void {
    const before = new Set(this.#lines.filter(isEdits));
    const wasFile = this.#files.some(one => one.shown);
    const concerned = this.#changeByHand(text ?? '');
    const isAll = wasFile && (text === null || text === this.text(new Set()));
    if (isAll) for (const line of [...this.#lines, ...this.#files]) this.#reject(line);
    for (const place of placesIn(this.#lines).filter(lines => lines.some(one => concerned.has(one)))) {
      const isLost = !place.some(isEdits) && place.some(line => before.has(line));
      if (isLost) for (const line of place) this.#reject(line);
    }
    this.#fileByHand(text, before.size > 0);
  }

  /** The text with these edits and without the person's own; `undefined` for lines of a file that none of them made. */
  text(edits: ReadonlySet<string>): string | null | undefined {
    const lines = this.#lines.filter(line => isVisible(line, edits)).map(({ text }) => text);
    if (!this.#files.some(file => isVisible(file, edits))) return lines.length > 0 ? undefined : null;
    const last = lines.pop() ?? '';
    return lines.map(text => this.#ended(text)).join('') + last;
  }

  /** The edits of which the person left nothing, and those of which they took back a part. */
  answers(): { rejected: Set<string>; reduced: Set<string> } {
    const { left, lost } = workIn([...this.#files, ...this.#lines]);
    const touched = [...this.#touched].filter(edit => lost.has(edit));
    return {
      rejected: new Set(touched.filter(edit => !left.has(edit))),
      reduced: new Set(touched.filter(edit => left.has(edit))),
    };
  }

  /** The ones of these edits that took out, or were made in, what is not there without others or the person's own text. */
  unfounded(edits: ReadonlySet<string>): Set<string> {
    const lines = [...this.#lines, ...this.#files].map(line => [line.removedBy, line] as const);
    const found = [...lines, ...this.#madeIn].filter(([, line]) => !isThere(line, edits));
    const all = [...found.map(([edit]) => edit), ...this.#inGaps].filter(edit => edit !== null);
    return new Set(all.filter(edit => edits.has(edit)));
  }

  /** The places that cannot be had with these edits and without the person's own text. */
  revised(edits: ReadonlySet<string>): Revised[] {
    const numbers = new Map(this.#lines.filter(line => line.shown).map((line, at) => [line, at + 1]));
    return placesIn(this.#lines).flatMap(place => {
      const own = place.find(({ shown, writer }) => shown && writer.by === 'hand' && writer.replaces);
      const left = place.filter(line => isEdits(line) && isVisible(line, edits));
      const here = new Set(left.flatMap(({ writer }) => (writer.by === 'edit' ? [writer.edit] : [])));
      return own && here.size > 0 ? [{ line: numbers.get(own)!, edits: [...here] }] : [];
    });
  }

  #ended(text: string): string {
    return text === '' || text.endsWith(this.#lineBreak) ? text : text + this.#lineBreak;
  }

  /** From the text that there was to this one; `compared` makes of each what is compared. */
  #changes(text: string, compared: (text: string) => string = one => one): Changes {
    const places: number[] = [];
    for (const [at, { shown }] of this.#lines.entries()) if (shown) places.push(at);
    const { changes } = lineDiff(compared(this.#now), compared(text), this.#lineBreak);
    this.#now = text;
    return { places: [...places, this.#lines.length], fresh: splitLines(text, this.#lineBreak), changes };
  }

  #replace(text: string | null, writer: Writer): void {
    const { places, fresh, changes } = this.#changes(text ?? '');
    const insertions: Insertion[] = [];
    for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
      const removed = places.slice(oldStart, oldEnd);
      for (const at of removed) takeOut(this.#lines[at]!, writer);
      const start = oldStart === 0 ? 0 : places[oldStart - 1]! + 1;
      const texts = fresh.slice(newStart, newEnd);
      const restored = this.#restored(start, places[oldEnd]!, texts, writer);
      insertions.push(...(restored ?? this.#putIn(removed, places[oldEnd]!, texts, writer)));
    }
    insert(this.#lines, insertions);
    this.#setFile(text !== null, writer);
  }

  /** Line by line, so that each has its old one beside it: the person may bring back just that. */
  #putIn(removed: readonly number[], end: number, texts: readonly string[], writer: Writer): Insertion[] {
    return texts.map((text, count) => {
      const old = removed[Math.min(count, removed.length - 1)];
      const over = count < removed.length ? this.#lines[old!]! : null;
      return { at: old === undefined ? end : old + 1, line: newLine(text, writer, over) };
    });
  }

  /** What an edit brings back of what the person took out, and what it puts between; `null` where that is nothing. */
  #restored(start: number, end: number, texts: readonly string[], writer: Writer): Insertion[] | null {
    const gap = this.#lines.slice(start, end);
    if (writer.by !== 'edit' || texts.length === 0 || !gap.some(isLostByHand)) return null;
    const lines = aligned(gap, texts, this.#lineBreak, isLostByHand);
    const returned = comeBack(gap.filter(isLostByHand), lines);
    this.#takeOutAgain([...returned].map(line => this.#bringBack(line)));
    const isFile = this.#files.some(one => one.shown);
    const isBeside = gap.some(line => isLostByHand(line) && line.writer.by === 'base');
    if (isFile && isBeside && texts.length > returned.size) this.#inGaps.add(writer.edit);
    if (returned.size === 0) return null;
    const own = lines.filter(({ line }) => !line || !returned.has(line));
    return own.map(({ text, at }) => ({ at: start + at, line: newLine(text, writer) }));
  }

  #setFile(isFile: boolean, writer: Writer): void {
    const file = this.#files.findLast(one => one.shown);
    if (!isFile && file) takeOut(file, writer);
    if (!isFile || file) return;
    const old = this.#files.at(-1);
    if (writer.by === 'edit' && old && isLostByHand(old)) this.#bringBack(old);
    else this.#files.push(newLine('', writer));
    if (writer.by !== 'edit') return;
    // A file that is made anew holds what it is made with.
    for (const line of this.#lines)
      if (line.writer.by === 'base' && isLostByHand(line)) line.removedBy = writer.edit;
  }

  /** Answers the lines of edits that went or came back. */
  #changeByHand(text: string): Set<WovenLine> {
    // An editor that ends the last line has changed nothing of what is written there.
    const { places, fresh, changes } = this.#changes(text, one => this.#ended(one));
    const insertions: Insertion[] = [];
    const [back, gone]: [WovenLine[], WovenLine[]] = [[], []];
    for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
      const start = oldStart === 0 ? 0 : places[oldStart - 1]! + 1;
      const gap = this.#lines.slice(start, places[oldEnd]);
      const wasThere = new Set(gap.filter(line => line.shown));
      for (const line of wasThere) line.shown = false;
      const lines = aligned(gap, fresh.slice(newStart, newEnd), this.#lineBreak, canComeBack);
      const returned = comeBack(gap, lines);
      const own: WovenLine[] = [];
      for (const { text: one, line, at } of lines) {
        if (line && wasThere.has(line)) line.shown = true;
        else if (line && returned.has(line)) back.push(this.#bringBack(line));
        else {
          own.push(newLine(one, { by: 'hand', replaces: false }));
          insertions.push({ at: start + at, line: own.at(-1)! });
        }
      }
      const taken = [...wasThere].filter(line => !line.shown && line.writer.by === 'edit');
      gone.push(...taken.map(line => this.#killDown(line)));
      for (const line of own) line.writer = { by: 'hand', replaces: taken.length > 0 };
    }
    insert(this.#lines, insertions);
    this.#takeOutAgain(back);
    return new Set([...back, ...gone]);
  }

  #bringBack(line: WovenLine): WovenLine {
    this.#keep(line);
    line.shown = true;
    line.dead = false;
    return line;
  }

  /** What an edit took out for lines that have come back is taken out by it again, unless that is back as well. */
  #takeOutAgain(back: readonly WovenLine[]): void {
    const edits = new Set(back.map(({ writer }) => (writer.by === 'edit' ? writer.edit : null)));
    for (const line of this.#lines)
      if (!line.shown && edits.has(line.keptFrom ?? '')) line.removedBy ??= line.keptFrom;
  }

  #keep(line: WovenLine): void {
    if (line.removedBy === null) return;
    this.#touched.add(line.removedBy);
    line.keptFrom = line.removedBy;
    line.removedBy = null;
  }

  #kill(line: WovenLine): WovenLine {
    line.dead = true;
    if (line.writer.by === 'edit') this.#touched.add(line.writer.edit);
    return line;
  }

  /** With a line go those that it was put in place of, as far as edits wrote them and none has come back. */
  #killDown(line: WovenLine): WovenLine {
    for (let { over } = line; over?.writer.by === 'edit' && !over.shown; { over } = over) this.#kill(over);
    return this.#kill(line);
  }

  #reject(line: WovenLine): void {
    if (line.writer.by === 'edit') this.#kill(line);
    this.#keep(line);
  }

  #fileByHand(text: string | null, hadWork: boolean): void {
    const file = this.#files.findLast(one => one.shown);
    const isLeft = this.#lines.some(isEdits);
    if (text === null) {
      if (file) file.shown = false;
    } else if (!file) this.#makeByHand(isLeft);
    // What an edit made, and what holds nothing of any edit any more, is the person's own.
    else if (file.writer.by === 'edit' && hadWork && !isLeft) this.#kill(file);
  }

  #makeByHand(isLeft: boolean): void {
    const old = this.#files.at(-1);
    if (!old || (old.writer.by !== 'base' && !isLeft)) {
      this.#files.push(newLine('', { by: 'hand', replaces: false }));
      return;
    }
    // An edit deleted the file, and the person did not want that, whatever they wrote into it.
    const { removedBy } = old;
    if (removedBy !== null)
      for (const line of this.#lines) if (line.removedBy === removedBy) this.#reject(line);
    this.#bringBack(old);
  }
}
