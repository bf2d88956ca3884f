/** What an edit would make is bounded before it is made, and so is the work on what others sent. */

import { describe, expect, it } from 'vitest';
import { formatMessage, parseMessage } from '../../src/history/message.ts';
import { personRepo } from '../helpers/person-repo.ts';

const MIB = 1024 * 1024;
const long = (n: number): string => 'b'.repeat(n);

describe('an edit whose result is too large', () => {
  it.each([
    ['str_replace', { old_str: 'a', new_str: long(1000), replace_all: true }],
    ['str_replace', { old_str: 'a', new_str: long(20_000), replace_all: true }],
    ['str_replace', { old_str: 'a', new_str: `${long(800)}\n`, replace_all: true }],
    ['str_replace', { old_str: 'aa', new_str: `x\r\n${long(2000)}`, replace_all: true }],
    ['insert', { insert_line: 0, insert_text: long(66 * MIB) }],
    ['replace_lines', { start_line: 1, end_line: 1, new_content: long(66 * MIB) }],
    ['edit_lines', { edits: [{ from: 1, to: 1, content: long(66 * MIB) }] }],
    ['create', { file_text: long(66 * MIB), overwrite: true }],
    ['search_replace', { blocks: `<<<<<<< SEARCH\nend\n=======\n${long(66 * MIB)}\n>>>>>>> REPLACE\n` }],
    ['unified_diff', { patch: `--- a/a.txt\n+++ b/a.txt\n@@ -2 +2 @@\n-end\n+${long(66 * MIB)}\n` }],
  ] as const)('is refused, and nobody waits: %s', async (name, input) => {
    const repo = personRepo({ 'a.txt': `${'a'.repeat(100_000)}\nend\n` });
    const session = await repo.session();
    const { path: _, ...rest } = { path: '', ...input };
    const whole = name === 'unified_diff' ? rest : { path: 'a.txt', ...rest };
    await session.view({ path: 'a.txt' });
    const call = session.edit(name, whole as never);
    await expect(call).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('is refused where a list of edits comes to it step by step', async () => {
    const repo = personRepo({ 'a.txt': `${'a'.repeat(1000)}\n` });
    const session = await repo.session();
    const edits = Array.from({ length: 40 }, () => ({
      edit: 'str_replace' as const,
      path: 'a.txt',
      old_str: 'a',
      new_str: 'aa',
      replace_all: true,
    }));
    await expect(session.change(edits)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });
});

describe('the trailers of a commit', () => {
  it('are read in time with their number', () => {
    const paths = Array.from({ length: 300_000 }, (_, n) => `d/${n}.txt`);
    const message = formatMessage('subject', undefined, { op: 'create', paths });
    expect(parseMessage(message).meta?.paths).toHaveLength(300_000);
  });
});
