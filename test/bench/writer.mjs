/** A child process that makes so many edits of its own file, and prints the commits that were acknowledged. */

import { openWorkspace } from '../../dist/index.js';
import { pathOf } from './repository.mjs';

const [, , folder, own, count] = process.argv;
const workspace = await openWorkspace({ root: folder, patience: { engine: 120_000 } });
const session = workspace.session({ agent: `writer ${own}` });
process.once('message', async () => {
  const commits = [];
  for (let edit = 0; edit < Number(count); edit++) {
    const input = { path: pathOf(Number(own)), old_str: `count ${edit}\n`, new_str: `count ${edit + 1}\n` };
    commits.push((await session.edit('str_replace', input)).data.commit);
  }
  await workspace.close();
  process.send({ commits });
  process.disconnect();
});
process.send('ready');
