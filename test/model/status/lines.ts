/**
 * Texts of the model: lists of lines, each of which is somebody's and known by its number, whatever it says. So that a line
 * was in two texts is never guessed.
 */

/** Who it is and where it came from are told by its number alone. */
export type Line = number;

export type Text = readonly Line[];

/** Lines `from` to `to` (0-based, end exclusive) of an older text became `put`. */
export interface Change {
  from: number;
  to: number;
  put: Text;
}

export function isSame(one: Text, other: Text): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

/** The changes from one text to the other, in order; lines that changed places count as taken out and put in. */
export function changes(old: Text, fresh: Text): Change[] {
  const found: Change[] = [];
  let [from, start] = [0, 0];
  for (const [to, end] of [...kept(old, fresh), [old.length, fresh.length] as const]) {
    if (to > from || end > start) found.push({ from, to, put: fresh.slice(start, end) });
    [from, start] = [to + 1, end + 1];
  }
  return found;
}

/** The longest row of lines that both have in the same order, as pairs of places. */
function kept(old: Text, fresh: Text): Array<readonly [number, number]> {
  const places = new Map(fresh.map((line, at) => [line, at]));
  const both = old.flatMap((line, at) => (places.has(line) ? [[at, places.get(line)!] as const] : []));
  const length = both.map(() => 1);
  for (let n = both.length - 1; n >= 0; n--)
    for (let m = n + 1; m < both.length; m++)
      if (both[m]![1] > both[n]![1]) length[n] = Math.max(length[n]!, length[m]! + 1);
  const row: Array<readonly [number, number]> = [];
  for (let [n, wanted] = [0, Math.max(0, ...length)]; n < both.length; n++) {
    if (length[n] !== wanted || both[n]![1] < (row.at(-1)?.[1] ?? 0)) continue;
    row.push(both[n]!);
    wanted--;
  }
  return row;
}

export function applied(text: Text, all: readonly Change[]): Line[] {
  const result = [...text];
  for (const { from, to, put } of [...all].reverse()) result.splice(from, to - from, ...put);
  return result;
}

/** Both changes of `base` in one text; `null` where they touch, as git's merge has it. */
export function merged(base: Text, ours: Text, theirs: Text): Line[] | null {
  const own = changes(base, ours);
  const others = changes(base, theirs).filter(other => !own.some(one => isSameChange(one, other)));
  const touch = others.some(other => own.some(one => one.to >= other.from && other.to >= one.from));
  if (touch) return null;
  const all = applied(
    base,
    [...own, ...others].sort((one, other) => one.from - other.from),
  );
  return new Set(all).size === all.length ? all : null;
}

function isSameChange(one: Change, other: Change): boolean {
  return one.from === other.from && one.to === other.to && isSame(one.put, other.put);
}
