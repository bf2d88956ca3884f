/**
 * What taking an edit out of a text must come to, where no line is there twice: lines are objects in a list, and where an
 * edit only took lines out a marker stands in it. No weave, no comparison of texts.
 */

export interface OracleLine {
  text: string;
  /** The newest edit that took it out, where that holds. */
  removedBy: number | null;
  /** Lines that were gone where it was put in place of what was around them. */
  over: OracleLine[];
}

/** Stands where a line of an edit would come back. */
interface Marker {
  line: OracleLine;
  /** Text that was put there since, each line with those beside or in place of which; none where it covers the place. */
  lines: Map<OracleLine, readonly OracleLine[]>;
}

/** What an edit did in one place. */
interface Place {
  put: OracleLine[];
  gone: OracleLine[];
  /** What stood there before, markers too; and what did when it was taken out. */
  saved: Then;
  taken?: Then;
}

/** What stood at a place, and the text that was put at each marker in it by then. */
interface Then {
  items: Item[];
  lines: ReadonlyMap<Marker, ReadonlySet<OracleLine>>;
}

type Item = OracleLine | Marker;

export interface OracleChange {
  /** Lines, 0-based, end exclusive. */
  start: number;
  end: number;
  put: string[];
}

interface Step {
  kind: 'edit' | 'outside';
  places: Place[];
}

const marked = (item: Item): Marker => (isMarker(item) ? item : { line: item, lines: new Map() });

const isMarker = (item: Item): item is Marker => 'line' in item;

export class Oracle {
  #items: Item[];
  readonly steps: Step[] = [];

  constructor(lines: readonly string[]) {
    this.#items = lines.map(text => ({ text, removedBy: null, over: [] }));
  }

  get text(): string[] {
    return this.#lines().map(({ text }) => text);
  }

  /** Changes in ascending order, apart from each other. */
  edit(kind: Step['kind'], changes: readonly OracleChange[]): void {
    const step = this.steps.push({ kind, places: [] }) - 1;
    for (const change of [...changes].reverse()) this.#change(step, change);
  }

  /** True where what stood inside the place came back since, beside it: the list does not know the order then. */
  isBeyond(step: number): boolean {
    const { places } = this.steps[step]!;
    const inside = places.flatMap(({ saved, taken }) => [...saved.items, ...(taken?.items ?? [])]);
    const lines = places.flatMap(({ put, gone }) => [...put, ...gone]);
    const back = [...inside.filter(isMarker).map(({ line }) => line), ...lines.flatMap(({ over }) => over)];
    return back.some(line => this.#items.includes(line));
  }

  /** Takes an edit out, or puts it there again, as far as nobody did so by hand. */
  swap(step: number, direction: 'out' | 'again'): 'refused' | 'all' | 'in part' {
    const { places } = this.steps[step]!;
    if (places.some(place => this.#isHeld(place, direction))) return 'refused';
    const done = places.filter(place => this.#swap(step, place, direction));
    return done.length === places.length ? 'all' : 'in part';
  }

  #lines(): OracleLine[] {
    return this.#items.filter((item): item is OracleLine => !isMarker(item));
  }

  #change(step: number, { start, end, put }: OracleChange): void {
    const lines = this.#lines();
    const gone = lines.slice(start, end);
    const from = gone.length > 0 ? this.#items.indexOf(gone[0]!) : this.#gapStart(lines[start - 1]);
    const to = gone.length > 0 ? this.#items.indexOf(gone.at(-1)!) + 1 : this.#gapEnd(lines[start]);
    const items = this.#items.slice(from, to);
    const saved = thenOf(items);
    const over = gone.length > 0 ? items.filter(isMarker).map(({ line }) => line) : [];
    const fresh = put.map((text): OracleLine => ({ text, removedBy: null, over }));
    for (const item of this.#items) {
      if (!isMarker(item) || fresh.length === 0) continue;
      const isInside = items.includes(item);
      const beside = gone.length > 0 ? gone : [lines[start - 1], lines[start]];
      const by = beside.filter(line => line !== undefined && item.lines.has(line)) as OracleLine[];
      if (isInside || by.length > 0) for (const line of fresh) item.lines.set(line, isInside ? [] : by);
    }
    for (const line of gone) line.removedBy = step;
    this.steps[step]!.places.push({ put: fresh, gone, saved });
    // Markers inside what was replaced: their place is all of it.
    const own = fresh.length > 0 ? [...items.filter(isMarker), ...fresh] : items.map(marked);
    this.#items.splice(from, to - from, ...own);
  }

  #gapStart(above: OracleLine | undefined): number {
    return above ? this.#items.indexOf(above) + 1 : 0;
  }

  #gapEnd(below: OracleLine | undefined): number {
    return below ? this.#items.indexOf(below) : this.#items.length;
  }

