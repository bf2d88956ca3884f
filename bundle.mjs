/**
 * Bundles the page of the history, then puts what tsc built (dist/) into the files that are published: the library into
 * dist/lib, a file for each entry, one for the engine and some that are loaded when they are needed, with one file of types for each entry; the command line
 * into dist/cli. Of 400 small files, Node spends more time on finding than on running them.
 *
 * isomorphic-git goes in with what it needs: parts of it are CommonJS that requires "buffer", which no bundle of modules
 * for Node can do, and of its 573 kB the engine calls a third. Its licence, and those of all others, are in
 * dist/licenses.txt.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { dts } from 'rolldown-plugin-dts';

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
const PACKAGES = join(ROOT, 'node_modules');

/** Not bundled into the library: Node's own, and what a program installs itself or with the package. */
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const outside = Object.keys({ ...dependencies, ...peerDependencies });
const isOutside = id =>
  id.startsWith('node:') || outside.some(name => id === name || id.startsWith(`${name}/`));

/** Its modules, of which what nobody calls is left out; and for a CommonJS `require('buffer')`, the Buffer that is there. */
const ISOMORPHIC_GIT = {
  'isomorphic-git/managers': join(PACKAGES, 'isomorphic-git/managers/index.js'),
  'isomorphic-git': join(PACKAGES, 'isomorphic-git/index.js'),
  'buffer/index.js': join(PACKAGES, 'buffer/index.js'),
  buffer: join(DIST, 'git/portable/present-buffer.js'),
};

/**
 * By the name of its file, where an entry begins. The last four are found by their names: by `browser` of package.json,
 * and by the command line, which reads the page from the library.
 */
const ENTRIES = {
  index: 'index.js',
  errors: 'errors.js',
  types: 'types.js',
  tools: 'tools/public.js',
  mcp: 'surfaces/mcp/server.js',
  'app-page': 'surfaces/web/app-page.js',
  anthropic: 'surfaces/anthropic.js',
  openai: 'surfaces/openai.js',
  ai: 'surfaces/ai.js',
  langchain: 'surfaces/langchain/index.js',
  'agent-zero': 'surfaces/agent-zero/index.js',
  testing: 'stores/suite.js',
  'git/native/platform': 'git/native/platform.js',
  'git/native/system-git': 'git/native/system-git.js',
  'git/portable/browser': 'git/portable/browser.js',
  'surfaces/web/built': 'surfaces/web/built.js',
};

/** What packages load at once and a command that edits never calls, by the end of the file that asks for it. */
const LATE = {
  'isomorphic-git/index.js': ['sha.js/sha1.js', 'pako', 'ignore', 'diff3', 'async-lock'],
  'commander/lib/command.js': ['node:child_process'],
};

/** The globals that these stand for would load modules of Node that nothing else in an edit needs. */
const OWN_GLOBALS = `const ownUrl = require('node:url').pathToFileURL(__filename).href;
const monotonic = () => Number(process.hrtime.bigint()) / 1e6;
const fillRandom = bytes => require('node:crypto').randomFillSync(bytes);`;

/** The files of packages that went into a bundle: their licences go with them. */
const bundled = new Set();

await bundlePage();
await bundleLibrary();
await bundleTypes();
await bundleCommandLine();
writeFileSync(join(DIST, 'licenses.txt'), licenses());

/** Writes the script and the style of the page of the history, with their hashes, into the module that names them. */
async function bundlePage() {
  const web = join(ROOT, 'src/surfaces/web');
  const bundle = async entry => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: ROOT,
      metafile: true,
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
    for (const input of Object.keys(metafile.inputs)) bundled.add(join(ROOT, input));
    // HTML reads on after these, though they stand in texts alone.
    const text = outputFiles[0].text.trim().replace(/<(?=!--|script)/gi, '\\x3C');
    return { text, hash: `sha256-${createHash('sha256').update(text).digest('base64')}` };
  };
  const [script, style] = [await bundle('page/main.tsx'), await bundle('style/page.css')];
  const module = `export const SCRIPT = ${JSON.stringify(script)};\nexport const STYLE = ${JSON.stringify(style)};\n`;
  writeFileSync(join(DIST, 'surfaces/web/built.js'), module);
}

