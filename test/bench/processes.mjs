/** The same edit as a whole process: `vedit replace` from a shell, against a node that does nothing, and git. */

import { fileURLToPath } from 'node:url';
import { nativeGit } from './contenders.mjs';
import { Files } from './repository.mjs';
import { quoted, Shell } from './shell.mjs';

const VEDIT = fileURLToPath(new URL('../../bin/vedit.js', import.meta.url));

/** Contenders `vedit`, `node` and `git`; the first and the last each in a repository of their own. */
export function processContenders(own, native, files) {
  return [replaceByCommand('vedit', own, files), emptyNode('node', own), nativeGit('git', native, files)];
}

function replaceByCommand(name, folder, files) {
  const shell = new Shell(folder);
  const list = new Files(folder, files);
  let line;
  return {
    name,
    prepare() {
      const { path, old_str, new_str } = list.nextEdit();
      const words = [process.execPath, VEDIT, 'replace', path, old_str.trim(), new_str.trim()];
      line = words.map(quoted).join(' ');
    },
    run: () => shell.run(line),
    close: () => shell.close(),
  };
}

function emptyNode(name, folder) {
  const shell = new Shell(folder);
  return { name, run: () => shell.run(`${quoted(process.execPath)} -e 0`), close: () => shell.close() };
}
