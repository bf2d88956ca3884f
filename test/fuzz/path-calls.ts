/** Every tool call into which a path from outside can be put. */

export interface PathCall {
  tool: string;
  input: Record<string, unknown>;
  /** The path is inside a text with a syntax of its own, which may take another path out of it. */
  inText?: boolean;
  /** The path only chooses among others. */
  filter?: boolean;
}

/** As git quotes names in diffs. */
function quoted(path: string): string {
  const bytes = [...new TextEncoder().encode(path)];
  const plain = (byte: number): boolean => byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  return bytes
    .map(byte => (plain(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`))
    .join('');
}

/** Calls that would write, first those that are refused or done by the path alone. */
export function pathCalls(path: string): PathCall[] {
  const create = { edit: 'create', path, file_text: 'x\n', overwrite: true };
  const added = (old: string, name: string): string => `--- ${old}\n+++ ${name}\n@@ -0,0 +1 @@\n+x\n`;
  return [
    { tool: 'create', input: { path, file_text: 'x\n', overwrite: true } },
    { tool: 'str_replace', input: { path, old_str: 'secret', new_str: 'x' } },
    { tool: 'insert', input: { path, insert_line: 0, insert_text: 'x', version: '0000' } },
    { tool: 'replace_lines', input: { path, start_line: 1, end_line: 1, new_content: 'x', version: '0000' } },
    { tool: 'edit_lines', input: { path, edits: [{ from: 1, content: 'x' }], version: '0000' } },
    { tool: 'delete', input: { path } },
    { tool: 'move', input: { path, new_path: 'moved.txt', overwrite: true } },
    { tool: 'move', input: { path: 'base.txt', new_path: path, overwrite: true, dry_run: true } },
    {
      tool: 'change',
      input: {
        edits: [{ edit: 'create', path: 'ok', file_text: 'x', overwrite: true }, create],
        dry_run: true,
      },
    },
    {
      tool: 'search_replace',
      input: { path, blocks: '<<<<<<< SEARCH\nsecret\n=======\nx\n>>>>>>> REPLACE\n' },
    },
    { tool: 'context_patch', input: { path, patch_text: '@@\n-secret\n+x\n' } },
    { tool: 'apply_patch', input: { path, diff: '+x', operation: 'create' } },
    { tool: 'apply_patch', input: { path, operation: 'delete' } },
    { tool: 'apply_patch', input: { path: 'base.txt', diff: '@@\n-a\n+A', move_to: path, dry_run: true } },
    { tool: 'restore', input: { path, commit: 'HEAD' } },
    { tool: 'rollback', input: { commit: '~0', paths: [path] }, filter: true },
    { tool: 'view', input: { path } },
    { tool: 'view', input: { path, at: 'HEAD' } },
    { tool: 'blame', input: { path } },
    ...[
      `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`,
      `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
      `*** Begin Patch\n*** Update File: base.txt\n*** Move to: ${path}\n@@\n-a\n+A\n*** End Patch`,
    ].map(patch => ({ tool: 'apply_patch', input: { patch, dry_run: true }, inText: true })),
    ...[
      added('/dev/null', `b/${path}`),
      added('/dev/null', path),
      added('/dev/null', `"b/${quoted(path)}"`),
      added(`"a/${quoted(path)}"`, `"b/${quoted(path)}"`),
      `diff --git "a/base.txt" "b/${quoted(path)}"\nrename from base.txt\nrename to "${quoted(path)}"\n`,
      `diff --git a/base.txt b/x\nsimilarity index 100%\nrename from base.txt\nrename to ${path}\n`,
    ].map(patch => ({ tool: 'unified_diff', input: { patch, dry_run: true }, inText: true })),
  ];
}