/**
 * Four files have what most programs load, and every entry shares them: there is one EditError. A program that needs the
 * errors or the tools alone loads no engine, which the index loads when a workspace is opened.
 */
async function bundleLibrary() {
  rmSync(join(DIST, 'lib'), { recursive: true, force: true });
  const [errors, tools, index, engine] = [
    'errors.js',
    'tools/public.js',
    'index.js',
    'workspace/open.js',
  ].map(path => loadedWith(join(DIST, path)));
  const entries = Object.entries(ENTRIES).map(([name, path]) => [name, join(DIST, path)]);
  const bundle = await rolldown({
    input: Object.fromEntries(entries),
    // For its packages alone: their forms for browsers run everywhere.
    platform: 'browser',
    external: isOutside,
    resolve: { alias: ISOMORPHIC_GIT },
    // Some late imports are of what another file loads at once.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({
    dir: join(DIST, 'lib'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Without names of functions and classes, which would be a twentieth of the package; errors set their own.
    minify: true,
    codeSplitting: {
      groups: [
        { name: 'errors', test: id => errors.has(id), priority: 3 },
        { name: 'tools', test: id => tools.has(id), priority: 2 },
        { name: 'parts', test: id => index.has(id), priority: 2 },
        { name: 'engine', test: id => engine.has(id), priority: 1 },
        { name: 'dialects', test: id => id.startsWith(join(DIST, 'tools')) && !engine.has(id) },
      ],
    },
  });
  await bundle.close();
  for (const id of output.flatMap(one => one.moduleIds ?? [])) bundled.add(id);
  escapeAll(join(DIST, 'lib'));
}

/** The types of each entry in one file, with what several share in files of their own. */
async function bundleTypes() {
  const types = path => join(DIST, path.replace(/\.js$/, '.d.ts'));
  const entries = Object.entries(ENTRIES).filter(([name]) => !name.includes('/'));
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map(([name, path]) => [name, types(path)])),
    plugins: [dts({ dtsInput: true })],
    external: isOutside,
  });
  await bundle.write({
    dir: join(DIST, 'lib'),
    format: 'esm',
    minifyInternalExports: false,
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  await bundle.close();
  // The names are those of the index, which need not stand in the package twice.
  writeFileSync(join(DIST, 'lib/types.d.ts'), "export type * from './index.js';\n");
}

/**
 * Writes every character beyond ASCII, which stand in texts and patterns only, as an escape: of one such character, V8
 * makes two bytes of each character of the file, and takes longer to read it.
 */
function escapeAll(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.js')) continue;
    const path = join(entry.parentPath, entry.name);
    writeFileSync(path, inAscii(readFileSync(path, 'utf8')));
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

/**
 * CommonJS, because only for such a file can Node 20 be given what was compiled before; see bin/load.js. The server of
 * the Model Context Protocol, which `vedit mcp` alone loads, and the tables of encodings are files of their own.
 */
async function bundleCommandLine() {
  rmSync(join(DIST, 'cli'), { recursive: true, force: true });
  mkdirSync(join(DIST, 'cli'));
  const shared = { absWorkingDir: ROOT, bundle: true, platform: 'node', format: 'cjs', target: 'node20' };
  const options = { ...shared, legalComments: 'none', logLevel: 'warning', write: false, metafile: true };
  const server = ['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio'];
  const [main, mcp] = await Promise.all([
    build({
      ...options,
      entryPoints: [join(DIST, 'surfaces/cli/main.js')],
      outfile: join(DIST, 'cli/main.cjs'),
      minify: true,
      // Node cannot do an import() from what it compiled before; it can require() modules of both kinds.
      supported: { 'dynamic-import': false },
      alias: {
        ...Object.fromEntries(server.map(name => [name, './mcp.cjs'])),
        ...ISOMORPHIC_GIT,
        // Its other build loads its parts in a way that no bundler follows.
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
      },
      // Installed with the package, and seldom needed: its tables are 500 kB.
      external: ['./mcp.cjs', 'iconv-lite'],
      plugins: [
        { name: 'late', setup: loadLate },
        { name: 'page', setup: sharePage },
      ],
      define: {
        'import.meta.url': 'ownUrl',
        'performance.now': 'monotonic',
        'crypto.getRandomValues': 'fillRandom',
      },
      banner: { js: OWN_GLOBALS },
    }),
    build({
      ...options,
      stdin: { contents: server.map(name => `export * from '${name}';`).join('\n'), resolveDir: ROOT },
      outfile: join(DIST, 'cli/mcp.cjs'),
      minify: true,
      // Installed with the package: a server starts once, and 100 kB are saved.
      external: ['zod'],
      plugins: [{ name: 'validator', setup: takeSmallValidator }],
    }),
  ]);
  for (const { outputFiles, metafile } of [main, mcp]) {
    const [{ path, text: given }] = outputFiles;
    const text = inAscii(given);
    const id = createHash('sha256').update(text).digest('hex').slice(0, 16);
    writeFileSync(path, `// build ${id}\n${text}`);
    for (const input of Object.keys(metafile.inputs)) bundled.add(join(ROOT, input));
  }
}

/** The page's script and style, 150 kB of text, are in the package once. */
function sharePage(bundle) {
  bundle.onResolve({ filter: /\/built\.js$/ }, () => ({
    path: '../lib/surfaces/web/built.js',
    external: true,
  }));
}

/** Of the two validators of JSON Schema that the protocol's package knows, the one for workers is 120 kB less. */
function takeSmallValidator(bundle) {
  const contents = `export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`;
  bundle.onLoad({ filter: /shimsNode\.mjs$/ }, () => ({ contents }));
}

/** Loads these when something of them is used first. */
function loadLate(bundle) {
  const isLate = ({ path, importer }) =>
    Object.entries(LATE).some(([file, names]) => importer.endsWith(file) && names.includes(path));
  bundle.onResolve({ filter: /^[a-z]/ }, ({ path, importer, resolveDir }) =>
    isLate({ path, importer }) ? { path, namespace: 'late', pluginData: resolveDir } : null,
  );
  bundle.onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData: resolveDir }) => ({
    contents: lateModule(path),
    resolveDir,
  }));
}

