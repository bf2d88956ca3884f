/** Unified diffs whose two sides have names that are not one: what `diff -u` and `diff -ruN old new` print. */

import { describe, expect, it } from 'vitest';
import { applied, refusedEdit } from '../../../helpers/patch-files.ts';
import { CHANGE, refusal, run } from './patches.ts';

const named = (old: string, fresh: string): string =>
  [`--- ${old}`, `+++ ${fresh}`, ...CHANGE, ''].join('\n');
const STAMP = '\t2024-01-01 10:00:00.000000000 +0000';
const NEVER = '\t1970-01-01 00:00:00.000000000 +0000';

describe('diff -u', () => {
  it.each([
    ['f.txt.orig', 'f.txt'],
    ['f.txt', 'f.new'],
    ['src/f.txt.bak', './f.txt'],
    ['old/f.txt', 'new/f.txt'],
    ['/tmp/old/f.txt', '/tmp/new/f.txt'],
    ['../old/f.txt', '../new/f.txt'],
    ['proj-1.0/f.txt', 'proj/f.txt'],
    ['/tmp/saved.txt', 'f.txt'],
  ])('of %s and %s changes the one that is a file', (old, fresh) => {
    const seen = run(named(old + STAMP, fresh + STAMP), { 'f.txt': 'a\nb\n' });
    expect(seen.files).toEqual({ 'f.txt': 'a\nB\n' });
    expect(seen.notes.join()).toMatch(/were taken for f\.txt$/);
  });

  it('of a file and its copy is refused when both are there', () => {
    const error = refusal(named('f.txt.orig', 'f.txt'), { 'f.txt': 'a\nb\n', 'f.txt.orig': 'a\nb\n' });
    expect([error.code, error.data.paths]).toEqual(['PATCH_SYNTAX', ['f.txt', 'f.txt.orig']]);
  });

  it('is refused when none is there', () => {
    expect(refusal(named('g.orig', 'g'), {}).code).toBe('FILE_NOT_FOUND');
  });

  it.each([
    ['a/f.txt', 'b/g.txt'],
    ['a/d/f.txt', 'b/e/f.txt'],
  ])("keeps to git's names where they are git's: %s and %s", (old, fresh) => {
    expect(refusal(named(old, fresh), { 'f.txt': 'a\nb\n' }).message).toMatch(/names disagree/);
  });
});

/** What GNU diff prints, prefix and all. */
const TREES = [
  'diff -ruN old/changed.txt new/changed.txt',
  `--- old/changed.txt${STAMP}`,
  `+++ new/changed.txt${STAMP}`,
  ...CHANGE,
  'diff -ruN old/sub/gone.txt new/sub/gone.txt',
  `--- old/sub/gone.txt${STAMP}`,
  `+++ new/sub/gone.txt${NEVER}`,
  '@@ -1 +0,0 @@',
  '-x',
  'diff -ruN old/sub/made.txt new/sub/made.txt',
  `--- old/sub/made.txt${NEVER}`,
  `+++ new/sub/made.txt${STAMP}`,
  '@@ -0,0 +1 @@',
  '+y',
  '',
].join('\n');

describe('diff -ruN old new', () => {
  it('changes, deletes and makes files', () => {
    const { files } = run(TREES, { 'changed.txt': 'a\nb\n', 'sub/gone.txt': 'x\n' });
    expect(files).toEqual({ 'changed.txt': 'a\nB\n', 'sub/made.txt': 'y\n' });
  });

  it('changes the folder that is there', () => {
    const { files } = run(named('old/f.txt', 'new/f.txt'), { 'new/f.txt': 'a\nb\n' });
    expect(files).toEqual({ 'new/f.txt': 'a\nB\n' });
  });
});

describe('@@ -0,0', () => {
  const MADE = '--- a/n.txt\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n';

  it('makes the file where there is none, as git does', () => {
    expect(run(MADE, {}).files).toEqual({ 'n.txt': 'x\ny\n' });
    const open = `${MADE}\\ No newline at end of file\n`;
    expect(run(open, {}).files).toEqual({ 'n.txt': 'x\ny' });
  });

  it('fills an empty one, and is refused on any other', () => {
    expect(run(MADE, { 'n.txt': '' }).files).toEqual({ 'n.txt': 'x\ny\n' });
    expect(refusal(MADE, { 'n.txt': 'x\n' }).code).toBe('PATCH_SYNTAX');
  });

  it('does not stand for hunks that have old lines', () => {
    expect(refusal('--- a/n\n+++ b/n\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n', {}).code).toBe('FILE_NOT_FOUND');
    expect(refusedEdit('unified_diff', { patch: '--- a/n\n+++ b/n\n@@ -4,0 +5 @@\n+c\n' }, {}).code).toBe(
      'FILE_NOT_FOUND',
    );
  });
});

it('calls a patch that ends before its first change cut off', () => {
  const cut = '--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n a\n b\n';
  expect(refusal(cut, { f: 'a\nb\nc\nd\n' }).message).toContain('it may have been cut off');
});

it('refuses lines that stand at an end of the file already', () => {
  const top = '--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n+new\n a\n b\n';
  expect(applied('unified_diff', { patch: top }, { f: 'a\nb\n' }).files).toEqual({ f: 'new\na\nb\n' });
  expect(refusal(top, { f: 'new\na\nb\n' }).message).toContain('already applied at line 1');
  const end = '--- a/f\n+++ b/f\n@@ -1,2 +1,3 @@\n a\n b\n+new\n';
  expect(refusal(end, { f: 'a\nb\nnew\n' }).message).toContain('already applied at line 3');
});
