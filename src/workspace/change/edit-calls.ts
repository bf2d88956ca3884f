/** Several edits as they arrive from outside: each is checked, and refused with its place in the list. */

import { editNamed, edits } from '../../edits/index.ts';
import { shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { type CommonInput, parseEditInput } from './edit-input.ts';
import type { EditCall } from './edit-plan.ts';
export function unknownEdit(name: unknown): EditError {
  const names = edits.map(edit => edit.name);
  return new EditError(
    'INVALID_INPUT',
    `There is no edit ${shortened(name)}. The edits are ${names.join(', ')}.`,
    { edits: names },
  );
}

/** Each element is an edit's input with its name in `edit`; what the whole change says of its base holds for each. */
export function parseCalls(list: readonly unknown[], common: CommonInput): EditCall[] {
  if (!Array.isArray(list) || list.length === 0) {
    throw new EditError(
      'INVALID_INPUT',
      'edits must be a list of at least one edit, such as [{"edit": "str_replace", "path": "a.txt", "old_str": "x", "new_str": "y"}].',
      { field: 'edits' },
    );
  }
  return list.map((one, index) => {
    const { edit: name, ...raw } = (one ?? {}) as Record<string, unknown>;
    const edit = typeof name === 'string' ? editNamed(name) : undefined;
    if (!edit) throw unknownEdit(name ?? null);
    const { own, common: single } = parseElement(edit, raw, index, list.length);
    return {
      edit,
      input: own,
      base: single.base ?? common.base,
      version: single.version ?? common.version,
      onStale: single.on_stale ?? common.on_stale,
    };
  });
}

function parseElement(
  edit: NonNullable<ReturnType<typeof editNamed>>,
  raw: unknown,
  index: number,
  count: number,
): ReturnType<typeof parseEditInput> {
  try {
    return parseEditInput(edit, raw);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    throw new EditError(error.code, `edit ${index + 1} of ${count}: ${error.message}`, {
      ...error.data,
      edit: index + 1,
    });
  }
}
