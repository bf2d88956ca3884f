/**
 * A child process that edits its own file for a while, and tells the commits that were acknowledged and how long each edit
 * took, in milliseconds. Arguments: the folder, its number, how many edits to make before, for how many milliseconds, and
 * where the library is.
 */

import { pathOf } from './repository.mjs';

const [, , folder, own, warm, most, lib] = process.argv;
const { openWorkspace } = await import(lib);
const workspace = await openWorkspace({ root: folder, patience: { engine: 120_000 } });
const session = workspace.session({ agent: `writer ${own}` });
const commits = [];

async function edit() {
  const [before, after] = [commits.length, commits.length + 1];
  const input = { path: pathOf(Number(own)), old_str: `count ${before}\n`, new_str: `count ${after}\n` };
  commits.push((await session.edit('str_replace', input)).data.commit);
}

process.once('message', async () => {
  const times = [];
  const start = performance.now();
  while (performance.now() - start < Number(most)) {
    const begun = performance.now();
    await edit();
    times.push(performance.now() - begun);
  }
  await workspace.close();
  process.send({ commits, times }, () => process.disconnect());
});
// The first ones are compiled while they run.
for (let n = 0; n < Number(warm); n++) await edit();
process.send('ready');
