import { describe, expect, it } from 'vitest';
import { edits } from '../../src/edits/index.ts';
import { runTool, toolset } from '../../src/index.ts';
import { memoryTool, textEditorTool } from '../../src/surfaces/anthropic.ts';
import { patchEditor } from '../../src/surfaces/openai.ts';
import { tools } from '../../src/tools/index.ts';
import type { Session } from '../../src/workspace/session.ts';
import { textEditor } from '../helpers/agent-zero.ts';
import { personRepo } from '../helpers/person-repo.ts';

const TWICE = 'x = 1;\ny = 2;\nx = 1;\n';
const FILES = { 'a.txt': TWICE, 'empty.txt': '', 'd/b.txt': 'b\n', 'c.bin': 'a\0b' };

async function opened(): Promise<Session> {
  return personRepo(FILES).session();
}

/** Calls that are refused, by their tools. */
const REFUSED: Readonly<Record<string, readonly object[]>> = {
  str_replace: [
    { path: 'a.txt', old_str: '', new_str: 'z' },
    { path: 'a.txt', old_str: 'x', new_str: 'x' },
    { path: 'a.txt', old_str: 'x = 1;', new_str: 'z' },
    { path: 'a.txt', old_str: 'never seen anywhere', new_str: 'z' },
    { path: 'empty.txt', old_str: 'one', new_str: 'z' },
    { path: 'c.bin', old_str: 'a', new_str: 'z' },
    { path: 'zzz/qqq', old_str: 'x', new_str: 'z' },
    { path: 'd', old_str: 'x', new_str: 'z' },
    { path: 'a.txt', old_str: 'y', new_str: 'z', version: 'abcd' },
    { path: 'a.txt', old_str: 'y', new_str: 'z', version: 'no' },
    { path: 'a.txt', old_str: 'y', new_str: 'z', base: '~99' },
  ],
  insert: [
    { path: 'a.txt', insert_line: 1, insert_text: 'z' },
    { path: 'a.txt', insert_line: 99, insert_text: 'z', base: '@' },
    { path: 'a.txt', insert_text: 'z' },
  ],
  replace_lines: [{ path: 'a.txt', start_line: 9, end_line: 9, new_content: 'z', base: 'HEAD' }],
  create: [{ path: 'a.txt', file_text: 'z' }],
  move: [{ path: 'a.txt', new_path: 'empty.txt' }],
  apply_patch: [
    {
      patch: '*** Begin Patch\n*** Update File: a.txt\n@@ -1,2 +1,2 @@ f\n-never\n+z\n*** End Patch',
    },
    { path: 'a.txt' },
    { patch: 'x', path: 'a.txt' },
  ],
  context_patch: [{ path: 'a.txt', patch_text: '*** Begin Patch\n*** Move to: b\n*** End Patch' }],
  unified_diff: [
    { patch: '--- a/a.txt\n+++ b/a.txt\n@@ f\n-x\n+z\n' },
    { patch: '*** Begin Patch\n*** Update File: a.txt\n@@\n-y\n+z\n*** End Patch' },
  ],
  search_replace: [{ path: 'a.txt', blocks: '<<<<<<< SEARCH\nq\n=======\nz\n>>>>>>> REPLACE' }],
  change: [{ edits: [{ edit: 'nothing' }] }, { edits: [{ path: 'a.txt' }] }],
  view: [{ path: 'zzz/qqq' }, { path: 'a.txt', view_range: [9, 9] }],
  blame: [{ path: 'zzz' }],
  rollback: [{ commit: '@', paths: ['zzz'] }],
  restore: [{ path: 'zzz', from: 'HEAD' }],
  revert: [{ commit: 'HEAD' }],
};

