/**
 * One agent as a process of its own, on the built engine. Argument: JSON of the folder, the agent's name, the number of
 * edits, the file shared with others, milliseconds between edits, and the options of the workspace. Writes lines of
 * JSON at once: one when it begins, one for each edit that was acknowledged, one for each refusal.
 */

import nodeFs, { writeSync } from 'node:fs';
import { openWorkspace } from '../../dist/index.js';

const { root, name, count, shared, pause, options } = JSON.parse(process.argv[2]);
const own = `own-${name}.txt`;
/** What cannot be said in JSON. */
const FILE_SYSTEMS = { module: nodeFs, proxy: { promises: new Proxy(nodeFs.promises, {}) } };
if (options.fs) options.fs = FILE_SYSTEMS[options.fs];
const say = line => writeSync(1, `${JSON.stringify(line)}\n`);

/** Lines go in before the last one; every third edit is of the shared file, every tenth of both. */
function editsFor(n) {
  const insert = path => ({ edit: 'str_replace', path, old_str: 'END\n', new_str: `${name}-${n}\nEND\n` });
  if (n === 0) return [{ edit: 'create', path: own, file_text: `${name}-0\nEND\n` }];
  if (n % 10 === 0) return [insert(own), insert(shared)];
  return [insert(n % 3 === 0 ? shared : own)];
}

say({ begins: true });
const workspace = await openWorkspace({ root, ...options });
const session = workspace.session({ id: name, agent: name });
for (let n = 0; n < count; n++) {
  try {
    const { commit, warnings } = (await session.change(editsFor(n), { editId: `${name}-${n}` })).data;
    say({ id: `${name}-${n}`, commit, warnings });
  } catch (error) {
    say({ refused: error.code ?? 'a crash', message: error.message });
  }
  if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause));
}
await workspace.close();
