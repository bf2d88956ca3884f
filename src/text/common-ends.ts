/**
 * Counts the items that two rows have in common at their beginnings, and of the rest those at their ends. A text is a row
 * of UTF-16 units.
 */
export function commonEnds<Item>(
  a: ArrayLike<Item>,
  b: ArrayLike<Item>,
  isSame: (one: Item, other: Item) => boolean = (one, other) => one === other,
): { lead: number; tail: number } {
  const most = Math.min(a.length, b.length);
  let lead = 0;
  while (lead < most && isSame(a[lead]!, b[lead]!)) lead++;
  let tail = 0;
  while (tail < most - lead && isSame(a[a.length - 1 - tail]!, b[b.length - 1 - tail]!)) tail++;
  return { lead, tail };
}
