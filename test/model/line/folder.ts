/** A folder of one file whose history is a line in memory: the rooms of src/line without commits, for the random histories. */

import type { EventKind, LineEvent } from '../../../src/line/event.ts';
import { flipNamed, heldUndos, type Named, planBack } from '../../../src/line/formula.ts';
import { headStep } from '../../../src/line/head-step.ts';
import { LandingParts } from '../../../src/line/landing.ts';
import { Weave } from '../../../src/line/weave.ts';

/** What the folder holds outside of the line: `head` is `null` while nothing is committed. */
export interface Disk {
  file: string[];
  head: string[];
}

type Shown = { file: string[]; readonly head: string[] };

/** What a commit of the line keeps of an event: HEAD's text, where it moved, and the file's text after the event. */
interface Kept {
  event: LineEvent;
  head: readonly string[];
  text: readonly string[];
}

export class Folder {
  weave: Weave = new Weave();
  readonly events: LineEvent[] = [];
  readonly #kept: Kept[] = [];
  readonly disk: Shown;
  #head: readonly string[] | null = null;

  constructor(disk: Shown) {
    this.disk = disk;
  }

  event(kind: EventKind, byAgent: boolean, more: Partial<LineEvent> = {}): LineEvent {
    const event = { id: `${this.events.length}`, at: this.events.length, kind, byAgent, ...more };
    this.events.push(event);
    return event;
  }

  /** Records what happened since the last look: first what HEAD brought, then what is in the file. */
  look(): void {
    const { file, head } = this.disk;
    if (head.join('\n') !== this.#head?.join('\n')) {
      // When a path joins the line, HEAD's text is in the file before anything else.
      const held = this.#head ? file : head;
      this.#head = [...head];
      const event = this.event('head', false);
      headStep(this.weave, event, head, held);
      this.#keep(event);
    }
    if (this.weave.text.join('\n') !== file.join('\n')) this.#step(this.event('outside', false), file);
  }

  #step(event: LineEvent, text: readonly string[]): void {
    this.weave.step(event, text);
    this.#keep(event);
  }

  #keep(event: LineEvent): void {
    this.#kept.push({ event, head: this.#head!, text: this.weave.text });
  }

  /** The text after each event. */
  get past(): ReadonlyArray<{ event: LineEvent; text: readonly string[] }> {
    return this.#kept;
  }

  /** The weave that is made anew of what is kept. */
  replayed(): Weave {
    const weave = new Weave();
    const events: LineEvent[] = [];
    for (const { event, head, text } of this.#kept) {
      events.push(event);
      if (event.kind === 'head') headStep(weave, event, head, text);
      else if (event.kind === 'undo') flipNamed(weave, event, heldUndos(events));
      else weave.step(event, text);
    }
    return weave;
  }

  /** A folder that is as this one, and goes its own way from here. */
  copy(): Folder {
    const copy = new Folder({ file: [...this.disk.file], head: [...this.disk.head] });
    copy.events.push(...this.events);
    copy.#kept.push(...this.#kept);
    copy.#head = this.#head;
    copy.weave = this.replayed();
    return copy;
  }

  edit(change: (text: readonly string[]) => string[]): LineEvent {
    this.look();
    const text = change(this.weave.text);
    this.#step(this.event('edit', true), text);
    this.disk.file = this.weave.text;
    return this.events.at(-1)!;
  }

  /** Takes the events back, all at once; answers those that build on them, where it is refused. */
  undo(events: ReadonlySet<LineEvent>): ReadonlySet<LineEvent> {
    this.look();
    return this.#goBack({ undo: events, redo: new Set() });
  }

  redo(events: ReadonlySet<LineEvent>): ReadonlySet<LineEvent> {
    this.look();
    return this.#goBack({ undo: new Set(), redo: events });
  }

  #goBack(about: Named): ReadonlySet<LineEvent> {
    const { texts, conflicts } = planBack(this.weave, this.events, about);
    if (conflicts.length > 0) return new Set(conflicts.map(({ by }) => by));
    const event = this.event('undo', false, { undoes: about.undo, redoes: about.redo });
    this.weave.flip(event, texts);
    this.#keep(event);
    this.disk.file = this.weave.text;
    return new Set();
  }

  /** What HEAD would hold, and how many places do not land for want of others; nothing is written. */
  land(events: ReadonlySet<LineEvent>, isAll = false): { text: string[]; stuck: number } {
    this.look();
    const parts = new LandingParts(this.weave, {
      isWork: ({ kind }) => kind !== 'head' && kind !== 'outside',
    });
    const chosen = parts.choose({ takes: event => events.has(event), outside: isAll });
    return { text: parts.result(chosen), stuck: chosen.filter(({ missing }) => missing.length > 0).length };
  }
}
