/** verify: the history checked against itself and the files. */

import { type Command, command, may } from './command.ts';

export const verify: Command = command({
  name: 'verify',
  title: 'Check the history',
  description:
    'Check that every commit of the history can be read, changes what it says and nothing else, and that the files are those of the newest one. Prefer it where history or files look wrong. Changes nothing; lists what is wrong.',
  fields: {
    expect: may(
      'texts',
      'Commits noted earlier (ids) that must still be in the history: one that was cut off is found.',
      { aliases: ['commits', 'expected'] },
    ),
    since: may(
      'text',
      'A commit noted earlier (id), up to which all was sound: only newer commits, and the files that they name, are checked.',
      { aliases: ['after'] },
    ),
  },
  example: {},
  run: (session, options) => session.verify(options),
});
