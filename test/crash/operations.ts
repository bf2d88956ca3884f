/** Every kind of operation that writes, each on the files of places.ts. */

import { createHash } from 'node:crypto';
import { edits } from '../../src/edits/index.ts';
import type { Answer, DoneData } from '../../src/engine/answer.ts';
import type { Session } from '../../src/workspace/session.ts';
import type { Sandbox } from '../helpers/real-git.ts';
import { beside, branch, otherPlaces, type Place } from './repository-kinds.ts';

export interface Operation {
  name: string;
  /** The edits that it is about. */
  edit?: string;
  /** What happened before, without faults: by the same session, and by the person. */
  before?(session: Session, repo: Sandbox): Promise<unknown> | unknown;
  run(session: Session): Promise<Answer<DoneData>>;
  /** False where there are no files on disk. */
  inBare?: false;
}

export interface Scenario {
  place: Place;
  operation: Operation;
}

export const nameOf = ({ place, operation }: Scenario): string => `${operation.name}, ${place.name}`;

const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-alpha
+ALPHA
*** Add File: new/deep/patched.txt
+patched
*** Delete File: dir/deep/only.txt
*** End Patch
`;
const DIFF = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n-alpha\n+ALPHA\n one\n';
const BLOCKS = '<<<<<<< SEARCH\nalpha\n=======\nALPHA\n>>>>>>> REPLACE\n';

/** One row an edit; a new edit gets one here. */
const inputs: Readonly<Record<string, Record<string, unknown>>> = {
  str_replace: { path: 'a.txt', old_str: 'alpha', new_str: 'ALPHA' },
  insert: { path: 'a.txt', insert_line: 1, insert_text: 'new' },
  replace_lines: { path: 'run.sh', start_line: 2, end_line: 2, new_content: 'echo two' },
  edit_lines: {
    path: 'a.txt',
    edits: [
      { from: 1, to: 2, content: 'first' },
      { from: 5, to: 5 },
    ],
  },
  create: { path: 'new/deep/n.txt', file_text: 'new\n' },
  delete: { path: 'dir/deep/only.txt' },
  move: { path: 'dir/deep/only.txt', new_path: 'moved/only.txt' },
  apply_patch: { patch: PATCH },
  context_patch: { path: 'a.txt', patch_text: '@@ alpha\n-one\n+ONE\n' },
  unified_diff: { patch: DIFF },
  search_replace: { path: 'a.txt', blocks: BLOCKS },
  replace_symbol: { path: 'key.json', symbol: 'a', new_content: '  "a": 2' },
  move_lines: { path: 'a.txt', start_line: 1, new_path: 'moved/lines.txt' },
};

/** Edits that this list has forgotten. */
export const missing: string[] = edits.map(edit => edit.name).filter(name => !inputs[name]);

const first = { path: 'a.txt', old_str: 'alpha', new_str: 'ALPHA' };
const second = { path: 'a.txt', old_str: 'omega', new_str: 'OMEGA' };

const several = [
  { edit: 'str_replace', ...first },
  { edit: 'create', path: 'new/one.txt', file_text: 'one\n' },
  { edit: 'delete', path: 'dir/deep/only.txt' },
  { edit: 'move', path: 'run.sh', new_path: 'bin/run' },
];

async function changeTwice(session: Session): Promise<void> {
  await session.change(several);
  await session.edit('str_replace', second);
}

const makeKey = (session: Session): Promise<unknown> =>
  session.edit('create', { path: 'key.json', file_text: '{\n  "a": 1\n}\n' });

const single: Operation[] = edits.map(({ name, addressesLines }) => ({
  name,
  edit: name,
  ...(name === 'replace_symbol' && { before: makeKey }),
  run: async session => {
    const input = inputs[name]!;
    if (addressesLines) await session.view({ path: String(input.path) });
    return session.edit(name, input);
  },
}));

/** What goes beyond one edit. */
const composed: Operation[] = [
  { name: 'several files', run: session => session.change(several) },
  { name: 'delete of a folder', run: session => session.edit('delete', { path: 'dir', recursive: true }) },
  { name: 'move of a folder', run: session => session.edit('move', { path: 'dir', new_path: 'new/dir' }) },
  {
    name: 'overwriting',
    run: session => session.edit('create', { path: 'a.txt', file_text: 'all new\n', overwrite: true }),
  },
  {
    name: 'second edit',
    before: session => session.edit('str_replace', first),
    run: session => session.edit('str_replace', second),
  },
  {
    name: 'edit through a link',
    inBare: false,
    run: session => session.edit('str_replace', { ...first, path: 'link.txt' }),
  },
  { name: 'undo', before: changeTwice, run: session => session.undo({ count: 2 }) },
  {
    name: 'redo',
    before: async session => {
      await changeTwice(session);
      await session.undo({ count: 2 });
    },
    run: session => session.redo({ count: 2 }),
  },
  {
    name: 'rollback',
    before: async session => {
      await session.edit('str_replace', first);
      await changeBack(session);
    },
    run: session => session.rollback('~1'),
  },
  {
    name: 'revert',
    before: changeTwice,
    run: session => session.revert('~1'),
  },
  {
    name: 'restore',
    before: changeTwice,
    run: session => session.restore({ path: 'a.txt', from: '~2' }),
  },
  {
    name: 'edit of a file changed outside',
    inBare: false,
    before: async (session, repo) => {
      await session.edit('str_replace', first);
      repo.write('a.txt', 'ALPHA\none\nby hand\nthree\nomega\n');
    },
    run: session => session.edit('str_replace', second),
  },
  {
    name: 'edit of a file that is staged otherwise',
    inBare: false,
    before: (_session, repo) => {
      repo.write('a.txt', 'staged\n');
      repo.git('add', 'a.txt');
      repo.write('a.txt', 'alpha\nby hand\nomega\n');
    },
    run: session => session.edit('str_replace', second),
  },
  {
    name: 'edit after the person committed',
    inBare: false,
    before: async (session, repo) => {
      await session.edit('str_replace', first);
      repo.write('c.txt', 'committed\n');
      repo.git('add', 'c.txt');
      repo.git('commit', '-qm', 'by the person', '--', 'c.txt');
    },
    run: session => session.edit('str_replace', second),
  },
  {
    name: 'recording what another tool wrote',
    inBare: false,
    before: toolWrites,
    run: session => session.record(['a.txt', 'new/tool.txt'], { op: 'Write' }),
  },
  {
    name: 'recording what a person wrote',
    inBare: false,
    before: toolWrites,
    run: session => session.record(['a.txt'], { outside: true }),
  },
];

function toolWrites(_session: Session, repo: Sandbox): void {
  repo.write('a.txt', 'alpha\nby a tool\nomega\n');
  repo.write('new/tool.txt', 'new\n');
}

async function changeBack(session: Session): Promise<void> {
  await session.change([{ edit: 'str_replace', ...second }, ...several.slice(1)]);
}

const operations: readonly Operation[] = [...single, ...composed];

/** Hex digits that deflate hardly below half: more than what goes into the journal. */
const LARGE = Array.from({ length: 9_000 }, (_, n) => createHash('sha256').update(`${n}`).digest('hex'))
  .join('\n')
  .concat('\n');

/** Its objects go into a pack of their own. */
const large: Operation = {
  name: 'large change',
  run: session => session.edit('create', { path: 'large.txt', file_text: LARGE }),
};

/** The homes of the trail with a journal that the next process finds, and without. */
export const largeChanges: readonly Scenario[] = [
  ...otherPlaces.filter(({ name }) => name.endsWith('durable by the journal')),
  beside,
].map(place => ({ place, operation: large }));

/** The caller can send it again. */
const repeatable: Operation = {
  name: 'edit with an edit_id',
  run: session => session.edit('str_replace', { ...first, edit_id: 'once' }),
};

/** Places in which a call that is sent again is tried. */
export const retried: readonly Scenario[] = [branch, beside].map(place => ({ place, operation: repeatable }));

const core = ['second edit', 'several files', 'str_replace', 'undo'];

/** Every operation in both homes of the trail. */
export const atHome: readonly Scenario[] = [branch, beside].flatMap(place =>
  operations.map(operation => ({ place, operation })),
);

/** The core of them everywhere else. */
export const elsewhere: readonly Scenario[] = otherPlaces.flatMap(place =>
  operations
    .filter(({ name, inBare }) => core.includes(name) && (place.gitDir !== '' || inBare !== false))
    .map(operation => ({ place, operation })),
);

export const scenarios: readonly Scenario[] = [...atHome, ...elsewhere];

/** Those that stand for the others where all would take too long. */
export const main: readonly Scenario[] = scenarios.filter(
  ({ place, operation }) =>
    ['several files', 'undo', 'second edit'].includes(operation.name) &&
    [branch.name, beside.name, 'line ends converted', 'durable by the journal'].includes(place.name),
);

/** Those with one of these names. */
export function pick(...names: string[]): Scenario[] {
  const found = scenarios.filter(scenario => names.includes(nameOf(scenario)));
  if (found.length !== names.length) throw new Error(`not all of these are scenarios: ${names.join('; ')}`);
  return found;
}
