#!/usr/bin/env node
// CommonJS: for a module, Node loads its loader of modules first, which takes a tenth of a whole edit.
const { existsSync } = require('node:fs');
const { BUILT, load } = require('./load.js');

async function run(args) {
  const { exports, keep } = load(args[0]);
  process.exitCode = await exports.main(args);
  if (process.exitCode === 0) keep();
}

if (existsSync(BUILT)) {
  run(process.argv.slice(2));
} else {
  process.stderr.write('vedit: not built yet: run npm install, or npm run build\n');
  process.exitCode = 128;
}
