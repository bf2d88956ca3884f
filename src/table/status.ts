/** status: trail, head, and files changed outside the engine. */

import { type Command, command } from './command.ts';
import type { Use } from './use.ts';

export const status: Command = command({
  name: 'status',
  title: 'Status of the workspace',
  description:
    'Say where the history is, what its newest commit is, and which edited files others changed since. Prefer it to see where you stand.',
  fields: {},
  example: {},
  run: session => session.status(),
});

export const line: Use = {
  details:
    'Changes of others are looked for in the files that were edited: beside your branch in all that differ from it, and ' +
    'everywhere in those of the newest 100 commits. The other changed files are those of git status whose text no edit ' +
    'explains; the look for them is cut at a second.',
  examples: [
    ['vedit status', ''],
    ['vedit status --json | jq .data.outside', ''],
  ],
};
