/** Names that other agents' tools have, for a call that was made by one of them. */

import { closestName } from '../near-names.ts';

/** By the engine's tool, the names of those that do the same elsewhere, in lower case and without marks between words. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  view: 'read readfile openfile open cat ls list listdir listdirectory listfiles getfile showfile',
  str_replace:
    'edit editfile replace replacetext replaceinfile strreplaceeditor strreplacebasededittool searchandreplace ' +
    'updatefile modifyfile',
  insert: 'insertlines insertline inserttext insertatline append addlines',
  create: 'write writefile writetofile createfile newfile savefile save',
  delete: 'rm remove deletefile removefile unlink',
  move: 'mv rename renamefile movefile',
  apply_patch: 'patch patchfile applypatches editpatch',
  unified_diff: 'applydiff gitapply',
  change: 'multiedit multieditfile batchedit edits editfiles',
  preview: 'editpreview previewedit dryrun',
  undo: 'undoedit',
  log: 'history filehistory',
  rollback: 'rewind reset revertto checkpoint',
};

/** The one of the names that was most likely meant; `null` when none is near. */
export function toolMeant(given: unknown, names: readonly string[]): string | null {
  if (typeof given !== 'string') return null;
  const plain = given.toLowerCase().replace(/[^a-z]/g, '');
  const same = names.find(name => ELSEWHERE[name]?.split(' ').includes(plain));
  return same ?? closestName(given, names);
}
