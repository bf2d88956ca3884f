import { expect, it } from 'vitest';
import { edits } from '../src/edits/index.ts';
import {
  isHead,
  isOutside,
  isReserved,
  isUndoable,
  isWayBack,
  isWork,
  OWN_OPERATIONS,
  operationOf,
} from '../src/operations.ts';

const names = [...OWN_OPERATIONS, ...edits.map(edit => edit.name)];

it('of all operations, three are no work of an editor, and of the others two cannot be undone', () => {
  expect(names.filter(name => !isWork(name))).toEqual(['outside', 'head', 'purge']);
  expect(names.filter(name => !isUndoable(name))).toEqual(['undo', 'redo', 'outside', 'head', 'purge']);
  expect(isWork('Edit')).toBe(true);
});

it('each is a way back, was recorded by the engine itself, or is an edit', () => {
  expect(names.filter(isWayBack)).toEqual(['undo', 'redo', 'revert', 'rollback', 'restore']);
  expect(names.filter(name => isOutside(name) || isHead(name))).toEqual(['outside', 'head']);
});

it('a commit that is none of the engine has no operation, and is nothing of all that', () => {
  for (const is of [isOutside, isHead, isWayBack, isWork, isUndoable, isReserved])
    expect([is(null), is(undefined)]).toEqual([false, false]);
});

it('no edit has a reserved name, and a recorded one may be called record or write', () => {
  expect(edits.filter(edit => isReserved(edit.name))).toEqual([]);
  expect(OWN_OPERATIONS.filter(name => !isReserved(name))).toEqual(['record', 'write']);
});

it('a create that made no file is a write', () => {
  expect([
    operationOf('create', [{ kind: 'modify' }]),
    operationOf('create', [{ kind: 'create' }]),
    operationOf('move', [{ kind: 'modify' }]),
  ]).toEqual(['write', 'create', 'move']);
});
