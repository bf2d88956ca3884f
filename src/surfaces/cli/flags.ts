/** The words of the command line for what the library and the tools call tools, fields and options. */

import { EditError } from '../../errors.ts';
import type { Vocabulary } from '../../wording.ts';

/** By tool, the command that does the same, where that has another name. */
const COMMAND_OF_TOOL: Readonly<Record<string, string>> = {
  str_replace: 'replace',
  replace_lines: 'lines',
  edit_lines: 'lines',
  delete: 'rm',
  move: 'mv',
  apply_patch: 'patch',
  context_patch: 'patch',
  unified_diff: 'patch',
  search_replace: 'patch',
  replace_symbol: 'replace-symbol',
  move_lines: 'move-lines',
  change: 'apply',
};

/** By the tool, or a word of other programs, the command that does the same. To preview is an option of each command that edits. */
export const COMMAND_MEANT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...COMMAND_OF_TOOL,
    preview: 'replace',
    read: 'view',
    write: 'create',
    overwrite: 'create',
    remove: 'rm',
    rename: 'mv',
  }),
);

/** By words for what other programs do, the command line that does it. */
export const LINE_MEANT: Readonly<Record<string, string>> = {
  approve: 'vedit accept, or y to each hunk in vedit review',
  discard: 'vedit undo, or vedit reject',
  commit: 'vedit land',
  merge: 'vedit land',
  history: 'vedit log',
  ls: 'vedit view .',
  list: 'vedit view .',
  ui: 'vedit watch',
  serve: 'vedit watch, or vedit mcp for agents',
  checkpoint: 'vedit rollback <commit>, to any commit of vedit log',
  version: 'vedit --version',
  config: 'git config vedit.<name>',
  pull: 'vedit fetch',
  annotate: 'vedit blame',
};

const AS_THEY_ARE =
  'insert create view reply log show diff blame status verify undo redo revert rollback restore'.split(' ');

const AS_OPTIONS =
  'after_symbol at base before_symbol edit_id edits max_characters on_stale outline overwrite rest symbol trail turn with_others'.split(
    ' ',
  );

/** The words of the command line. One command knows nothing of what another showed. */
export const FLAGS: Vocabulary = {
  forgets: true,
  tools: Object.fromEntries(
    [...Object.entries(COMMAND_OF_TOOL), ...AS_THEY_ARE.map(name => [name, name] as const)].map(
      ([tool, command]) => [tool, `vedit ${command}`],
    ),
  ),
  fields: {
    ...Object.fromEntries(AS_OPTIONS.map(name => [name, `--${name.replaceAll('_', '-')}`])),
    before_line: '--before',
    count: 'the number',
    end_line: 'line',
    from: '--at',
    insert_line: 'line',
    insert_text: 'the text',
    maxBytes: '--max-bytes',
    new_content: 'the new lines',
    new_path: 'name',
    new_str: 'the new text',
    old_str: 'the old text',
    outside: '--with-outside',
    recursive: '-r',
    replace_all: '--all',
    start_line: 'line',
    version: '--version-of',
    view_range: '--lines',
    withOutside: '--with-outside',
    withUnpushedCommits: '--with-unpushed-commits',
  },
};

/** Returns the refusal in the words of the command line. */
export function inFlags(error: EditError): EditError {
  return EditError.render(error, FLAGS);
}
