/** redo: put back what was undone last. */

import { type Command, command, RECORDED } from './command.ts';
import { onlyOf, scopeOf, stillSo, whichEdits } from './fields.ts';
import { wholeNumber } from './usage.ts';
import { type Use, use } from './use.ts';

export const redo: Command = command({
  name: 'redo',
  title: 'Redo edits',
  description:
    'Put back the edits that you undid last. Prefer it where an undo was wrong. A new edit ends what can be put back.',
  fields: {
    ...whichEdits,
    path: onlyOf('Only edits of this file or folder.'),
    ...stillSo,
  },
  common: RECORDED,
  example: { count: 1 },
  run: (session, input) => session.redo(input),
});

export const line: Use = /* @__PURE__ */ use({
  details: 'A new edit after an undo ends what can be put back.',
  arguments: [['[n]', 'how many edits; default 1']],
  examples: [['vedit redo', 'the opposite of vedit undo']],
  inSession: () => true,
  read: ([count = '1'], options) => ({ count: wholeNumber('N', count, 1), scope: scopeOf(options) }),
});
