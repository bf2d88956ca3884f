/** verify: the history checked against itself and the files. */

import type { VerifyData } from '../queries/verify.ts';
import { type Command, command, may } from './command.ts';
import { type Use, use } from './use.ts';

export const verify: Command = command({
  name: 'verify',
  title: 'Check the history',
  description:
    'Check that every commit of the history can be read, changes what it says and nothing else, and that the files are those of the newest one. Prefer it where history or files look wrong. Changes nothing; lists what is wrong.',
  fields: {
    expect: may(
      'texts',
      'Commits noted earlier (ids) that must still be in the history: one that was cut off is found.',
      { aliases: ['commits', 'expected'], flag: '--expect <commit>' },
    ),
    since: may(
      'text',
      'A commit noted earlier (id), up to which all was sound: only newer commits, and the files that they name, are checked.',
      { aliases: ['after'], flag: '--since <commit>' },
    ),
  },
  example: {},
  run: (session, options) => session.verify(options),
});

export const line: Use = /* @__PURE__ */ use({
  details:
    'Every commit is read, compared with the one before it and with its own trailers; ways back are worked out again; files that differ ' +
    'from the newest commit are named, which is no fault. A history that was cut off, or rewritten with care, fits together all the ' +
    'same: note the id of the newest commit somewhere else, and expect it. Exits with 5 when a fault is found.',
  examples: [
    ['vedit verify', ''],
    ['vedit verify --expect 1a2b3c4d5e6f', 'also: is what I noted still there?'],
    ['vedit verify --since 1a2b3c4d5e6f', 'only what is newer than what I noted'],
    ['vedit verify --json | jq .data.faults', ''],
  ],
  exit: ({ sound }: VerifyData) => (sound ? undefined : 'faulty'),
  run: (session, options: object, tell) =>
    session.verify({ ...options, onCommit: count => tell(`${count} commits read`) }),
});
