/** Plain words for operations, whichever tool did them. */

const VERBS = new Map(
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
