import { describe, expect, it } from 'vitest';
import { agentZeroPrompt, textEditor } from '../helpers/agent-zero.ts';
import { personRepo } from '../helpers/person-repo.ts';

/** What the prompts of the original say, in all its versions, and how this one says it. */
const STATEMENTS: ReadonlyArray<readonly [statement: string, said: RegExp]> = [
  [
    'reads, writes and patches text files with numbered lines',
    /read, write and patch text files with numbered lines/,
  ],
  ['no binary files', /no binary files/],
  ['no code execution', /no code execution/],
  [
    'the terminal for bulk search and replace',
    /bulk search and replace use the terminal \(grep, find, sed\)/,
  ],
  ['office files by another tool', /docx, xlsx, pptx, odt: office_artifact/],
  ['the form of the name with the action', /text_editor:read/],
  ['the actions', /action read\n[\s\S]*action write\n[\s\S]*action patch\n/],
  [
    'the canvas only when the user asks',
    /open_in_canvas \(optional\): true only if the user asks to open the file/,
  ],
  ['otherwise omit it', /otherwise omit it/],
  ['an open file is refreshed', /refreshes by itself/],
  ['a range of lines, inclusive', /line_to \(optional\): last line, inclusive/],
  ['the default number of lines', /the first 200 lines/],
  ['long lines are cropped', /more than 500 tokens is cropped/],
  ['a token limit for the whole', /ends after 6000 tokens: use line_from\/line_to for the rest/],
  ['read around before patching', /read the surrounding lines before you patch/],
  ['a write creates or overwrites', /creates the file or overwrites it/],
  ['a write makes folders', /missing folders are made/],
  ['a write rather than many patches', /large changes write the file anew/],
  ['a patch for a change without rewriting', /to change a part of a file, patch it/],
  ['exactly one form', /exactly one of old_text \+ new_text, patch_text, edits/],
  ['exact text that matches once', /exact present text, which must occur once/],
  ['best for a simple change', /best for a simple "change X to Y"/],
  ['patch_text needs no read', /on the present content, no read needed/],
  ['the marks of its lines', /" " \(context\), "-" \(removed\) or "\+" \(added\)/],
  ['insert after an anchor', /is an anchor: lines are inserted after it/],
  [
    'both forms of replacing',
    /@@ the line before, then -old \+new; or @@ the old line itself, then -the same old line \+new/,
  ],
  ['enough unique context', /give enough unique context/],
  ['anchors where text is repeated', /where text is repeated, add an @@ anchor/],
  ['no line as context and as removed', /never list one line as both context and removed/],
  ['edits right after a read', /edits: only right after a read/],
  ['original numbers, inclusive', /inclusive line numbers of that read, do not adjust them for shifts/],
  ['no overlaps', /no overlaps/],
  [
    'replace, delete, insert before',
    /\{from:2,to:2,content:"x\\n"\} replaces[\s\S]*\{from:2,to:2\} deletes[\s\S]*inserts before/,
  ],
  [
    're-read after line counts change',
    /re-read after an insertion, a deletion or a replacement of another number of lines/,
  ],
  ['only the lines needed', /only name the lines that change/],
  ['valid syntax', /close all braces, brackets and tags/],
];

describe('the prompt', () => {
  it.each(STATEMENTS)('says: %s', (_statement, said) => {
    expect(agentZeroPrompt()).toMatch(said);
  });

  it('has the numbers and the name that the tool is set up with', async () => {
    const session = await personRepo({ 'a.txt': '1\n' }).session();
    const options = { default_line_count: 77, max_line_tokens: 88, max_total_read_tokens: 99 };
    const tool = textEditor(session, { ...options, name: 'text_editor_remote' });
    expect(tool.name).toBe('text_editor_remote');
    expect(tool.prompt).toMatch(/^### text_editor_remote\n/);
    expect(tool.prompt).toMatch(/first 77 lines\n.* 88 tokens .* after 99 tokens/);
    expect(tool.prompt).not.toMatch(/"tool_name":"text_editor"/);
    const { additional, message } = await tool.execute({ path: 'a.txt' }, 'text_editor_remote:read');
    expect(message).toMatch(/^a\.txt 1 lines/);
    expect(additional).toMatchObject({ _tool_name: 'text_editor_remote', action: 'read' });
  });
});

describe('old_text without new_text', () => {
  it('is refused: what is missing is no wish to delete', async () => {
    const session = await personRepo({ 'a.txt': 'one\ntwo\n' }).session();
    const { execute } = textEditor(session);
    const patch = { action: 'patch', path: 'a.txt', old_text: 'one\n' };
    expect((await execute(patch)).message).toMatch(
      /new_text is required with old_text; to delete .* new_text: ""/,
    );
    expect((await execute({ ...patch, new_text: '' })).message).toMatch(/^a\.txt patched 1 edits/);
    expect((await session.read({ path: 'a.txt' })).data).toMatchObject({ text: 'two\n' });
  });
});
