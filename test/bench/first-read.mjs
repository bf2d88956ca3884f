/** A child process that opens a workspace, reads a file out of history, edits it, and prints its peak memory in bytes. */

import { openWorkspace } from '../../dist/lib/index.js';
import { Files } from './repository.mjs';

const [, , folder] = process.argv;
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });
const list = new Files(folder, 1);
const edit = list.nextEdit();
await session.view({ path: edit.path, at: '@' });
await session.edit('str_replace', edit);
await workspace.close();
console.log(process.resourceUsage().maxRSS * 1024);
