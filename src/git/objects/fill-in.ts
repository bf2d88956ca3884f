/** Asks for what is not known yet, and puts the answers in their places. True when nothing is left to ask for. */
export async function fillIn<T>(
  keys: readonly string[],
  answers: (T | null)[],
  ask: (left: readonly string[]) => Promise<readonly (T | null)[]>,
): Promise<boolean> {
  const places = answers.flatMap((answer, i) => (answer === null ? [i] : []));
  if (places.length === 0) return true;
  const found = await ask(places.map(i => keys[i]!));
  for (const [n, i] of places.entries()) answers[i] = found[n]!;
  return !answers.includes(null);
}
