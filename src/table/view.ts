/** view: a file with line numbers, or a folder. */

import { type Command, command, file, lines, may } from './command.ts';
import { linesOption, viewerOptions } from './options.ts';
import { type Use, use } from './use.ts';

/** About 4,000 tokens of code: what is longer is asked for by its lines. */
const MOST_SHOWN = 16_000;

/** A person reads on. */
const MOST_PRINTED = 60_000;

export const view: Command = command({
  name: 'view',
  title: 'View a file or folder',
  description:
    'Show a file with line numbers, or list a folder. Prefer it before edits: it answers the version to cite.',
  fields: {
    path: file('File or folder, relative to the workspace; "." is its root.'),
    view_range: lines,
    symbol: may(
      'text',
      'In place of lines: a symbol by its name, such as Session.edit, #heading or scripts.build.',
      {
        flag: '--symbol <name>',
      },
    ),
    outline: may('flag', 'List the symbols of the file with their lines.', { flag: '--outline' }),
    at: may('text', 'A commit, to see the file as it was then.', { flag: '--at <rev>' }),
    max_characters: may('count', `Show no more of it than this; default ${MOST_SHOWN}, at least 50.`, {
      flag: '--max-characters <n>',
    }),
  },
  example: { path: 'src/auth.ts', view_range: [1, 40] },
  ownLimit: true,
  lenient: withRange,
  run: (session, { maxCharacters = MOST_SHOWN, ...input }) => session.view({ ...input, maxCharacters }),
});

export const viewLine: Use = /* @__PURE__ */ use({
  details:
    'Lines go to standard output; what else there is to know (the version and commit to cite in an edit, what was cut) goes to standard error.',
  arguments: [['[path[:A-B]]', 'a file or folder, and the lines wanted; default: this folder']],
  options: [linesOption, ...viewerOptions],
  examples: [
    ['vedit view', 'the files here'],
    ['vedit view src/auth.ts:10-40', 'some lines'],
    ['vedit view src/auth.ts --outline', 'its functions and classes'],
    ['vedit view src/auth.ts --symbol Session.edit', 'one of them'],
    ['vedit view src/auth.ts --at ~3', 'as it was three commits ago'],
  ],
  read: ([given = '.'], { lines, maxCharacters = MOST_PRINTED }, line) => ({
    ...line.range(given, lines),
    max_characters: maxCharacters,
  }),
});

/** Makes a range of two fields, as others have it: one for the first and one for the last line. */
function withRange(raw: unknown): unknown {
  const { start_line, end_line, startLine, endLine, ...rest } = Object(raw) as Record<string, unknown>;
  const [first, last] = [start_line ?? startLine, end_line ?? endLine];
  const isGiven = first !== undefined || last !== undefined;
  return isGiven && rest.view_range === undefined ? { ...rest, view_range: [first ?? 1, last ?? -1] } : raw;
}
