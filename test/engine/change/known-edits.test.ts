/** Edits of one's own: made with defineEdit, given to openWorkspace, used as those of the engine are. */

import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { edits } from '../../../src/edits/index.ts';
import {
  defineEdit,
  type Edit,
  EditError,
  type EditInputs,
  type EditName,
  runTool,
} from '../../../src/index.ts';
import { inMemory } from '../../helpers/in-memory.ts';

const upperCase = defineEdit({
  name: 'upper_case',
  description: 'Put a file into upper case.',
  input: z.strictObject({ path: z.string(), first: z.boolean().optional() }),
  aliases: { path: ['file'] },
  example: { path: 'a.txt' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan: ({ path, first }, files) => {
    const { text } = files.get(path)!;
    const end = first ? 1 : text.length;
    return [{ kind: 'modify', path, spans: [{ start: 0, end, text: text.slice(0, end).toUpperCase() }] }];
  },
});

describe('an edit of your own', () => {
  it('is made by itself, by its name, and in a change, and is in history under its name', async () => {
    const { workspace } = await inMemory({ edits: [upperCase] });
    const session = workspace.session();
    await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
    await session.edit(upperCase, { path: 'a.txt', first: true, reason: 'loud' });
    expect((await session.read({ path: 'a.txt' })).data.text).toBe('One\n');
    await session.edit('upper_case' as string, { file: 'a.txt' });
    expect((await session.read({ path: 'a.txt' })).data.text).toBe('ONE\n');
    await session.change([
      { edit: 'create', path: 'b.txt', file_text: 'b\n' },
      { edit: upperCase, path: 'b.txt' },
    ]);
    expect((await session.read({ path: 'b.txt' })).data.text).toBe('B\n');
    const { entries } = (await session.log()).data;
    expect(entries.map(one => one.op)).toEqual(['change', 'upper_case', 'upper_case', 'create']);
    expect((await session.verify()).data.faults).toEqual([]);
    await session.undo();
    expect(session.edits.map(one => one.name)).toContain('upper_case');
  });

  it('has the input that its schema has', async () => {
    const { workspace } = await inMemory({ edits: [upperCase] });
    // @ts-expect-error The path is missing.
    const refused = workspace.session().edit(upperCase, { first: true });
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^upper_case: `path` .*Example: \{"path":"a.txt"\}/),
    });
  });

  it('is refused where the workspace was not opened with it', async () => {
    const { workspace } = await inMemory();
    const session = workspace.session();
    const words = 'openWorkspace({ edits: [...] })';
    await expect(session.edit(upperCase, { path: 'a' })).rejects.toThrow(words);
    await expect(session.change([{ edit: upperCase, path: 'a' }])).rejects.toThrow(words);
    await expect(session.edit('upper_case' as string, {})).rejects.toThrow('There is no edit "upper_case"');
  });

  const faults: ReadonlyArray<[string, string, object]> = [
    [
      'plan',
      'throws',
      {
        plan: () => {
          throw new TypeError('boom');
        },
      },
    ],
    [
      'plan',
      'throws what is no error',
      {
        plan: () => {
          throw 'boom';
        },
      },
    ],
    ['plan', 'is asynchronous', { plan: async () => [] }],
    ['plan', 'answers nothing', { plan: () => undefined }],
    ['plan', 'answers no change', { plan: () => [{ path: 'a.txt' }] }],
    [
      'plan',
      'changes a file that it did not name',
      { plan: () => [{ kind: 'modify', path: 'b.txt', spans: [] }] },
    ],
    [
      'plan',
      'has spans beyond the end',
      { plan: () => [{ kind: 'modify', path: 'a.txt', spans: [{ start: 90, end: 99, text: '' }] }] },
    ],
    [
      'paths',
      'throws',
      {
        paths: () => {
          throw new Error('boom');
        },
      },
    ],
    ['paths', 'answers a text', { paths: () => 'a.txt' }],
    [
      'check',
      'throws',
      {
        check: () => {
          throw new Error('boom');
        },
      },
    ],
  ];
  it.each(faults)(
    'whose %s %s is said to be the program’s, and not the engine’s',
    async (name, _, fields) => {
      const { workspace } = await inMemory({ edits: [{ ...upperCase, ...fields } as Edit] });
      const session = workspace.session();
      await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
      const result = await runTool(session, 'upper_case', { path: 'a.txt' });
      expect(result).toMatchObject({
        ok: false,
        code: 'INTERNAL_ERROR',
        data: { of: `${name} of the edit upper_case` },
      });
      expect(result.message).toContain(`${name} of the edit upper_case, a function of the program that`);
      expect(result.message).not.toContain('Please report');
      expect((await session.read({ path: 'a.txt' })).data.text).toBe('one\n');
      expect((await session.log()).data.entries).toHaveLength(1);
    },
  );

  it('may refuse in words of its own', async () => {
    const plan = (): never => {
      throw new EditError('NO_CHANGE', 'it is loud enough', {});
    };
    const { workspace } = await inMemory({ edits: [{ ...upperCase, plan } as Edit] });
    const session = workspace.session();
    await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
    expect(await runTool(session, 'upper_case', { path: 'a.txt' })).toMatchObject({
      code: 'NO_CHANGE',
      message: 'it is loud enough',
    });
  });

  const wrong: ReadonlyArray<[string, object]> = [
    ['no name', { name: 'upper case' }],
    ['a name of the engine', { name: 'str_replace' }],
    ['a name of an operation', { name: 'undo' }],
    ['no plan', { plan: undefined }],
    ['no schema', { input: { path: 'string' } }],
    ['no description', { description: undefined }],
    ['no example', { example: undefined }],
  ];
  it.each(wrong)('with %s opens nothing', async (_, fields) => {
    const edit = { ...upperCase, ...fields } as Edit;
    await expect(inMemory({ edits: [edit] })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

/** Every field of each edit: tsc knows the types, the test the schemas. */
const INPUTS: { [Name in EditName]: Required<EditInputs[Name]> } = {
  str_replace: { path: 'a', old_str: 'a', new_str: 'b', replace_all: true },
  insert: {
    path: 'a',
    insert_line: 1,
    before_line: null,
    before_symbol: null,
    after_symbol: null,
    insert_text: 'x',
  },
  replace_lines: { path: 'a', start_line: 1, end_line: 2, new_content: 'x' },
  edit_lines: { path: 'a', edits: [{ from: 1, to: 2, content: 'x' }] },
  create: { path: 'a', file_text: 'x', overwrite: true, exact: true },
  delete: { path: 'a', recursive: true },
  move: { path: 'a', new_path: 'b', overwrite: true },
  apply_patch: { patch: 'x', path: 'a', diff: 'x', operation: 'update_file', move_to: 'b' },
  context_patch: { path: 'a', patch_text: 'x' },
  unified_diff: { patch: 'x' },
  search_replace: { path: 'a', blocks: 'x' },
  replace_symbol: { path: 'a', symbol: 'f', new_content: 'x', with_doc: true },
  move_lines: {
    ...{ path: 'a', start_line: 1, end_line: 2, symbol: null, new_path: 'b' },
    ...{ before_line: 1, before_symbol: null, after_symbol: null },
  },
};

describe('the types of inputs', () => {
  it.each(edits.map(edit => [edit.name as EditName, edit] as const))(
    '%s is what its schema takes',
    (name, edit) => {
      expect(edit.input.safeParse(INPUTS[name]).error).toBeUndefined();
      expect(Object.keys(INPUTS[name]).sort()).toEqual(Object.keys(edit.input.shape).sort());
    },
  );

  it('are those of session.edit', async () => {
    const { workspace } = await inMemory();
    const session = workspace.session();
    await session.edit('create', {
      path: 'a.txt',
      file_text: 'a\n',
      dry_run: true,
      call_id: 'c',
      version: null,
    });
    // @ts-expect-error There is no such edit.
    await expect(session.edit('str_replac', { path: 'a' })).rejects.toThrow('Did you mean str_replace?');
    // @ts-expect-error A field is missing.
    await expect(session.edit('create', { path: 'a' })).rejects.toThrow('file_text');
    // @ts-expect-error There is no such field.
    await expect(session.edit('delete', { path: 'a', force: true })).rejects.toThrow('force');
    // @ts-expect-error A step of a change is typed too.
    await expect(session.change([{ edit: 'delete', file: 1 }])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expectTypeOf(session.edit).parameter(2).toEqualTypeOf<{ signal?: AbortSignal | undefined } | undefined>();
  });
});
