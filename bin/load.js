/** Loads the built command line, compiled already where this very Node compiled it at build time (compile.js). */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

export const BUILT = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));

/** What V8 compiled fits this version of it only; another Node finds no such file, and compiles as it goes. */
export const COMPILED = `${BUILT}.${process.version}-${process.platform}-${process.arch}`;

/** The exports of the command line, and the script that they come from. */
export function load() {
  const script = new Script(
    `(function (exports, require, module, __filename) {${readFileSync(BUILT, 'utf8')}\n})`,
    {
      filename: BUILT,
      cachedData: existsSync(COMPILED) ? readFileSync(COMPILED) : undefined,
    },
  );
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(BUILT), module, BUILT);
  return { exports: module.exports, script };
}
