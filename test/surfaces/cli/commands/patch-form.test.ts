import { describe, expect, it } from 'vitest';
import { patchForm } from '../../../../src/table/edits.ts';

describe('patchForm', () => {
  it.each([
    ['apply_patch', '*** Begin Patch\n*** Update File: a\n@@\n-a\n'],
    ['apply_patch', "apply_patch <<'EOF'\r\n*** Begin Patch\r\n"],
    ['unified_diff', 'Here:\n\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n'],
    ['unified_diff', 'diff --git a/a b/b\nrename from a\n'],
    ['unified_diff', '--- a/a\n+++ b/a\n@@ -1 +1 @@\n *** Begin Patch\n'],
    ['unified_diff', 'From 0123\nSubject: x\n\n@@ is an anchor\n---\n f | 2 +-\n\ndiff --git a/f b/f\n'],
    ['unified_diff', 'commit 0123\n\n    *** Begin Patch\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n'],
    ['apply_patch', '*** Begin Patch\n*** Update File: a\n--- old\n+++ new\n*** End Patch\n'],
    ['search_replace', '<<<<<<< SEARCH\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n'],
    ['context_patch', '@@ def f():\n-a\n'],
    ['context_patch', '@@\n-a\n'],
    ['search_replace', 'a.txt\n```\n<<<<<<< SEARCH\n'],
    [null, 'words\n--- alone\n@@ -1 +1 @@\n'],
    [null, ''],
  ])('is %s', async (form, text) => {
    expect(await patchForm(text)).toBe(form);
  });
});
