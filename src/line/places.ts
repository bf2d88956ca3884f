/** The places in which events changed a file: the rows that one event flipped with no row between that stayed. */

import type { LineEvent } from './event.ts';
import { type Row, textAfter } from './row.ts';

export interface Place {
  readonly event: LineEvent;
  /** In order. */
  readonly rows: readonly Row[];
}

/** The places of all events, oldest first. Of a line that only got another format, nothing is said. */
export function placesIn(rows: readonly Row[]): Place[] {
  const flips = new Map<number, { event: LineEvent; at: number[] }>();
  for (const [at, row] of rows.entries())
    for (const event of changersOf(row)) {
      const known = flips.get(event.at);
      if (known) known.at.push(at);
      else flips.set(event.at, { event, at: [at] });
    }
  const all = [...flips.values()].sort((a, b) => a.event.at - b.event.at);
  return all.flatMap(({ event, at }) => split(rows, at, event));
}

/** The events that put a row in, took it out, or joined it to another one. What was there first nobody put in. */
function changersOf({ log }: Row): Set<LineEvent> {
  const changes = log.filter((flip, at) => {
    const isThere = at > 0 && log[at - 1]!.text !== null;
    const isNew = flip.event.kind !== 'head' || flip.event.at >= 0;
    // A line that a formatter split off another one has no text at first.
    return isNew && (at === 0 || (flip.text !== null) !== isThere);
  });
  const byPlace = new Map(changes.map(({ event }) => [event.at, event]));
  return new Set(byPlace.values());
}

function split(rows: readonly Row[], indexes: readonly number[], event: LineEvent): Place[] {
  const stays = (at: number): boolean => textAfter(rows[at]!, event.at) !== null;
  const places: Row[][] = [];
  let last: number | null = null;
  for (const at of indexes) {
    let between: number = last === null ? at : last + 1;
    while (between < at && !stays(between)) between++;
    if (last !== null && between === at) places.at(-1)!.push(rows[at]!);
    else places.push([rows[at]!]);
    last = at;
  }
  return places.map(some => ({ event, rows: some }));
}

/**
 * The places that HEAD has: what was put in and taken out there is HEAD's own text since, and was changed since line by
 * line, not as one place. A place counts that HEAD has new lines of, and all the rest of which later ones changed that it
 * has, too.
 */
export class LandedPlaces {
  readonly #known = new Map<Place, boolean>();
  readonly #byRow = new Map<Row, Place[]>();
  readonly #landed: ReadonlySet<Place>;

  readonly #headOf: (row: Row) => string | null;

  /** `headOf`: the text of a row in HEAD. */
  constructor(places: readonly Place[], headOf: (row: Row) => string | null) {
    this.#headOf = headOf;
    for (const place of places)
      for (const row of place.rows) {
        const known = this.#byRow.get(row);
        if (known) known.push(place);
        else this.#byRow.set(row, [place]);
      }
    // The newest first: each asks of later ones alone.
    const landed = places.toReversed().filter(place => this.#isLanded(place));
    // What was there before it all tells nothing: HEAD may never have had more.
    const isFresh = (row: Row, { event }: Place): boolean =>
      row.log[0]!.event.at === event.at && headOf(row) !== null;
    this.#landed = new Set(landed.filter(place => place.rows.some(row => isFresh(row, place))));
  }

  has(place: Place): boolean {
    return this.#landed.has(place);
  }

  /** Where on the line the newest of these places with one of the rows came; -1 for none. What was before it is over. */
  since(rows: readonly Row[]): number {
    const places = rows.flatMap(row => this.#byRow.get(row) ?? []).filter(place => this.has(place));
    return places.reduce((newest, { event }) => Math.max(newest, event.at), -1);
  }

  #isLanded(place: Place): boolean {
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    const is = place.rows.every(row => {
      const isPut = textAfter(row, place.event.at) !== null;
      return (this.#headOf(row) !== null) === isPut || this.#wasChangedSince(row, place, isPut);
    });
    this.#known.set(place, is);
    return is;
  }

  #wasChangedSince(row: Row, { event }: Place, wasPut: boolean): boolean {
    return this.#byRow.get(row)!.some(later => {
      const isLater = later.event.at > event.at && (textAfter(row, later.event.at) === null) === wasPut;
      return isLater && this.#isLanded(later);
    });
  }
}
