/** A child process that makes so many edits, one after another. Arguments: the folder, its number of files, how many. */

import { openWorkspace } from '../../dist/lib/index.js';
import { Files } from './repository.mjs';

const [, , folder, files, edits] = process.argv;
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });
const list = new Files(folder, Number(files));
for (let edit = 0; edit < Number(edits); edit++) await session.edit('str_replace', list.nextEdit());
await workspace.close();