/** A module that stands for another one until it is called, constructed or asked for a property. */
function lateModule(path) {
  return `const real = () => { const it = require('${path}'); return it.default ?? it; };
module.exports = new Proxy(function () {}, {
  get: (_, name) => (name === '__esModule' ? undefined : real()[name]),
  apply: (_, self, args) => Reflect.apply(real(), self, args),
  construct: (_, args) => Reflect.construct(real(), args),
});`;
}

/** One byte a character is half the memory, and nothing to decode, at each start. Texts and patterns know such escapes. */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The licence of each package of which something was bundled, with its name and version; a text that several share, once. */
function licenses() {
  const homes = [...bundled].flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []);
  const texts = new Map();
  for (const home of [...new Set(homes)].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const file = readdirSync(home).find(one => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(home, file), 'utf8').trim() : `Licence: ${license}`;
    const [holders, rest] = [/^.*copyright \(c\).*$/gim, /^(?!.*copyright \(c\)).*$/gim].map(
      lines => text.match(lines) ?? [],
    );
    const words = rest.join(' ').replace(/\s+/g, ' ').trim();
    const shared = texts.get(words) ?? { rest: rest.join('\n').trim(), heads: [] };
    shared.heads.push([`${name} ${version}`, ...holders.map(line => line.trim())].join('\n'));
    texts.set(words, shared);
  }
  const parts = [...texts.values()].map(({ heads, rest }) => `${heads.join('\n')}\n\n${rest}\n`);
  return parts.join(`\n${'-'.repeat(72)}\n\n`);
}
