#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { BUILT, load } from './load.js';

if (existsSync(BUILT)) {
  const { main } = load().exports;
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.stderr.write('vedit: not built yet: run npm install, or npm run build\n');
  process.exitCode = 128;
}
