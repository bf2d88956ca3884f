/**
 * Edits a repository under an umask, and prints the modes of what was made in it, before and after the checkpoint.
 *
 *     node shared-edit.mjs <root> <umask>
 */

import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';

const [root, umask] = process.argv.slice(2);
process.umask(Number.parseInt(umask, 8));
const { openWorkspace } = await import('../../dist/index.js');

const modes = () =>
  Object.fromEntries(
    readdirSync(root, { recursive: true }).map(path => {
      return [path, (lstatSync(`${root}/${path}`).mode & 0o7777).toString(8)];
    }),
  );

const workspace = await openWorkspace({ root });
const session = workspace.session();
await session.edit('create', { path: 'new/deep.txt', file_text: 'deep\n' });
await session.edit('create', { path: 'large.txt', file_text: `${randomBytes(400_000).toString('hex')}\n` });
await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
const edited = modes();
await workspace.close();
process.stdout.write(JSON.stringify({ edited, closed: modes() }));
