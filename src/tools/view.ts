/** view: a file with line numbers, or a folder. */

import { viewFields } from '../queries/read-options.ts';
import { defineTool, type Tool } from './tool.ts';

/** About 4,000 tokens of code: what is longer is asked for by its lines. */
const MOST_SHOWN = 16_000;

export const viewTool: Tool = defineTool({
  name: 'view',
  title: 'View a file or folder',
  description:
    'Show a file with line numbers, or list a folder. Prefer it before edits: it answers the version to cite.',
  input: {
    ...viewFields,
    max_characters: () =>
      viewFields
        .max_characters()
        .describe(`Show no more of it than this; default ${MOST_SHOWN}, at least 50.`),
  },
  aliases: { view_range: ['range', 'lines'], path: ['file_path', 'filePath', 'file'] },
  example: { path: 'src/auth.ts', view_range: [1, 40] },
  readOnly: true,
  ownLimit: true,
  read: withRange,
  run: (session, input) =>
    session.view({ ...input, max_characters: input.max_characters ?? MOST_SHOWN } as typeof input),
});

/** Makes a range of two fields, as others have it: one for the first and one for the last line. */
function withRange(raw: unknown): unknown {
  const { start_line, end_line, startLine, endLine, ...rest } = Object(raw) as Record<string, unknown>;
  const [first, last] = [start_line ?? startLine, end_line ?? endLine];
  const isGiven = first !== undefined || last !== undefined;
  return isGiven && rest.view_range === undefined ? { ...rest, view_range: [first ?? 1, last ?? -1] } : raw;
}
