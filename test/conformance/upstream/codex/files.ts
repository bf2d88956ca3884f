/** Operations on whole files. */

import { instead, KEPT } from '../case.ts';
import { ALL_OR_NONE, envelope, f, type PatchRow, update } from './row.ts';

export const FILES: readonly PatchRow[] = [
  ['a file is added', envelope('*** Add File: n.txt', '+a', '+b'), {}, { 'n.txt': 'a\nb\n' }],
  ['a file is added in a new folder', envelope('*** Add File: d/e/n.txt', '+a'), {}, { 'd/e/n.txt': 'a\n' }],
  ['a file is added without lines', envelope('*** Add File: n.txt'), {}, { 'n.txt': '' }],
  [
    'a file is added with an empty line',
    envelope('*** Add File: n.txt', '+a', '+', '+b'),
    {},
    { 'n.txt': 'a\n\nb\n' },
  ],
  ['a file is added, a line lacks its mark', envelope('*** Add File: n.txt', '+a', 'b'), {}, null],
  ['a file is added over one', envelope('*** Add File: f.txt', '+new'), f('old\n'), f('new\n'), KEPT],
  [
    'a file is deleted',
    envelope('*** Delete File: f.txt'),
    { ...f('a\n'), 'g.txt': 'g\n' },
    { 'g.txt': 'g\n' },
  ],
  ['a file is deleted that is not there', envelope('*** Delete File: f.txt'), { 'g.txt': 'g\n' }, null],
  [
    'a file takes the place of a deleted one',
    envelope('*** Delete File: f.txt', '*** Add File: f.txt', '+new'),
    f('old\n'),
    f('new\n'),
  ],
  ['a file is updated that is not there', update('@@', '-a', '+b'), {}, null],
  [
    'three operations',
    envelope(
      '*** Add File: n.txt',
      '+n',
      '*** Delete File: d.txt',
      '*** Update File: f.txt',
      '@@',
      '-a',
      '+A',
    ),
    { ...f('a\n'), 'd.txt': 'd\n' },
    { ...f('A\n'), 'n.txt': 'n\n' },
  ],
  [
    'a file is moved and changed',
    update('*** Move to: d/g.txt', '@@', '-a', '+A'),
    f('a\n'),
    { 'd/g.txt': 'A\n' },
  ],
  [
    'a file is moved without a change',
    update('*** Move to: g.txt'),
    f('a\n'),
    null,
    instead('done', 'it says what is to be done'),
  ],
  [
    'a file is moved onto another',
    update('*** Move to: g.txt', '@@', '-a', '+A'),
    { ...f('a\n'), 'g.txt': 'g\n' },
    { 'g.txt': 'A\n' },
    KEPT,
  ],
  [
    'a file is moved onto itself',
    update('*** Move to: f.txt', '@@', '-a', '+A'),
    f('a\n'),
    {},
    instead('done', 'theirs deletes the file and reports success'),
  ],
  [
    'a file is moved onto itself, by another spelling',
    update('*** Move to: ./f.txt', '@@', '-a', '+A'),
    f('a\n'),
    {},
    instead('done', 'theirs deletes the file and reports success'),
  ],
  [
    'a second operation fails',
    envelope('*** Add File: n.txt', '+n', '*** Update File: f.txt', '@@', '-z', '+Z'),
    f('a\n'),
    { ...f('a\n'), 'n.txt': 'n\n' },
    instead('PATCH_FAILED', ALL_OR_NONE),
  ],
  [
    'a file that is missing comes second',
    envelope('*** Add File: n.txt', '+n', '*** Update File: f.txt', '@@', '-z', '+Z'),
    {},
    { 'n.txt': 'n\n' },
    instead('FILE_NOT_FOUND', ALL_OR_NONE),
  ],
  [
    'one file is updated twice',
    envelope('*** Update File: f.txt', '@@', '-a', '+A', '*** Update File: f.txt', '@@', '-b', '+B'),
    f('a\nb\n'),
    null,
    instead('done', 'the second update is made on what the first leaves'),
  ],
];
