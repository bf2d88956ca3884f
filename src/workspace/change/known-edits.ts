/** The edits that a workspace knows: the engine's, and those that it was opened with. */

import type { Edit } from '../../edits/edit.ts';
import { toolMeant } from '../../edits/familiar-names.ts';
import { edits } from '../../edits/index.ts';
import { shortened } from '../../edits/input-problems.ts';
import { EditError } from '../../errors.ts';
import { isReserved, isWhole } from '../../operations.ts';
import { ifTool, toolList, toolName } from '../../wording.ts';
import { guardedEdit } from './host-edit.ts';

export type KnownEdits = ReadonlyMap<string, Edit>;

const OWN: KnownEdits = new Map(edits.map(edit => [edit.name, edit]));

/** True for a name that an edit of the engine, or another operation of it, has in the history. */
export function isTaken(name: string): boolean {
  return isReserved(name) || OWN.has(name);
}

/** The engine's edits with others. Throws INVALID_INPUT where one is no edit, or has a name that is taken. */
export function knownEdits(others: readonly Edit[] = []): KnownEdits {
  if (others.length === 0) return OWN;
  const known = new Map(OWN);
  for (const edit of others) {
    checkEdit(edit);
    if (known.has(edit.name)) throw refused(`Two edits cannot both be called ${edit.name}`);
    known.set(edit.name, guardedEdit(edit));
  }
  return known;
}

/** The edit with this name, or this very edit. Throws INVALID_INPUT. */
export function findEdit(known: KnownEdits, given: unknown): Edit {
  if (typeof given === 'string') {
    const edit = known.get(given);
    if (edit) return edit;
    throw unknownEdit(known, given);
  }
  const { name } = Object(given) as Partial<Edit>;
  if (typeof name !== 'string') throw unknownEdit(known, given);
  const edit = known.get(name);
  if (edit && (edit === given || edit === guardedEdit(given as Edit))) return edit;
  throw refused(
    `This workspace does not know the edit ${shortened(name)}: open it with openWorkspace({ edits: [...] })`,
  );
}

function unknownEdit(known: KnownEdits, given: unknown): EditError {
  const names = [...known.keys()];
  const close = toolMeant(given, names);
  const words = close ? ifTool(close, ` Did you mean ${toolName(close)}?`) : '';
  return new EditError(
    'INVALID_INPUT',
    `There is no edit ${shortened(given)}.${words} The edits are ${toolList(names)}.`,
    { edits: names },
  );
}

/** Letters, digits and _, as tools have them. */
const NAME = /^[A-Za-z]\w{0,39}$/;

function checkEdit(given: unknown): asserts given is Edit {
  const edit = Object(given) as Partial<Record<keyof Edit, unknown>>;
  const { name } = edit;
  if (typeof name !== 'string' || !NAME.test(name))
    throw refused(
      `${shortened(name)} cannot name an edit: give a letter, then letters, digits and _, at most 40`,
    );
  if (isTaken(name) || isWhole(name))
    throw refused(`An edit cannot be called ${name}: the engine uses that name`);
  const missing = [
    typeof edit.description === 'string' ? [] : ['description (a text)'],
    typeof Object(edit.input).safeParse === 'function' && Object(edit.input).shape
      ? []
      : ['input (z.object({...}) of zod 4)'],
    typeof edit.paths === 'function' ? [] : ['paths (a function)'],
    typeof edit.plan === 'function' ? [] : ['plan (a function)'],
    typeof edit.example === 'object' && edit.example !== null ? [] : ['example (an input that works)'],
  ].flat();
  if (missing.length > 0)
    throw refused(`The edit ${name} has no ${missing.join(', and no ')}: see defineEdit`);
}

function refused(words: string): EditError {
  return new EditError('INVALID_INPUT', `${words}. Nothing was done.`, { field: 'edits' });
}
