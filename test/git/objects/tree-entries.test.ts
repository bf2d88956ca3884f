import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes, fromLatin1, latin1 } from '../../../src/bytes.ts';
import { fromHex } from '../../../src/git/objects/object.ts';
import {
  findEntries,
  findEntry,
  parseTree,
  replaceEntries,
  type TreeEntry,
  type TreeRef,
  treeIndex,
} from '../../../src/git/objects/tree-entries.ts';

const OIDS = ['1', '2'].map(digit => digit.repeat(40));
const ref = fc.record({ mode: fc.constantFrom('100644', '40000'), oid: fc.constantFrom(...OIDS) });
/** Names of which many begin with another, and some with what sorts before or after a `/`. */
const name = fc
  .tuple(fc.nat(40), fc.constantFrom('', '.', '-', '0', 'a', '\xff', ' b'))
  .map(([n, end]) => `n${n}${end}`);
const changes = fc.array(fc.tuple(name, fc.option(ref)), { maxLength: 30 }).map(list => new Map(list));

/** So many files that the tree is a large one. */
const FILLING = Array.from({ length: 700 }, (_, n): [string, TreeRef] => [
  `n${20 + (n % 5)}x${n}`,
  { mode: '100644', oid: OIDS[0]! },
]);

const encoded = (entries: readonly TreeEntry[]): Uint8Array =>
  concatBytes(entries.flatMap(({ mode, name, oid }) => [fromLatin1(`${mode} ${name}\0`), fromHex(oid)]));

/** By the rule of git, in the simplest possible way. */
function sorted(files: ReadonlyMap<string, TreeRef>): TreeEntry[] {
  const key = ({ name, mode }: TreeEntry): string => (mode === '40000' ? `${name}/` : name);
  return [...files].map(([name, ref]) => ({ name, ...ref })).sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

describe('a large tree', () => {
  it('is searched and changed by its index as a map of its names is, edit after edit', () => {
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), rounds => {
        const files = new Map(FILLING);
        let tree = encoded(sorted(files));
        for (const round of rounds) {
          tree = replaceEntries(tree, round);
          for (const [name, ref] of round) ref === null ? files.delete(name) : files.set(name, ref);
          expect(parseTree(tree)).toEqual(sorted(files));
          const names = [...round.keys(), 'n20x0', 'none'];
          const found = new Map(names.flatMap(one => (files.has(one) ? [[one, files.get(one)!]] : [])));
          const entries = [...findEntries(tree, new Set(names))];
          expect(new Map(entries.map(([name, { mode, oid }]) => [name, { mode, oid }]))).toEqual(found);
          for (const one of names) expect(findEntry(tree, fromLatin1(one))).toEqual(files.get(one) ?? null);
          expect(treeIndex(tree, 2)).not.toBeNull();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('that is not sorted is read entry by entry', () => {
    const [first, ...rest] = sorted(new Map(FILLING));
    const tree = encoded([...rest, first!]);
    expect(treeIndex(tree, 2)).toBeNull();
    expect(findEntry(tree, fromLatin1(first!.name))).toEqual({ mode: first!.mode, oid: first!.oid });
    const changed = replaceEntries(tree, new Map([[first!.name, { mode: '100755', oid: OIDS[1]! }]]));
    expect(latin1(changed).endsWith(`100755 ${first!.name}\0${latin1(fromHex(OIDS[1]!))}`)).toBe(true);
  });

  it('has an index once a second name is looked for, which serves it after an edit', () => {
    const tree = encoded(sorted(new Map(FILLING)));
    expect(treeIndex(tree, 1)).toBeNull();
    const index = treeIndex(tree, 1);
    expect(index).not.toBeNull();
    const changed = replaceEntries(tree, new Map([['n20x0', { mode: '100755', oid: OIDS[1]! }]]));
    expect(treeIndex(changed, 1)).toBe(index);
    expect(treeIndex(replaceEntries(tree, new Map([['n20x0', null]])), 1)).toBeNull();
  });
});