  #isHeld(place: Place, direction: 'out' | 'again'): boolean {
    const [out, back] = direction === 'out' ? [place.put, place.gone] : [place.gone, place.put];
    const lines = this.#lines();
    const isIn = (line: OracleLine): boolean => lines.includes(line);
    if (!out.some(isIn) && back.every(isIn))
      return direction === 'out' && out.some(({ removedBy }) => this.#isEdit(removedBy));
    if (out.length > 0) {
      const at = lines.indexOf(out[0]!);
      return at < 0 || out.some((line, n) => lines[at + n] !== line);
    }
    const markers = this.#items.filter(isMarker).filter(({ line }) => back.includes(line));
    return markers.some(marker => [...marker.lines.keys()].some(isIn));
  }

  #isEdit(step: number | null): boolean {
    return step !== null && this.steps[step]!.kind === 'edit';
  }

  #swap(step: number, place: Place, direction: 'out' | 'again'): boolean {
    const [out, back] = direction === 'out' ? [place.put, place.gone] : [place.gone, place.put];
    const lines = this.#lines();
    if (!out.some(line => lines.includes(line)) && back.every(line => lines.includes(line))) return false;
    for (const line of out) line.removedBy = direction === 'out' ? null : step;
    for (const line of back) line.removedBy = null;
    if (out.length === 0) {
      this.#items = this.#items.map(item => (isMarker(item) && back.includes(item.line) ? item.line : item));
      return true;
    }
    const from = this.#items.indexOf(out[0]!);
    const inside = this.#items.slice(from, this.#items.indexOf(out.at(-1)!) + 1);
    const own = back.length > 0 ? [...inside.filter(isMarker), ...back] : inside.map(marked);
    this.#items.splice(from, inside.length, ...own);
    const inner = inside.slice(1, -1).filter(isMarker);
    const covered = inner.filter(marker => direction === 'again' || !place.saved.items.includes(marker));
    if (direction === 'out') place.taken = thenOf(inside);
    for (const marker of covered) for (const line of back) marker.lines.set(line, []);
    // Markers go back to where they stood in what is there again.
    const then = direction === 'out' ? place.saved : place.taken;
    if (then && back.length > 0 && then.items.length > back.length) this.#restore(then, back);
    return true;
  }

  #restore(then: Then, lines: readonly OracleLine[]): void {
    const markers = then.items.filter(isMarker).filter(one => this.#items.includes(one));
    const all = new Set<Item>([...markers, ...lines]);
    for (const marker of markers)
      for (const [line, by] of marker.lines) {
        const isKept =
          all.has(line) || then.lines.get(marker)?.has(line) || by.some(one => marker.lines.has(one));
        if (!isKept) marker.lines.delete(line);
      }
    this.#items = this.#items.filter(item => !isMarker(item) || !all.has(item));
    const at = this.#items.findIndex(item => all.has(item));
    this.#items = this.#items.filter(item => !all.has(item));
    this.#items.splice(at, 0, ...then.items.filter(item => all.has(item)));
  }
}

function thenOf(items: Item[]): Then {
  return {
    items,
    lines: new Map(items.filter(isMarker).map(marker => [marker, new Set(marker.lines.keys())])),
  };
}
