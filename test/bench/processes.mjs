/** The same edit as a whole process: `vedit replace` from a shell, against a node that does nothing, and git. */

import { nativeGit } from './contenders.mjs';
import { Files } from './repository.mjs';
import { quoted, Shell } from './shell.mjs';

/** Contenders `node`, `git` and one by the name of each build; all but `node` in a repository of their own. */
export function processContenders(builds, native, files) {
  const made = builds.map(({ build, folder }) => replaceByCommand(build, folder, files));
  return [...made, emptyNode('node', native), nativeGit('git', native, files)];
}

function replaceByCommand({ name, bin }, folder, files) {
  const shell = new Shell(folder);
  const list = new Files(folder, files);
  let line;
  return {
    name,
    prepare() {
      const { path, old_str, new_str } = list.nextEdit();
      const words = [process.execPath, bin, 'replace', path, old_str.trim(), new_str.trim()];
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
