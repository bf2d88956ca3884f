/** The edits that a workspace knows: the engine's, and those that it was opened with. */

import { applyChanges, type Edit, type FileChange } from '../../edits/edit.ts';
import { edits } from '../../edits/index.ts';
import { shortened } from '../../edits/input-problems.ts';
import { EditError, hostFault } from '../../errors.ts';
import { toolMeant } from '../../near-names.ts';
import { isReserved, isWhole } from '../../operations.ts';
import { ifTool, toolList } from '../../wording.ts';

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
  const words = close ? ifTool(close, tool => ` Did you mean ${tool}?`) : '';
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

/** The guarded form of each edit that the program gave. */
const guarded = new WeakMap<Edit, Edit>();

/** Wraps the functions of an edit, so that what they throw is said to be the program's. Answers the same object each time. */
function guardedEdit(edit: Edit): Edit {
  const known = guarded.get(edit) ?? guard(edit as Edit<unknown>);
  guarded.set(edit, known as Edit);
  return known as Edit;
}

function guard(edit: Edit<unknown>): Edit<unknown> {
  const run = <T>(name: string, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw hostFault(`${name} of the edit ${edit.name}`, error);
    }
  };
  const guardedParts = (of: object, names: readonly string[], prefix = ''): object => {
    const all = names.map(name => [name, (of as Record<string, unknown>)[name]] as const);
    const given = all.flatMap(([name, part]) => (typeof part === 'function' ? [[name, part] as const] : []));
    return Object.fromEntries(
      given.map(([name, part]) => [
        name,
        (...args: unknown[]) => run(prefix + name, () => part.apply(of, args)),
      ]),
    );
  };
  const { folder } = edit;
  return {
    ...edit,
    ...guardedParts(edit, ['check', 'lines', 'renumber']),
    paths: input =>
      run('paths', () => {
        const paths: unknown = edit.paths(input);
        if (Array.isArray(paths) && paths.every(path => typeof path === 'string')) return paths;
        throw new TypeError('it must answer a list of paths');
      }),
    plan: (input, files, modes) =>
      run('plan', () => {
        const changes = changesOf(edit.plan(input, files, modes));
        // Spans that do not fit, and files that it did not name, are found where they can be told to be its own.
        applyChanges(files, changes);
        return changes;
      }),
    ...(folder && {
      folder: guardedParts(folder, ['path', 'to', 'check', 'each'], 'folder.') as typeof folder,
    }),
  };
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
