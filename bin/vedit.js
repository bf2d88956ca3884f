#!/usr/bin/env node
// CommonJS: for a module, Node loads its loader of modules first, which takes a tenth of a whole edit.
const { existsSync } = require('node:fs');
const { BUILT, load } = require('./load.js');

async function run(args) {
  const { exports, keep } = load(wanted(args));
  process.exitCode = await exports.main(args);
  if (process.exitCode === 0) keep();
}

/** The command by which is kept what V8 compiled. Help runs little of any: kept as that, it would serve no edit. */
function wanted(args) {
  const end = args.indexOf('--');
  const given = end < 0 ? args : args.slice(0, end);
  return given.includes('--help') || given.includes('-h') ? '--help' : args[0];
}

if (existsSync(BUILT)) {
  run(process.argv.slice(2));
} else {
  process.stderr.write('vedit: not built yet: run npm install, or npm run build\n');
  process.exitCode = 128;
}
