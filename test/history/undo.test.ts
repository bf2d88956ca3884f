import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRedoable, findUndoable } from '../../src/history/undo.ts';
import type { TrailEntry } from '../../src/history/walk.ts';

const WHO = { name: 'a', email: 'a@a.invalid', seconds: 0, offsetMinutes: 0 };

function entry(commit: string, meta: Partial<NonNullable<TrailEntry['meta']>>): TrailEntry {
  const full = { op: 'str_replace', paths: [], session: 's', ...meta };
  return { commit, parents: [], tree: '', subject: '', reason: '', author: WHO, time: 0, meta: full };
}

/** Oldest first, as they were made; the functions read newest first. */
async function* newestFirst(entries: TrailEntry[]): AsyncGenerator<TrailEntry> {
  for (const one of [...entries].reverse()) yield one;
}

const ids = (entries: TrailEntry[]): string[] => entries.map(one => one.commit);

describe('undo and redo read from the trail', () => {
  const edits = [entry('A', {}), entry('B', {}), entry('C', {})];

  it('takes the newest edits first', async () => {
    expect(ids(await findUndoable(newestFirst(edits), 2, {}))).toEqual(['C', 'B']);
  });

  it('of one file are those that changed it', async () => {
    const trail = [
      entry('A', { paths: ['a', 'b'] }),
      entry('B', { paths: ['b'] }),
      entry('C', { paths: ['c'] }),
    ];
    expect(ids(await findUndoable(newestFirst(trail), 1, { path: 'b' }))).toEqual(['B']);
    trail.push(entry('u', { op: 'undo', undoes: ['B'], paths: ['b'] }), entry('D', { paths: ['c'] }));
    expect(ids(await findUndoable(newestFirst(trail), 1, { path: 'b' }))).toEqual(['A']);
    expect(await findRedoable(newestFirst(trail), 1, { path: 'b' })).toEqual(['B']);
    expect(await findRedoable(newestFirst(trail), 1, {})).toEqual([]);
  });

  it('passes over what is undone, and puts back what was undone last', async () => {
    const trail = [
      ...edits,
      entry('u1', { op: 'undo', undoes: ['C'] }),
      entry('u2', { op: 'undo', undoes: ['B'] }),
    ];
    expect(ids(await findUndoable(newestFirst(trail), 1, {}))).toEqual(['A']);
    expect(await findRedoable(newestFirst(trail), 2, {})).toEqual(['B', 'C']);
  });

  it('undo of several at once is put back in reverse order', async () => {
    const trail = [...edits, entry('u', { op: 'undo', undoes: ['C', 'B'] })];
    expect(await findRedoable(newestFirst(trail), 9, {})).toEqual(['B', 'C']);
  });

  it('an edit that was put back can be undone again', async () => {
    const trail = [
      ...edits,
      entry('u', { op: 'undo', undoes: ['C'] }),
      entry('r', { op: 'redo', redoes: ['C'] }),
    ];
    expect(ids(await findUndoable(newestFirst(trail), 1, {}))).toEqual(['C']);
    expect(await findRedoable(newestFirst(trail), 1, {})).toEqual([]);
  });

  it('a new edit ends what can be put back', async () => {
    const trail = [...edits, entry('u', { op: 'undo', undoes: ['C'] }), entry('D', {})];
    expect(await findRedoable(newestFirst(trail), 1, {})).toEqual([]);
    expect(ids(await findUndoable(newestFirst(trail), 3, {}))).toEqual(['D', 'B', 'A']);
  });

  it('a session undoes its own edits, and knows when somebody else undid one', async () => {
    const trail = [
      entry('A', {}),
      entry('B', { session: 'other' }),
      entry('C', {}),
      entry('u', { op: 'undo', session: 'person', undoes: ['C'] }),
    ];
    expect(ids(await findUndoable(newestFirst(trail), 2, { session: 's' }))).toEqual(['A']);
    expect(ids(await findUndoable(newestFirst(trail), 1, { session: 'other' }))).toEqual(['B']);
  });

  it('outside changes and syncs are no edits', async () => {
    const trail = [entry('A', {}), entry('o', { op: 'outside' }), entry('y', { op: 'head' })];
    expect(ids(await findUndoable(newestFirst(trail), 5, {}))).toEqual(['A']);
  });

  it('agrees with two stacks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('edit', 'undo', 'redo'), { maxLength: 40 }), async moves => {
        const trail: TrailEntry[] = [];
        let done: string[] = [];
        let undone: string[] = [];
        for (const [index, move] of moves.entries()) {
          if (move === 'edit') {
            trail.push(entry(`e${index}`, {}));
            done = [...done, `e${index}`];
            undone = [];
          } else if (move === 'undo') {
            const found = ids(await findUndoable(newestFirst(trail), 1, {}));
            expect(found).toEqual(done.slice(-1));
            if (found.length === 0) continue;
            trail.push(entry(`u${index}`, { op: 'undo', undoes: found }));
            undone = [...undone, done.pop()!];
          } else {
            const found = await findRedoable(newestFirst(trail), 1, {});
            expect(found).toEqual(undone.slice(-1));
            if (found.length === 0) continue;
            trail.push(entry(`r${index}`, { op: 'redo', redoes: found }));
            done = [...done, undone.pop()!];
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});
