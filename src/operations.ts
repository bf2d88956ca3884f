/** The operations of the history, by their names in `Vedit-Op`, and what is true of each. Stands on nothing, for the command line. */

/** Operations that are not called after an edit. */
export const OWN_OPERATIONS = [
  'undo',
  'redo',
  'revert',
  'rollback',
  'restore',
  'change',
  'outside',
  'record',
  'head',
  'write',
  'purge',
] as const;

export type OwnOperation = (typeof OWN_OPERATIONS)[number];

/** Any other name is that of an edit, or of the tool whose edit was recorded. */
export type Operation = OwnOperation | (string & {});

/** As an entry of the history has it: none where the commit is not one of the engine. */
type Named = Operation | null | undefined;

type Test = (operation: Named) => boolean;

function oneOf(...names: readonly Operation[]): Test {
  const set: ReadonlySet<Named> = new Set(names);
  return operation => set.has(operation);
}

/** A change that did not come through the engine, recorded by it. */
export const isOutside: Test = oneOf('outside');

/** A commit that brings the trail up to HEAD. */
export const isHead: Test = oneOf('head');

export const isUndo: Test = oneOf('undo');

export const isRedo: Test = oneOf('redo');

export const isRollback: Test = oneOf('rollback');

export const isRestore: Test = oneOf('restore');

/** The edit of that name. */
export const isMove: Test = oneOf('move');

/** The edit of that name: lines that went to another place. */
export const isLineMove: Test = oneOf('move_lines');

/** A `create` that wrote over a file. */
export const isOverwrite: Test = oneOf('write');

/** Records that a command changed files. */
export const isShell: Test = oneOf('shell');

/** None: where a change is told of, a commit of the branch. */
export const isCommit: Test = oneOf('commit');

/** A `create` that made a file, or that wrote over one. */
export const isWhole: Test = oneOf('create', 'write');

/** A reviewer accepts text, on their own ref. */
export const isAccept: Test = oneOf('accept');

/** Takes an acceptance back. */
export const isUnaccept: Test = oneOf('unaccept');

/** A reviewer says something of a text. */
export const isComment: Test = oneOf('comment');

/** Words of people and agents about a text: they change nothing, and nothing of what is accepted. */
export const isRemark: Test = oneOf('comment', 'reply');

/** True for what was done on a ref of reviews. */
export const isReviewed: Test = oneOf('accept', 'unaccept', 'comment', 'reply');

/** A person's rejection of what agents did, or the taking back of one, as readers are told of it. */
export const isRejection: Test = oneOf('reject', 'unreject');

/** Goes back to what was there before. */
export const isWayBack: Test = oneOf('undo', 'redo', 'revert', 'rollback', 'restore');

/** The work of an editor, edit or way back: not what the engine recorded besides. */
export const isWork: Test = operation =>
  operation !== null &&
  operation !== undefined &&
  !isOutside(operation) &&
  !isHead(operation) &&
  operation !== 'purge';

/** Can be undone: an edit, a change, a rollback. What was undone is put back by a redo. */
export const isUndoable: Test = operation => isWork(operation) && !isUndo(operation) && !isRedo(operation);

/** The name has a meaning to those who read the history: no recorded edit may have it. */
export const isReserved: Test = oneOf(
  ...OWN_OPERATIONS.filter(name => name !== 'record' && name !== 'write'),
);

/** The name of what was asked: a `create` over files that were there is a `write`. */
export function operationOf(asked: string, files: ReadonlyArray<{ kind: string }>): Operation {
  return asked === 'create' && files.every(({ kind }) => kind === 'modify') ? 'write' : asked;
}

/** A move that overwrites a file has two files of one name. Leaves out the deletion: a line about the change names the others. */
export function withoutOverwritten<File extends { kind: string; path: string }>(
  files: readonly File[],
): File[] {
  const moved = new Set(files.filter(one => one.kind === 'move').map(one => one.path));
  return files.filter(one => one.kind !== 'delete' || !moved.has(one.path));
}

/** True where a subject begins with the reason's first words, as that of an edit with a reason does. */
export function saysReason(subject: string, reason: string): boolean {
  const [first = ''] = reason.split('\n');
  return first !== '' && subject.startsWith(first.slice(0, WORDS));
}

/** In characters: fewer than a subject has of any reason that is longer. */
const WORDS = 40;
