/** Several edits as they arrive from outside: each is checked, and refused with its place in the list. */

import type { Edit } from '../../edits/edit.ts';
import type { EditInputs, EditName } from '../../edits/index.ts';
import { shortened } from '../../edits/input-problems.ts';
import { EditError, prefixed } from '../../errors.ts';
import { listed } from '../../text/words.ts';
import { fieldName, toolList, toolName } from '../../wording.ts';
import { type CommonFields, type CommonInput, parseEditInput } from './edit-input.ts';
import type { EditCall } from './edit-plan.ts';
import { findEdit, type KnownEdits } from './known-edits.ts';

/** The fields that a step may say of itself besides: the rest is said of the whole change. */
type StepFields = Omit<CommonFields, 'dry_run' | 'edit_id'>;

/** One edit of several: its name, or an edit of your own, and its input. */
export type EditStep =
  | { [Name in EditName]: { edit: Name } & EditInputs[Name] & StepFields }[EditName]
  | ({ edit: Edit; [field: string]: unknown } & StepFields);

/**
 * Each element is an edit's input with its name in `edit`; what the whole change says of its base holds for each, and
 * what each says of itself is said of the whole. Throws INVALID_INPUT.
 */
export function parseCalls(
  known: KnownEdits,
  list: readonly unknown[],
  common: CommonInput,
): { calls: EditCall[]; common: CommonInput } {
  if (!Array.isArray(list) || list.length === 0) {
    throw new EditError(
      'INVALID_INPUT',
      `edits must be a list of at least one edit, such as [{"edit": "${toolName('str_replace')}", "${fieldName('path')}": "a.txt", "${fieldName('old_str')}": "x", "${fieldName('new_str')}": "y"}].`,
      { field: 'edits' },
    );
  }
  const parsed = list.map((element, index) =>
    inPlace(index, list.length, () => parseElement(known, element, common)),
  );
  const calls = parsed.map(({ call }) => call);
  if (common.version !== undefined) checkOneFile(calls);
  const said = (field: 'reason' | 'callId'): string | undefined =>
    common[field] ?? ([...new Set(parsed.flatMap(one => one.own[field] ?? []))].join('; ') || undefined);
  return { calls, common: { ...common, reason: said('reason'), callId: said('callId') } };
}

function parseElement(
  known: KnownEdits,
  element: unknown,
  common: CommonInput,
): { call: EditCall; own: CommonInput } {
  const { name, raw } = namedBy(element);
  const edit = namedEdit(known, name);
  const { own: input, common: own } = parseEditInput(edit, raw);
  checkOfOneEdit(own);
  const base = own.base ?? common.base;
  const version = own.version ?? common.version;
  return { call: { edit, input, base, version, onStale: own.onStale ?? common.onStale }, own };
}

/** Models also say `op` or `tool` for `edit`; no edit has a field of that name. */
function namedBy(element: unknown): { name: unknown; raw: Record<string, unknown> } {
  const { edit, op, tool, ...raw } = Object(element) as Record<string, unknown>;
  const names = [edit, op, tool].filter(one => one !== undefined && one !== null);
  const others = names.filter(one => one !== names[0]);
  if (others.length === 0) return { name: names[0], raw };
  const message = `The name of the edit is given twice: ${[...new Set(names)].map(shortened).join(' and ')}. Send one, as edit. Nothing was changed.`;
  throw new EditError('INVALID_INPUT', message, { field: 'edit' });
}

function namedEdit(known: KnownEdits, name: unknown): Edit {
  if (name !== undefined && name !== null) return findEdit(known, name);
  const names = [...known.keys()];
  throw new EditError(
    'INVALID_INPUT',
    `The field edit must name the edit. The edits are ${toolList(names)}.`,
    { field: 'edit', edits: names },
  );
}

/** Throws INVALID_INPUT where one edit of a change asks for a dry run or has an id: a change is done, or not, as a whole. */
function checkOfOneEdit({ dryRun, editId }: CommonInput): void {
  const field = dryRun !== undefined ? 'dry_run' : editId !== undefined ? 'edit_id' : null;
  if (field === null) return;
  const message = `${fieldName(field)} is of the whole change: put it beside edits, not into one of them. Nothing was changed.`;
  throw new EditError('INVALID_INPUT', message, { field });
}

/** Throws INVALID_INPUT for edits of several files, of which one version was given. */
function checkOneFile(calls: readonly EditCall[]): void {
  const paths = [...new Set(calls.flatMap(({ edit, input }) => edit.paths(input as never).slice(0, 1)))];
  if (paths.length < 2) return;
  const message = `${fieldName('version')} is that of one file, and these edits are of ${listed(paths)}. Put ${fieldName('version')} into each edit, or give the commit that all of them were decided on as ${fieldName('base')}.`;
  throw new EditError('INVALID_INPUT', message, { field: 'version', paths });
}

function inPlace<T>(index: number, count: number, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    throw prefixed(error, `edit ${index + 1} of ${count}: `, { edit: index + 1, edits: count });
  }
}
