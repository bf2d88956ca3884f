/** A patch that was escaped once too often gets the true reason, whichever form it has. */

import { describe, expect, it } from 'vitest';
import { personRepo } from '../../helpers/person-repo.ts';

const V4A = '*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch';
const UNIFIED = '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n';
const BLOCK = '<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n';
const CONTEXT = '@@ one\n-two\n+2\n';
const escaped = (patch: string): string => JSON.stringify(patch).slice(1, -1);

describe('a patch that was escaped once too often', () => {
  it.each([
    ['apply_patch', { patch: escaped(V4A) }],
    ['apply_patch', { patch: `${escaped(V4A)}\n` }],
    ['apply_patch', { patch: JSON.stringify(V4A) }],
    ['apply_patch', { patch: escaped(V4A.replaceAll('\n', '\r\n')) }],
    ['apply_patch', { patch: escaped(UNIFIED) }],
    ['unified_diff', { patch: escaped(UNIFIED) }],
    ['unified_diff', { patch: escaped(`diff --git a/a.txt b/a.txt\n${UNIFIED}`) }],
    ['unified_diff', { patch: escaped(`Index: a.txt\n${UNIFIED}`) }],
    ['search_replace', { path: 'a.txt', blocks: escaped(BLOCK) }],
    ['context_patch', { path: 'a.txt', patch_text: escaped(CONTEXT) }],
  ] as const)('%s says so: %j', async (name, input) => {
    const session = await personRepo({ 'a.txt': 'one\ntwo\n' }).session();
    const error = await session.edit(name, input as never).catch(one => one);
    expect(error).toMatchObject({ code: 'PATCH_SYNTAX' });
    expect(error.message).toContain('escaped once too often');
  });

  it('is none where a line of it has a backslash and n', async () => {
    const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
    const session = await repo.session();
    await session.edit('unified_diff', { patch: UNIFIED.replace('+2', '+a\\n') });
    expect(repo.read('a.txt')).toBe('one\na\\n\n');
  });
});
