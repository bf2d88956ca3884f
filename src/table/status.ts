/** status: trail, head, and files changed outside the engine. */

import { type Command, command } from './command.ts';

export const status: Command = command({
  name: 'status',
  title: 'Status of the workspace',
  description:
    'Say where the history is, what its newest commit is, and which edited files others changed since. Prefer it to see where you stand.',
  fields: {},
  example: {},
  run: session => session.status(),
});
