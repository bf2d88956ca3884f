/** view: a file with line numbers, or a folder. */

import { type Command, command, may } from './command.ts';
import { file, lines } from './fields.ts';

/** About 4,000 tokens of code: what is longer is asked for by its lines. */
const MOST_SHOWN = 16_000;

export const view: Command = command({
  name: 'view',
  title: 'View a file or folder',
  description:
    'Show a file with line numbers, or list a folder. Prefer it before edits: it answers the version to cite.',
  fields: {
    path: file('File or folder, relative to the workspace; "." is its root.'),
    view_range: lines,
    at: may('text', 'A commit, to see the file as it was then.'),
    max_characters: may('count', `Show no more of it than this; default ${MOST_SHOWN}, at least 50.`),
  },
  example: { path: 'src/auth.ts', view_range: [1, 40] },
  ownLimit: true,
  lenient: withRange,
  run: (session, { maxCharacters = MOST_SHOWN, ...input }) => session.view({ ...input, maxCharacters }),
});

/** Makes a range of two fields, as others have it: one for the first and one for the last line. */
function withRange(raw: unknown): unknown {
  const { start_line, end_line, startLine, endLine, ...rest } = Object(raw) as Record<string, unknown>;
  const [first, last] = [start_line ?? startLine, end_line ?? endLine];
  const isGiven = first !== undefined || last !== undefined;
  return isGiven && rest.view_range === undefined ? { ...rest, view_range: [first ?? 1, last ?? -1] } : raw;
}
