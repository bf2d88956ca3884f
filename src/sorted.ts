/** Finds the place in a sorted row by halving: the first, from `low` on, of those below `high` for which `isBefore` is false. */
export function firstNotBefore(low: number, high: number, isBefore: (at: number) => boolean): number {
  let [first, end] = [low, high];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if (isBefore(middle)) first = middle + 1;
    else end = middle;
  }
  return first;
}

/** Compares two values of one type for `sort`, the least first. */
export function inOrder<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
