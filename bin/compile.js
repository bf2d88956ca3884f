/**
 * A step of the build: keeps what V8 compiled of the command line, after the demo, so that what an edit needs is in
 * it. Without this file the command line works as well, and starts more slowly.
 */

import { writeFileSync } from 'node:fs';
import { COMPILED, load } from './load.js';

const { exports, script } = load();
process.exitCode = await exports.main(['demo']);
writeFileSync(COMPILED, script.createCachedData());
