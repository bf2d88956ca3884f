/** The lists of cases for single files, and the scenarios of openai/codex, at the level of planning. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import contextCases from '../../conformance/context-patch.json' with { type: 'json' };
import oneFileCases from '../../conformance/v4a-one-file.json' with { type: 'json' };
import { applied, refusedEdit } from '../../helpers/patch-files.ts';
import type { Texts } from './git-and-diff.ts';

interface Case {
  before: string;
  input: { patch_text: string };
  after?: string;
  error?: string;
}

describe('context_patch', () => {
  it.each((contextCases as Array<Case & { id: string }>).map(one => [one.id, one] as const))(
    '%s',
    (_, one) => {
      const input = { path: 'f.txt', ...one.input };
      const before = { 'f.txt': one.before };
      if (one.error) expect(refusedEdit('context_patch', input, before).code).toBe(one.error);
      else expect(applied('context_patch', input, before).files).toEqual({ 'f.txt': one.after });
    },
  );
});

/** Where this engine is stricter than openai-agents-js, and what it answers. */
const REFUSED: Readonly<Record<string, string>> = {
  'Example 14: old_name.txt moved to docs/new_name.txt (content unchanged)': 'NO_CHANGE',
};

describe('the one-file form', () => {
  it.each(oneFileCases.map(one => [one.name, one] as const))('%s', (name, one) => {
    const creates = one.mode === 'create';
    const input = { path: 'f.txt', diff: one.diff, operation: creates ? 'create_file' : 'update_file' };
    const before: Texts = creates ? {} : { 'f.txt': one.input };
    const code = REFUSED[name] ?? ('error' in one ? /^PATCH_(SYNTAX|FAILED)$/ : null);
    if (code !== null) expect(refusedEdit('apply_patch', input, before).code).toMatch(code);
    else expect(applied('apply_patch', input, before).files).toEqual({ 'f.txt': one.expected });
  });
});

const FOLDER = join(import.meta.dirname, '../../conformance/apply-patch');

/** Scenarios in which nothing may change here: the two differences that are meant, and the refusals. */
const UNCHANGED: Readonly<Record<string, string>> = {
  '006_rejects_missing_context': 'PATCH_FAILED',
  '008_rejects_empty_update_hunk': 'PATCH_SYNTAX',
  '009_requires_existing_file_for_update': 'FILE_NOT_FOUND',
  '011_add_overwrites_existing_file': 'FILE_EXISTS',
  '013_rejects_invalid_hunk_header': 'PATCH_SYNTAX',
  '015_failure_after_partial_success_leaves_changes': 'FILE_NOT_FOUND',
};

function textsIn(folder: string): Texts {
  if (!existsSync(folder)) return {};
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

describe('scenarios of codex', () => {
  it.each(readdirSync(FOLDER))('%s', name => {
    const before = textsIn(join(FOLDER, name, 'input'));
    const patch = readFileSync(join(FOLDER, name, 'patch.txt'), 'utf8');
    const code = UNCHANGED[name];
    if (code) expect(refusedEdit('apply_patch', { patch }, before).code).toBe(code);
    else
      expect(applied('apply_patch', { patch }, before).files).toEqual(
        textsIn(join(FOLDER, name, 'expected')),
      );
  });
});
