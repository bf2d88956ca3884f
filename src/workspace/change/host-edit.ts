/** An edit that a program brought: what goes wrong in its functions is that program's, and said to be. */

import { applyChanges, type Edit, type FileChange } from '../../edits/edit.ts';
import { hostFault } from '../../errors.ts';

/** By the edit as it was given. */
const guarded = new WeakMap<Edit, Edit>();

/** Wraps the functions of the edit. Answers the same object each time, so that it can be told again by it. */
export function guardedEdit(edit: Edit): Edit {
  const known = guarded.get(edit) ?? guard(edit as Edit<unknown>);
  guarded.set(edit, known as Edit);
  return known as Edit;
}

function guard(edit: Edit<unknown>): Edit<unknown> {
  const { check, lines, renumber, folder } = edit;
  const run = <T>(name: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw hostFault(`${name} of the edit ${edit.name}`, error);
    }
  };
  return {
    ...edit,
    paths: input => run('paths', () => textsOf(edit.paths(input))),
    plan: (input, files, modes) =>
      run('plan', () => {
        const changes = changesOf(edit.plan(input, files, modes));
        // Spans that do not fit, and files that it did not name, are found where they can be told to be its own.
        applyChanges(files, changes);
        return changes;
      }),
    ...(check && { check: input => run('check', () => check.call(edit, input)) }),
    ...(lines && { lines: input => run('lines', () => lines.call(edit, input)) }),
    ...(renumber && { renumber: (input, map) => run('renumber', () => renumber.call(edit, input, map)) }),
    ...(folder && {
      folder: {
        path: input => run('folder.path', () => folder.path(input)),
        each: (input, below) => run('folder.each', () => folder.each(input, below)),
        ...(folder.to && { to: input => run('folder.to', () => folder.to!(input)) }),
        ...(folder.check && {
          check: (input, seen) => run('folder.check', () => folder.check!(input, seen)),
        }),
      },
    }),
  };
}

function textsOf(paths: unknown): string[] {
  if (Array.isArray(paths) && paths.every(path => typeof path === 'string')) return paths;
  throw new TypeError('it must answer a list of paths');
}

const KINDS: ReadonlySet<unknown> = new Set(['modify', 'create', 'delete', 'move']);

function changesOf(planned: unknown): FileChange[] {
  const isChange = (one: unknown): boolean => KINDS.has((Object(one) as Partial<FileChange>).kind);
  if (Array.isArray(planned) && planned.every(isChange)) return planned;
  const given = planned instanceof Promise ? ', and not a promise of it' : '';
  throw new TypeError(
    `it must answer a list of changes, each with its kind: ${[...KINDS].join(', ')}${given}`,
  );
}
