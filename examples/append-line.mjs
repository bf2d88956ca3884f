/**
 * An edit of your own. It only plans: from the texts of the paths that it names it answers spans. Reading, base checks, dry
 * run, writing, the commit, undo and every surface come with it.
 */

import { defineEdit, initRepository, openWorkspace, runTool } from 'versioned-edit';
import * as z from 'zod';

export const appendLine = defineEdit({
  name: 'append_line',
  description: 'Add a line at the end of a file.',
  input: z.strictObject({ path: z.string(), line: z.string() }),
  aliases: { line: ['text'] },
  example: { path: 'CHANGES.md', line: '- faster' },
  addressesLines: false,
  paths: ({ path }) => [path],
  plan({ path, line }, files) {
    const { length } = files.get(path)?.text ?? '';
    return [{ kind: 'modify', path, spans: [{ start: length, end: length, text: `${line}\n` }] }];
  },
});

const root = process.cwd();
await initRepository({ root });
const workspace = await openWorkspace({ root, edits: [appendLine] });
const session = workspace.session({ agent: 'writer' });
await session.edit('create', { path: 'CHANGES.md', file_text: '# Changes\n' });
const { message } = await session.edit(appendLine, { path: 'CHANGES.md', line: '- faster' });
console.log(message.split('\n')[0]);
const refused = await runTool(session, 'append_line', { path: 'CHANGES.md', lin: '- more' });
console.log(refused.code);
await workspace.close();
