/** The name that was most likely meant by one that there is not. */

/**
 * The one of the names that is nearest, where it is near: one slip in a short word, two in one of six letters or more. A slip
 * is a letter too many, too few or wrong, or two that changed places; a start of at least three letters counts as near.
 */
export function nearName(given: string, names: readonly string[]): string | null {
  const scored = names
    .map(name => ({ name, slips: slipsBetween(given, name) }))
    .sort(
      (a, b) =>
        a.slips - b.slips || Math.abs(a.name.length - given.length) - Math.abs(b.name.length - given.length),
    );
  const [best] = scored;
  if (best && best.slips <= (given.replace(/^-+/, '').length < 6 ? 1 : 2)) return best.name;
  const starting = names.filter(name => given.replace(/^-+/, '').length >= 3 && name.startsWith(given));
  return starting.length === 1 ? starting[0]! : null;
}

/** Damerau's distance (optimal string alignment). */
function slipsBetween(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= one.length; i++) {
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const change = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + same);
      rows[i]![j] = swapped ? Math.min(change, rows[i - 2]![j - 2]! + 1) : change;
    }
  }
  return rows[one.length]![other.length]!;
}
