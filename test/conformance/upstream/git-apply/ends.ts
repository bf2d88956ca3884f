/** t4101: each end of a file with and without a final newline. */

import { instead } from '../case.ts';
import { f, type GitRow, NO_END, of } from './row.ts';

export const ENDS: readonly GitRow[] = [
  [
    't4101',
    'a newline at the end is added',
    of('@@ -1,2 +1,2 @@', ' a', '-b', NO_END, '+b'),
    f('a\nb'),
    f('a\nb\n'),
  ],
  [
    't4101',
    'the newline at the end is taken away',
    of('@@ -1,2 +1,2 @@', ' a', '-b', '+b', NO_END),
    f('a\nb\n'),
    f('a\nb'),
  ],
  [
    't4101',
    'none before, none after',
    of('@@ -1,2 +1,2 @@', ' a', '-b', NO_END, '+c', NO_END),
    f('a\nb'),
    f('a\nc'),
  ],
  [
    't4101',
    'a line behind one without newline',
    of('@@ -1,2 +1,3 @@', ' a', '-b', NO_END, '+b', '+c', NO_END),
    f('a\nb'),
    f('a\nb\nc'),
  ],
  [
    't4101',
    'a line behind one with newline, without',
    of('@@ -1,2 +1,3 @@', ' a', ' b', '+c', NO_END),
    f('a\nb\n'),
    f('a\nb\nc'),
  ],
  [
    't4101',
    'the line without newline goes',
    of('@@ -1,3 +1,2 @@', ' a', ' b', '-c', NO_END),
    f('a\nb\nc'),
    f('a\nb\n'),
  ],
  [
    't4101',
    'the line without newline goes, and the newline too',
    of('@@ -1,3 +1,2 @@', ' a', '-b', '-c', NO_END, '+b', NO_END),
    f('a\nb\nc'),
    f('a\nb'),
  ],
  [
    't4101',
    'the mark is given, the file has a newline',
    of('@@ -1,2 +1,2 @@', ' a', '-b', NO_END, '+c'),
    f('a\nb\n'),
    null,
  ],
  [
    't4101',
    'the mark is missing, the file has no newline',
    of('@@ -1,2 +1,2 @@', ' a', '-b', '+c'),
    f('a\nb'),
    null,
    instead(
      'done',
      'which end the last line has is not what the patch is about: that of the file stays, and the answer says so',
    ),
  ],
  [
    't4101',
    'context without a newline',
    of('@@ -1,2 +1,2 @@', '-a', '+A', ' b', NO_END),
    f('a\nb'),
    f('A\nb'),
  ],
];
