/** Plain words for operations, whichever tool did them. */

/** A map: an operation of a program's own may have the name of anything, `constructor` too. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'created',
    delete: 'deleted',
    move: 'moved',
    undo: 'undone',
    redo: 'redone',
    revert: 'taken out',
    rollback: 'rolled back',
    restore: 'restored',
    reject: 'rejected',
    outside: 'changed outside',
    sync: 'synced',
    shell: 'changed by a command',
  }),
);

/** Returns the word for an operation; `null`: a commit that the engine did not make. */
export function verbOf(op: string | null): string {
  return op === null ? 'committed' : (VERBS.get(op) ?? 'edited');
}
