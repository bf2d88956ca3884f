/** Knuth, Morris and Pratt: finds a row of numbers in another one, in time that is linear in both lengths. */

/** Every place of `wanted`, which is not empty, in `row` from index `from` on, overlapping ones too. */
export function* linearPlaces(
  row: ArrayLike<number>,
  wanted: ArrayLike<number>,
  from = 0,
): Generator<number> {
  const borders = borderLengths(wanted);
  let matched = 0;
  for (let at = from; at < row.length; at++) {
    while (matched > 0 && wanted[matched] !== row[at]) matched = borders[matched - 1]!;
    if (wanted[matched] === row[at]) matched++;
    if (matched < wanted.length) continue;
    yield at - matched + 1;
    matched = borders[matched - 1]!;
  }
}

/** For each beginning of a row, the length of its longest proper beginning that is also its end. */
function borderLengths(row: ArrayLike<number>): Int32Array {
  const borders = new Int32Array(row.length);
  for (let at = 1, matched = 0; at < row.length; at++) {
    while (matched > 0 && row[matched] !== row[at]) matched = borders[matched - 1]!;
    if (row[matched] === row[at]) matched++;
    borders[at] = matched;
  }
  return borders;
}
