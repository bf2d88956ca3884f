/**
 * Bundles the page of the history, then what tsc built (dist/) into the files that are published: the library into dist/lib, a file for each entry, one
 * for the engine and some that are loaded when they are needed; the command line into dist/cli/main.cjs. Of 400 small
 * files, Node spends more time on finding than on running them.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

const DIST = join(import.meta.dirname, 'dist');

/** By the name of its file, where an entry begins. The last three are found by their names in `browser` of package.json. */
const ENTRIES = {
  index: 'index.js',
  mcp: 'surfaces/mcp/server.js',
  anthropic: 'surfaces/anthropic.js',
  openai: 'surfaces/openai.js',
  ai: 'surfaces/ai.js',
  langchain: 'surfaces/langchain/index.js',
  'agent-zero': 'surfaces/agent-zero/index.js',
  testing: 'stores/suite.js',
  'git/native/platform': 'git/native/platform.js',
  'git/native/system-git': 'git/native/system-git.js',
  'git/portable/browser': 'git/portable/browser.js',
};

await bundlePage();
await bundleLibrary();
await bundleCommandLine();

/** Writes the script and the style of the page of the history, with their hashes, into the module that names them. */
async function bundlePage() {
  const web = join(import.meta.dirname, 'src/surfaces/web');
  const bundled = async entry => {
    const { outputFiles } = await build({
      entryPoints: [join(web, entry)],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      charset: 'ascii',
      minify: true,
      legalComments: 'none',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'warning',
    });
    const text = outputFiles[0].text.trim();
    return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` };
  };
  const [script, style] = [await bundled('page/main.tsx'), await bundled('style/page.css')];
  const module = `export const SCRIPT = ${JSON.stringify(script)};\nexport const STYLE = ${JSON.stringify(style)};\n`;
  writeFileSync(join(DIST, 'surfaces/web/built.js'), module);
}

/** What the index loads at once is one file, which every entry shares: there is one EditError. */
async function bundleLibrary() {
  rmSync(join(DIST, 'lib'), { recursive: true, force: true });
  const engine = loadedWith(join(DIST, ENTRIES.index));
  const entries = Object.entries(ENTRIES).map(([name, path]) => [name, join(DIST, path)]);
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    platform: 'neutral',
    external: id => !id.startsWith('.') && !id.startsWith('/') && !/^[A-Z]:/i.test(id),
    // Some late imports are of what another file loads at once.
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir: join(DIST, 'lib'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // White space goes, names stay: they stand in stack traces.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    codeSplitting: {
      groups: [
        { name: 'engine', test: id => engine.has(id) },
        { name: 'dialects', test: id => id.startsWith(join(DIST, 'tools')) && !engine.has(id) },
      ],
    },
  });
  await bundle.close();
  escapeAll(join(DIST, 'lib'));
}

/**
 * Writes every character beyond ASCII, which stand in texts and patterns only, as an escape: of one such character, V8
 * makes two bytes of each character of the file, and takes longer to read it.
 */
function escapeAll(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    const escaped = unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
    writeFileSync(path, readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped));
  }
}

/** The files that loading one loads at once. */
function loadedWith(start) {
  const found = new Set([start]);
  for (const path of found) {
    const add = ({ source }) => {
      if (source?.value.startsWith('.')) found.add(join(dirname(path), source.value));
    };
    const { program } = parseSync(path, readFileSync(path, 'utf8'));
    const visitor = { ImportDeclaration: add, ExportNamedDeclaration: add, ExportAllDeclaration: add };
    new Visitor(visitor).visit(program);
  }
  return found;
}

/** CommonJS, because only for such a file can Node 20 be given what was compiled before; see bin/load.js. */
async function bundleCommandLine() {
  rmSync(join(DIST, 'cli'), { recursive: true, force: true });
  const { outputFiles } = await build({
    entryPoints: [join(DIST, 'surfaces/cli/main.js')],
    absWorkingDir: import.meta.dirname,
    outfile: join(DIST, 'cli/main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    // Node cannot do an import() from what it compiled before; it can require() modules of both kinds.
    supported: { 'dynamic-import': false },
    external: ['@modelcontextprotocol/server'],
    define: { 'import.meta.url': 'ownUrl' },
    banner: { js: "const ownUrl = require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'warning',
    write: false,
  });
  const [{ path, text: given }] = outputFiles;
  const text = inAscii(given);
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `// build ${id}\n${text}`);
}

/** One byte a character is half the memory, and nothing to decode, at each start. Texts and patterns know such escapes. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
