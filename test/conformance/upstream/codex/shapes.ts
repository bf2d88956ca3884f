/** The envelope, and what is around it. */

import { instead } from '../case.ts';
import { envelope, f, type PatchRow, update } from './row.ts';

const whole = (patch: string): { patch: string } => ({ patch });

export const SHAPES: readonly PatchRow[] = [
  ['no operation', envelope(), f('a\n'), null],
  ['an update without hunks', update(), f('a\n'), null],
  ['a hunk without lines', update('@@'), f('a\n'), null],
  ['a header that there is not', envelope('*** Frobnicate File: f.txt'), f('a\n'), null],
  ['a header without a path', envelope('*** Update File:', '@@', '-a', '+A'), f('a\n'), null],
  ['no begin', whole('*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch'), f('a\n'), null],
  ['no end', whole('*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A'), f('a\n'), null],
  ['an empty text', whole(''), f('a\n'), null],
  [
    'blanks around the markers',
    whole('  *** Begin Patch  \n*** Update File: f.txt\n@@\n-a\n+A\n  *** End Patch  '),
    f('a\n'),
    f('A\n'),
  ],
  [
    'empty lines around the patch',
    whole('\n\n*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch\n\n'),
    f('a\n'),
    f('A\n'),
  ],
  [
    'a patch with CRLF',
    whole('*** Begin Patch\r\n*** Update File: f.txt\r\n@@\r\n-a\r\n+A\r\n*** End Patch\r\n'),
    f('a\n'),
    f('A\n'),
  ],
  [
    'a here-document',
    whole("<<'EOF'\n*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch\nEOF"),
    f('a\n'),
    f('A\n'),
  ],
  [
    'markers in lower case',
    whole('*** begin patch\n*** update file: f.txt\n@@\n-a\n+A\n*** end patch'),
    f('a\n'),
    null,
  ],
  [
    'prose before the patch',
    whole('Here:\n*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch'),
    f('a\n'),
    null,
  ],
  [
    'a fence around the patch',
    whole('```\n*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch\n```'),
    f('a\n'),
    null,
    instead('done', 'a fence is none of the patch, and the answer says so'),
  ],
  ['a line without a mark', update('@@', '-a', 'x', '+A'), f('a\n'), null],
  ['blanks before a header', envelope('  *** Update File: f.txt', '@@', '-a', '+A'), f('a\n'), f('A\n')],
  ['a second move', update('*** Move to: g', '*** Move to: h', '@@', '-a', '+A'), f('a\n'), null],
  [
    'a path with blanks',
    envelope('*** Update File: my file.txt', '@@', '-a', '+A'),
    { 'my file.txt': 'a\n' },
    { 'my file.txt': 'A\n' },
  ],
];