/** Every word that is the name of a tool, as far as it is told from English: with an underscore, or where it is advised. */
function toolsNamed(text: string): string[] {
  const names = tools.map(tool => tool.name).filter(name => name.includes('_'));
  const exact = names.filter(name => new RegExp(`\\b${name}\\b`).test(text));
  const advised = [
    ...text.matchAll(
      /\b(?:use|Use|with|View|view|`)\s?(view|insert|create|delete|move|log|undo|revert|restore|show|diff|blame)\b/g,
    ),
  ];
  const looked = /\b[Vv]iew (it|the|a|\.|[a-z])/.test(text) ? ['view'] : [];
  return [...new Set([...exact, ...advised.map(one => one[1]!), ...looked])];
}

describe('a refusal names no tool that the caller does not have', () => {
  it.each(Object.keys(REFUSED))('who has only %s', async name => {
    const session = await opened();
    for (const input of REFUSED[name]!) {
      const [only] = toolset({ tools: [name] });
      const { ok, message } = await only!.run(session, input);
      // A change is told the edits that it can hold.
      const known = name === 'change' ? [name, ...edits.map(edit => edit.name)] : [name];
      expect({ ok, message, others: toolsNamed(message).filter(one => !known.includes(one)) }).toMatchObject({
        ok: false,
        others: [],
      });
      expect(JSON.stringify([message])).not.toMatch(/\\ud[c-f]/);
    }
  });

  it('but those that they have, by the names that they have for them', async () => {
    const session = await opened();
    const set = toolset({ prefix: 'doc_', names: { view: 'read', create: 'write' }, pathField: 'doc' });
    const replace = set.find(one => one.tool === 'str_replace')!;
    const said = async (input: object): Promise<string> => (await replace.run(session, input)).message;
    expect(await said({ doc: 'zzz/qqq', old_str: 'x', new_str: 'z' })).toContain(
      'Use doc_read on . to see which files there are, or use doc_write to make it.',
    );
    expect(await said({ doc: 'a.txt', old_str: '', new_str: 'z' })).toContain('use doc_insert');
    const all = toolset({ prefix: 'doc_', tools: ['change', 'view', 'insert'] });
    const change = all.find(one => one.tool === 'change')!;
    expect((await change.run(session, { edits: [{ edit: 'nothing' }] })).message).toMatch(
      /The edits are doc_insert\./,
    );
  });

  it('with every tool there are no marks left in any result, nor in its data', async () => {
    const session = await opened();
    for (const [name, inputs] of Object.entries(REFUSED))
      for (const input of inputs) {
        const result = JSON.stringify(await runTool(session, name, input));
        expect(result).not.toMatch(/\\ud[c-f]/);
      }
  });
});

describe('a refusal is in the words of the surface', () => {
  it("of a program: its tools, its fields, and paths with '/'", async () => {
    const session = await opened();
    const vocabulary = {
      tools: { view: 'read_file', list: 'ls', create: 'write_file', str_replace: 'edit_file' },
      fields: { old_str: 'old_string' },
      path: (path: string) => (path === '.' ? '/' : `/${path}`),
    };
    const said = (work: (own: Session) => Promise<unknown>): Promise<string> =>
      session.inTurn(work, { vocabulary }).then(
        () => Promise.reject(new Error('was not refused')),
        ({ code, message }) => `${code}: ${message}`,
      );
    const edit = (path: string, old_str: string): Promise<string> =>
      said(own => own.edit('str_replace', { path, old_str, new_str: 'z' }));
    expect(await edit('a.txt', 'x = 1;')).toMatch(
      /^AMBIGUOUS: old_string occurs 2 times in \/a\.txt, .* set replace_all: true/s,
    );
    expect(await edit('a.txt', 'nowhere')).toMatch(
      /^NO_MATCH: old_string does not occur in \/a\.txt\..*Use read_file on/s,
    );
    expect(await said(own => own.read({ path: 'B.txt' }))).toMatch(
      /no file \/B\.txt\. Did you mean \/d\/b\.txt\?$/,
    );
    expect(await edit('zzz', 'a')).toMatch(
      /Use ls on \/ to see which files there are, or use write_file to make it\.$/,
    );
    expect(await edit('d', 'a')).toMatch(/^IS_DIRECTORY: \/d is a folder/);
  });

  it('of the memory tool: paths below /memories', async () => {
    const tool = memoryTool(await opened(), { folder: 'd' });
    const said = (input: object): Promise<string> => tool.run(input).catch(error => error.message);
    expect(
      await said({ command: 'str_replace', path: '/memories/b.txt', old_str: 'q', new_str: 'z' }),
    ).toMatch(/old_str does not occur in \/memories\/b\.txt/);
    expect(await said({ command: 'view', path: '/memories/B.txt' })).toMatch(
      /no file \/memories\/B\.txt\. Did you mean \/memories\/b\.txt\?$/,
    );
    expect(await said({ command: 'create', path: '/memories/b.txt', file_text: 'z' })).toMatch(
      /\/memories\/b\.txt exists already/,
    );
    expect(await said({ command: 'view', path: '/memories' })).toContain('/memories/b.txt');
  });

  it('of Agent Zero: its fields and its actions', async () => {
    const { execute } = textEditor(await opened());
    const said = async (args: object): Promise<string> => (await execute(args)).message;
    const patch = { action: 'patch', path: 'a.txt' };
    const twice = await said({ ...patch, old_text: 'x = 1;', new_text: 'z' });
    expect(twice).toMatch(/old_text occurs 2 times/);
    expect(twice).not.toMatch(/old_str|replace_all|replace_lines/);
    expect(await said({ ...patch, old_text: 'nowhere at all', new_text: 'z' })).toMatch(/Read the file/);
    expect(await said({ ...patch, path: 'zzz', old_text: 'a', new_text: 'b' })).toMatch(
      /use write to make it/,
    );
    expect(await said({ ...patch, edits: [{ from: 9, to: 9, content: 'z' }], version: 'abcd' })).toMatch(
      /cite version/,
    );
  });

  it("of OpenAI's operations, and of Anthropic's editor: no tool that is not theirs", async () => {
    const session = await opened();
    const { output } = await patchEditor(session).updateFile({
      type: 'update_file',
      path: 'zzz/q',
      diff: '@@\n-a\n+b\n',
    });
    expect(output).toMatch(/use create_file to make it/);
    expect(toolsNamed(output)).toEqual([]);
    const said = (input: object): Promise<string> =>
      textEditorTool(session)
        .run(input)
        .catch(error => error.message);
    const same = { command: 'str_replace', path: 'a.txt', old_str: 'x = 1;', new_str: 'z' };
    expect(toolsNamed(await said(same))).toEqual([]);
  });
});
