/** Names that were meant by misspelt ones, or by those that other agents' tools have. */

/** Returns the name that a misspelt one was most likely meant for; `null` where none is close. */
export function closestName(given: string, names: readonly string[]): string | null {
  const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(given);
  if (wanted.length > 40) return null;
  const scored = names
    .map(name => [slipsBetween(wanted, plain(name)), name] as const)
    .sort((a, b) => a[0] - b[0]);
  const [best] = scored;
  return best && best[0] <= Math.max(1, Math.floor(wanted.length / 3)) ? best[1] : null;
}

/** Counts the letters too many, too few, wrong or swapped with the next: Damerau's distance (optimal string alignment). */
export function slipsBetween(one: string, other: string): number {
  let [above, row]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const change = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      next.push(swapped ? Math.min(change, above[j - 2]! + 1) : change);
    }
    [above, row] = [row, next];
  }
  return row.at(-1)!;
}

/** By the engine's tool, the names of those that do the same elsewhere, in lower case and without marks between words. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  view: 'read readfile openfile open cat ls list listdir listdirectory listfiles getfile showfile',
  str_replace:
    'edit editfile replace replacetext replaceinfile strreplaceeditor strreplacebasededittool searchandreplace ' +
    'updatefile modifyfile',
  insert: 'insertlines insertline inserttext insertatline append addlines',
  create: 'write writefile writetofile createfile newfile savefile save',
  delete: 'rm remove deletefile removefile unlink',
  move: 'mv rename renamefile movefile',
  apply_patch: 'patch patchfile applypatches editpatch',
  unified_diff: 'applydiff gitapply',
  change: 'multiedit multieditfile batchedit edits editfiles',
  preview: 'editpreview previewedit dryrun',
  undo: 'undoedit',
  log: 'history filehistory',
  rollback: 'rewind reset revertto checkpoint',
};

/** The one of the names that was most likely meant; `null` when none is near. */
export function toolMeant(given: unknown, names: readonly string[]): string | null {
  if (typeof given !== 'string') return null;
  const plain = given.toLowerCase().replace(/[^a-z]/g, '');
  const same = names.find(name => ELSEWHERE[name]?.split(' ').includes(plain));
  return same ?? closestName(given, names);
}
