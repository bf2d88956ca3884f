/** A tool call that arrives again with the id that it had is answered, not done again: in every adapter, by one mechanism. */

import { describe, expect, it } from 'vitest';
import { isUniqueCall } from '../../../src/engine/change/call-ids.ts';
import type { Session, SessionOptions } from '../../../src/index.ts';
import { runTool } from '../../../src/index.ts';
import { aiTools, applyPatchExecute, memoryExecute, textEditorExecute } from '../../../src/surfaces/ai.ts';
import { answerToolUses, customTools, memoryTool, textEditorTool } from '../../../src/surfaces/anthropic.ts';
import { langchainTools } from '../../../src/surfaces/langchain/index.ts';
import { agentTools, answerItems } from '../../../src/surfaces/openai.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const insert = { path: 'f.txt', insert_line: 0, insert_text: 'top\n' };
const editor = { command: 'insert', ...insert };
const memory = { ...editor, path: '/memories/f.txt' };
const patch = { type: 'update_file', path: 'f.txt', diff: '@@\n+top\n one\n' };

/** Each sends one call that puts a line in, and the words of an undo, with the id. */
const ADAPTERS: Readonly<Record<string, (session: Session, id: string) => Promise<unknown>>> = {
  runTool: (session, id) => runTool(session, 'insert', { ...insert, call_id: id }),
  'session.edit': (session, id) => session.edit('insert', { ...insert, call_id: id }),
  'session.change': (session, id) => session.change([{ edit: 'insert', ...insert }], { callId: id }),
  answerToolUses: (session, id) =>
    answerToolUses(session, [{ type: 'tool_use', id, name: 'insert', input: insert }]),
  customTools: (session, id) => {
    const [tool] = customTools(session, { tools: ['insert'] });
    return tool!.run(insert, { toolUse: { id } });
  },
  textEditorTool: (session, id) => textEditorTool(session).run(editor, { toolUse: { id } }),
  memoryTool: (session, id) => memoryTool(session, { folder: 'm' }).run(memory, { toolUse: { id } }),
  answerItems: (session, id) =>
    answerItems(session, [
      { type: 'function_call', name: 'insert', arguments: JSON.stringify(insert), call_id: id },
    ]),
  'answerItems with a patch': (session, id) =>
    answerItems(session, [{ type: 'apply_patch_call', operation: patch, call_id: id }]),
  agentTools: (session, id) => {
    const [tool] = agentTools(session, { tools: ['insert'] });
    return tool!.execute(insert, undefined, { toolCall: { callId: id } });
  },
  aiTools: (session, id) =>
    aiTools(session, { tools: ['insert'] }).insert.execute(insert, { toolCallId: id }),
  textEditorExecute: (session, id) => textEditorExecute(session)(editor, { toolCallId: id }),
  memoryExecute: (session, id) => memoryExecute(session, { folder: 'm' })(memory, { toolCallId: id }),
  applyPatchExecute: (session, id) => applyPatchExecute(session)({ callId: id, operation: patch }),
  langchainTools: (session, id) => {
    type Call = (input: unknown, config: object) => Promise<unknown>;
    const tools: Call[] = [];
    const tool = (call: Call): { invoke: () => Promise<void> } => {
      tools.push(call);
      return { invoke: async () => {} };
    };
    langchainTools(session, tool as never, { tools: ['insert'] });
    return tools[0]!(insert, { toolCall: { id } });
  },
};

const FILES = { 'f.txt': 'one\ntwo\n', 'm/f.txt': 'one\ntwo\n' };

async function viewed(options: SessionOptions = {}): Promise<{ repo: Place; session: Session }> {
  const repo = personRepo(FILES);
  const session = (await repo.open()).session({ agent: 'fixer', ...options });
  for (const path of Object.keys(FILES)) await session.view({ path });
  return { repo, session };
}

const edits = (repo: Place): number => Number(repo.git('rev-list', '--count', 'main..vedit/main'));

const UNIQUE = ['toolu_01ABCDEFGHJKMNPQRSTVWXYZ', 'call_AbCdEfGhIjKlMnOp'];

const REPEATED = 'this call was done before; nothing was done again';

it.each(Object.entries(ADAPTERS))(
  'a call that %s gets again is answered, not done again',
  async (_, call) => {
    const { repo, session } = await viewed();
    const twice = async (one: Session, id: string): Promise<[boolean, boolean]> => [
      JSON.stringify(await call(one, id)).includes(REPEATED),
      JSON.stringify(await call(one, id)).includes(REPEATED),
    ];
    expect(await twice(session, UNIQUE[0]!)).toEqual([false, true]);
    expect(edits(repo)).toBe(1);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Vedit-Call,valueonly)', 'vedit/main').trim()).toBe(
      UNIQUE[0],
    );
    // One that is counted stands at other calls too.
    expect(await twice(session, 'call_0')).toEqual([false, false]);
    const again = (await repo.open()).session({ repeatCalls: true });
    for (const path of Object.keys(FILES)) await again.view({ path });
    expect(await twice(again, UNIQUE[1]!)).toEqual([false, false]);
  },
);

