/** Names with a time stamp behind them, tabs and blanks in them, and doubled slashes: git on this machine says which is meant. */

import { expect, it } from 'vitest';
import { EditError } from '../../../../src/errors.ts';
import { applied } from '../../../helpers/patch-files.ts';
import { gitApply, type Texts } from '../git-and-diff.ts';

const NAMES = [
  'new.py',
  'my file.py',
  'post\timage.txt',
  'a//b.py',
  'd/x 2024-01-01',
  'x\t2024-01-01 y',
  'new.py ',
];
const STAMPS = [
  '',
  '\t',
  ' ',
  '\t2024-01-01 00:00:00',
  ' 2024-01-01 00:00:00',
  '  2024-01-01 00:00:00',
  '\t2024-01-01 00:00:00.000000000 +0100',
  ' 2024-01-01 00:00:00.123 -0500',
  '\t24-01-01 00:00:00 +01:00',
  ' 2024-01-01',
  '\t1970-01-01 00:00:00 +0000',
  '\tMon Jan  1 00:00:00 2024',
  '\t(revision 3)',
  '\t2024-01-01T00:00:00Z',
];

/** By what becomes of the file: the files before, and the patch, with a name and a stamp. */
const PARTS: Readonly<Record<string, (name: string, stamp: string) => { files: Texts; patch: string }>> = {
  made: (name, stamp) => ({ files: {}, patch: `--- /dev/null\n+++ b/${name}${stamp}\n@@ -0,0 +1 @@\n+x\n` }),
  'made, of a dated /dev/null': (name, stamp) => ({
    files: {},
    patch: `--- /dev/null\t2024-01-01 00:00:00\n+++ b/${name}${stamp}\n@@ -0,0 +1 @@\n+x\n`,
  }),
  changed: (name, stamp) => ({
    files: { [name.replaceAll('//', '/')]: 'a\n' },
    patch: `--- a/${name}${stamp || '\t'}\n+++ b/${name}${stamp}\n@@ -1 +1 @@\n-a\n+x\n`,
  }),
  deleted: (name, stamp) => ({
    files: { [name.replaceAll('//', '/')]: 'a\n' },
    patch: `--- a/${name}${stamp}\n+++ /dev/null${stamp}\n@@ -1 +0,0 @@\n-a\n`,
  }),
};

function outcome({ files, patch }: { files: Texts; patch: string }): Texts | null {
  try {
    return applied('unified_diff', { patch }, files).files;
  } catch (error) {
    if (error instanceof EditError) return null;
    throw error;
  }
}

it.each(Object.keys(PARTS))('a file that is %s has the name that git reads', kind => {
  const cases = NAMES.flatMap(name => STAMPS.map(stamp => PARTS[kind]!(name, stamp)));
  const git = gitApply(cases);
  expect(git.filter(files => files !== null).length).toBeGreaterThan(cases.length / 2);
  expect(cases.map(one => [one.patch, outcome(one)])).toEqual(cases.map((one, i) => [one.patch, git[i]]));
});

it.each([
  ['a/new.py ', { 'new.py ': 'x\n' }],
  ['a/my file.py', { 'my file.py': 'x\n' }],
])('a name in the header of git diff may have blanks: %j', (name, files) => {
  const patch = `diff --git ${name} ${name.replace('a/', 'b/')}\nnew file mode 100644\n--- /dev/null\n+++ ${name.replace('a/', 'b/')}\t\n@@ -0,0 +1 @@\n+x\n`;
  expect(gitApply([{ files: {}, patch }])).toEqual([files]);
  expect(outcome({ files: {}, patch })).toEqual(files);
});
