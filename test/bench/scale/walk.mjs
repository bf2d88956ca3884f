/** Walks all of HEAD's history in the repository that is named, with the engine's own rev-list. */

import { execFileSync } from 'node:child_process';
import { nodeFs } from '../../../dist/fs/node/node-fs.js';
import { nativeCodec } from '../../../dist/git/native/codec.js';
import { openObjects } from '../../../dist/git/objects/object-database.js';
import { revList } from '../../../dist/git/rev-list.js';

const [folder] = process.argv.slice(2);
const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
const objects = openObjects({ fs: nodeFs(), codec: nativeCodec, objectsDir: `${folder}/.git/objects` });
console.log((await revList(objects, head, null)).size);
