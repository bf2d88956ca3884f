/** replace_symbol: other lines, or none, in place of a function, class, heading or key that is named. */

import * as z from 'zod';
import { wholeLineSpan } from '../text/line-ends.ts';
import { linesOf } from '../text/lines.ts';
import { quoted } from '../text/words.ts';
import { type Edit, noChange, ownEdit, presentFile } from './edit.ts';
import { filePath, flag, name, optionalText } from './fields.ts';
import { loadSymbols, symbols } from './symbols.ts';

export interface ReplaceSymbolInput {
  path: string;
  symbol: string;
  /** Absent or empty: the symbol is deleted. */
  new_content?: string | null | undefined;
  with_doc?: boolean | null | undefined;
}

const input = () =>
  z.strictObject({
    path: filePath(),
    symbol: name('Its name: Class.method, function, #heading, scripts.build; of several alike, name#2.'),
    new_content: optionalText(
      'All lines of it as they shall be, indented as they stand. Absent or empty: it is deleted.',
    ),
    with_doc: flag('true: its doc comment, decorators and attributes are replaced, too.'),
  });

export const replaceSymbol: Edit<ReplaceSymbolInput, 'replace_symbol'> = ownEdit({
  name: 'replace_symbol',
  description:
    'Replace a whole function, class, Markdown section or key of JSON, YAML or TOML by its name, or delete it. Prefer it to sending a long old text. The file must have been viewed; a name that ' +
    'is not unique is refused.',
  input,
  aliases: {
    path: ['file_path', 'file', 'filename'],
    symbol: ['name', 'name_path', 'symbol_name'],
    new_content: ['content', 'body', 'new_str', 'new_text', 'new_string', 'text'],
  },
  example: { path: 'src/app.ts', symbol: 'App.limit', new_content: '  limit() {\n    return 20;\n  }\n' },
  addressesLines: true,
  ready: ({ path }) => loadSymbols(path),
  paths: ({ path }) => [path],
  plan({ path, symbol, new_content, with_doc }, files) {
    const { text } = presentFile(files, path);
    const found = symbols().findSymbol(path, text, symbol);
    const lines = linesOf(text);
    const { content, commas } = symbols().separated(path, lines, found, new_content ?? '', 'in place');
    const span = wholeLineSpan(lines, with_doc ? found.doc_line : found.start_line, found.end_line, content);
    if (span === null) throw noChange(path, `${quoted(found.name)} is so already.`);
    return [{ kind: 'modify', path, spans: [...commas, span] }];
  },
  // A name is no number: it means what it names in the present text, once this session has seen that.
  lines: () => [],
});
