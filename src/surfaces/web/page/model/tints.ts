/** A colour for each agent: the same in every story, unless another agent of the story has it by its name too. Pure. */

const TINTS = 8;

/** Returns the CSS class of each name. */
export function tintsOf(names: readonly string[]): Map<string, string> {
  const tints = new Map<string, string>();
  const taken = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    let tint = hashOf(name) % TINTS;
    while (taken.has(tint) && taken.size < TINTS) tint = (tint + 1) % TINTS;
    taken.add(tint);
    tints.set(name, `tint-${tint}`);
  }
  return tints;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash;
}
