/** A child process that makes very many edits and tells every 500 of them, and at the end how long they took. */

import { openWorkspace } from '../../dist/lib/index.js';
import { pathOf } from './repository.mjs';

const [, , folder, files, edits] = process.argv;
const workspace = await openWorkspace({ root: folder });
const session = workspace.session({ agent: 'bench' });
const counts = new Array(Number(files)).fill(0);
const times = [];

for (let edit = 0; edit < Number(edits); edit++) {
  const index = (edit * 7919) % Number(files);
  const count = counts[index]++;
  const input = { path: pathOf(index), old_str: `count ${count}\n`, new_str: `count ${count + 1}\n` };
  const start = performance.now();
  await session.edit('str_replace', input);
  times.push(performance.now() - start);
  if (edit % 500 === 0) process.send({ edit });
}
await workspace.close();
times.sort((a, b) => a - b);
process.send({ done: true, longest: times.at(-1), median: times[times.length >> 1] }, () =>
  process.disconnect(),
);