describe('a tool call', () => {
  const undo = (session: Session, call_id: string) => runTool(session, 'undo', { call_id });

  it('undoes once, and a second undo with an id of its own undoes a second edit', async () => {
    const { repo, session } = await viewed();
    for (const text of ['1', '2', '3'])
      await session.edit('create', { path: 'n.txt', file_text: text, overwrite: true });
    expect(await undo(session, 'toolu_1')).toMatchObject({ ok: true, data: { op: 'undo' } });
    expect(await undo(session, 'toolu_1')).toMatchObject({ ok: true, data: { repeated: true } });
    expect(repo.read('n.txt')).toBe('2');
    expect(await undo(session, 'toolu_2')).not.toMatchObject({ data: { repeated: true } });
    expect(repo.read('n.txt')).toBe('1');
    // Also where another call was made in between.
    expect(await undo(session, 'toolu_1')).toMatchObject({ data: { repeated: true } });
    expect(repo.read('n.txt')).toBe('1');
  });

  it('with the id of another and another input is no repetition, and not refused', async () => {
    const { repo, session } = await viewed();
    await session.edit('insert', { ...insert, call_id: 'toolu_1' });
    const other = await session.edit('insert', { ...insert, insert_text: 'other\n', call_id: 'toolu_1' });
    expect(other.data.repeated).toBeUndefined();
    expect(await session.undo({ callId: 'toolu_1' })).not.toMatchObject({ data: { repeated: true } });
    expect(edits(repo)).toBe(3);
  });

  it('of another session is no repetition; of the same one in another process it is', async () => {
    const { repo, session } = await viewed({ id: 's1' });
    const { data } = await session.edit('create', { path: 'n.txt', file_text: 'n\n', call_id: 'toolu_1' });
    await repo.close();
    const again = (await repo.open()).session({ id: 's1' });
    const input = { path: 'n.txt', file_text: 'n\n', call_id: 'toolu_1' };
    expect((await again.edit('create', input)).data).toMatchObject({ repeated: true, commit: data.commit });
    const other = (await repo.open()).session({ id: 's2' });
    await expect(other.edit('create', input)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  });

  it('may make the same edit twice in one turn; sent again, both are answered', async () => {
    const { repo, session } = await viewed();
    const twice = (): Promise<Array<boolean | undefined>> =>
      session.inTurn(async own => {
        const first = await own.edit('insert', { ...insert, call_id: 'toolu_1' });
        const second = await runTool(own, 'insert', { ...insert, call_id: 'toolu_1' });
        return [first.data.repeated, second.ok && (second.data as { repeated?: boolean }).repeated];
      });
    expect(await twice()).toEqual([undefined, undefined]);
    expect(repo.read('f.txt')).toBe('top\ntop\none\ntwo\n');
    expect(await twice()).toEqual([true, true]);
    expect(repo.read('f.txt')).toBe('top\ntop\none\ntwo\n');
  });

  it('that was refused, or was a dry run, is no repetition of itself', async () => {
    const { repo, session } = await viewed();
    const create = { path: 'n.txt', file_text: 'n\n', call_id: 'toolu_1' };
    await session.edit('create', { ...create, dry_run: true });
    repo.write('n.txt', 'there\n');
    await expect(session.edit('create', create)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    repo.write('f.txt', 'by another tool\n');
    await session.record(['f.txt'], { callId: 'toolu_2' });
    repo.write('f.txt', 'by another tool, later\n');
    expect((await session.record(['f.txt'], { callId: 'toolu_2' })).data.repeated).toBeUndefined();
  });

  it('says that it was undone since', async () => {
    const { session } = await viewed();
    await session.edit('insert', { ...insert, call_id: 'toolu_1' });
    await session.undo();
    const { message, data } = await session.edit('insert', { ...insert, call_id: 'toolu_1' });
    expect(data).toMatchObject({ repeated: true, undone: true });
    expect(message).toContain('was taken back since. To have it done again, make a new call.');
  });
});

it('ids are unique by their form', () => {
  for (const id of [...UNIQUE, 'toolu_X', 'toolu_bdrk_01']) expect(isUniqueCall(id), id).toBe(true);
  for (const id of [
    '',
    'toolu_',
    'call_0',
    'call_abcdefghijklmno',
    'x',
    'call_ 1234567890123456',
    'progress-1',
  ])
    expect(isUniqueCall(id), id).toBe(false);
});
