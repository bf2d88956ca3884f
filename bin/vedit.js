#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { BUILT, load } from './load.js';

if (existsSync(BUILT)) {
  const args = process.argv.slice(2);
  const { exports, keep } = load(args[0]);
  process.exitCode = await exports.main(args);
  if (process.exitCode === 0) keep();
} else {
  process.stderr.write('vedit: not built yet: run npm install, or npm run build\n');
  process.exitCode = 128;
}
