/** Characters that were lost on the way are not written: a connection that may break them says so. */

import { describe, expect, it } from 'vitest';
import { offeredTools } from '../../src/tools/toolset/toolset.ts';
import { personRepo } from '../helpers/person-repo.ts';

const LOST = '\ufffd';

describe('input that may be broken', () => {
  it.each([
    ['create', { path: 'new.txt', file_text: `caf${LOST}\n` }],
    ['create', { path: 'plain.txt', file_text: LOST, overwrite: true }],
    ['create', { path: `${LOST}.txt`, file_text: 'x' }],
    ['str_replace', { path: 'plain.txt', old_str: 'one', new_str: LOST }],
    ['insert', { path: 'plain.txt', insert_line: 0, insert_text: `a${LOST}b` }],
    ['edit_lines', { path: 'plain.txt', edits: [{ from: 1, to: 1, content: LOST }] }],
    ['apply_patch', { patch: `*** Begin Patch\n*** Add File: n.txt\n+${LOST}\n*** End Patch` }],
    [
      'apply_patch',
      { patch: `*** Begin Patch\n*** Update File: plain.txt\n@@\n-one\n+${LOST}\n*** End Patch` },
    ],
    ['unified_diff', { patch: `--- a/plain.txt\n+++ b/plain.txt\n@@ -1 +1 @@\n-one\n+${LOST}\n` }],
    [
      'search_replace',
      { path: 'plain.txt', blocks: `<<<<<<< SEARCH\none\n=======\n${LOST}\n>>>>>>> REPLACE\n` },
    ],
    ['change', { edits: [{ edit: 'create', path: 'n.txt', file_text: LOST }] }],
  ] as const)('%s of U+FFFD is refused: %j', async (name, input) => {
    const repo = personRepo({ 'plain.txt': 'one\n' });
    const session = await repo.session();
    await session.view({ path: 'plain.txt' });
    const tool = offeredTools({ tools: 'all' }).find(one => one.name === name)!;
    const result = await tool.run(session, input, undefined, { mayBeBroken: true });
    expect(result).toMatchObject({ ok: false, code: 'NOT_UTF8' });
    expect(result.message).toContain('U+FFFD');
    expect(repo.read('plain.txt')).toBe('one\n');
    expect(repo.git('status', '--porcelain')).toBe('');
    // Where characters come as they are, it is one.
    expect(await tool.run(session, input)).toMatchObject({ ok: true });
  });

  it('writes it where the file has it', async () => {
    const repo = personRepo({ 'a.txt': `one ${LOST}\ntwo\n` });
    const session = await repo.session();
    const [tool] = offeredTools({ tools: ['str_replace'] });
    const input = { path: 'a.txt', old_str: 'two', new_str: `2${LOST}` };
    expect(await tool!.run(session, input, undefined, { mayBeBroken: true })).toMatchObject({ ok: true });
    expect(repo.read('a.txt')).toBe(`one ${LOST}\n2${LOST}\n`);
  });
});
