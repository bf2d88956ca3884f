/** A story of edits in memory, to be bundled for a page; what came of it is in `globalThis.story`. */

import { EditError, initRepository, memoryFs, openWorkspace, runTool, systemGit } from 'versioned-edit';
import { tools } from 'versioned-edit/tools';

const fs = memoryFs();
const root = '/shop';
await initRepository({ root, fs });
const events = [];
const workspace = await openWorkspace({ root, fs, onEvent: event => events.push(event.kind) });
const session = workspace.session({ agent: 'page' });

async function edits() {
  await session.edit('create', { path: 'list.txt', file_text: 'one\ntwo\ntwo\nthree\n', reason: 'a list' });
  await session.edit('str_replace', { path: 'list.txt', old_str: 'three', new_str: 'four' });
  const refused = await runTool(session, 'str_replace', { path: 'list.txt', old_str: 'two', new_str: '2' });
  const patch = '@@ -1,2 +1,2 @@\n-one\n+uno\n two\n';
  await runTool(session, 'unified_diff', { patch: `--- a/list.txt\n+++ b/list.txt\n${patch}` });
  await session.undo();
  await session.undo();
  await session.redo();
  return refused.code;
}

/** A gc without git packs nothing, and says so. */
async function pack() {
  for (let n = 0; n < 40; n++) await session.edit('create', { path: `n/${n}.txt`, file_text: `${n}\n` });
  const { data } = await workspace.gc({ git: await systemGit({}) });
  await workspace.close();
  const again = await openWorkspace({ root, fs });
  const view = await again.session().view({ path: 'n/7.txt' });
  const { data: found } = await again.verify();
  const read = { view: view.message, faults: found.faults, commits: found.commits };
  return { by: data.packed_by, loose: data.after.loose_objects, ...read };
}

async function withoutDisk() {
  return openWorkspace({ root }).then(
    () => 'opened',
    error => (error instanceof EditError ? `${error.code} ${error.message}` : String(error)),
  );
}

/** Every file in base64, for the real git to look at. */
async function allFiles(folder, found = {}) {
  for (const name of await fs.promises.readdir(folder)) {
    const path = `${folder}/${name}`;
    if ((await fs.promises.lstat(path)).isDirectory()) await allFiles(path, found);
    else found[path.slice(root.length + 1)] = base64(await fs.promises.readFile(path));
  }
  return found;
}

function base64(bytes) {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''));
}

async function run() {
  const code = await edits();
  const log = (await session.log()).data.entries.map(entry => `${entry.op} ${entry.status.now}`);
  if (globalThis.document) show(log);
  const text = await fs.promises.readFile(`${root}/list.txt`, 'utf8');
  const story = { code, log, text, events: [...events], tools: tools.length, disk: await withoutDisk() };
  return { ...story, packed: await pack(), files: await allFiles(root) };
}

function show(log) {
  const list = document.body.appendChild(document.createElement('ol'));
  list.append(...log.map(line => Object.assign(document.createElement('li'), { textContent: line })));
}

globalThis.story = run();
