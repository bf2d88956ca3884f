/** A child process with one open workspace: edits on request, and says how long each took, answer included. */

import { openWorkspace } from '../../dist/index.js';
import { Files } from './repository.mjs';

const [, , folder, files, warmUp, durability, inARow] = process.argv;
const workspace = await openWorkspace({ root: folder, durability });
const session = workspace.session({ agent: 'bench' });
const list = new Files(folder, Number(files));

async function timedEdit() {
  const edit = list.nextEdit();
  const start = performance.now();
  await session.edit('str_replace', edit);
  return performance.now() - start;
}

for (let edit = 0; edit < Number(warmUp); edit++) await timedEdit();
/** The time of one of `inARow` edits, each begun when the one before it is answered. */
async function timedRow() {
  let time = 0;
  for (let edit = 0; edit < Number(inARow); edit++) time += await timedEdit();
  return time / Number(inARow);
}

process.on('message', async () => {
  try {
    process.send({ time: await timedRow() });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.on('disconnect', () => workspace.close());
process.send('ready');
