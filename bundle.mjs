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
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import { dts } from 'rolldown-plugin-dts';

const ROOT = import.meta.dirname;
const DIST = join(ROOT, 'dist');
const PACKAGES = join(ROOT, 'node_modules');

/** Not bundled into the library: Node's own, and what a program installs itself or with the package. */
const { version, dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);
const outside = Object.keys({ ...dependencies, ...peerDependencies });
const isOutside = id =>
  id.startsWith('node:') || outside.some(name => id === name || id.startsWith(`${name}/`));

/** Its modules, of which what nobody calls is left out; and for a CommonJS `require('buffer')`, the Buffer that is there. */
const ISOMORPHIC_GIT = {
  'isomorphic-git': join(PACKAGES, 'isomorphic-git/index.js'),
  'buffer/index.js': join(PACKAGES, 'buffer/index.js'),
  buffer: join(DIST, 'git/portable/present-buffer.js'),
};

/** The other build of jsonc-parser loads its parts in a way that no bundler follows. */
const JSONC = { 'jsonc-parser': join(PACKAGES, 'jsonc-parser/lib/esm/main.js') };

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
  symbols: 'symbols/index.js',
  testing: 'testing.js',
  'git/native/platform': 'git/native/platform.js',
  'git/native/system-git': 'git/native/system-git.js',
  'git/portable/browser': 'git/portable/browser.js',
  'surfaces/web/built': 'surfaces/web/built.js',
};

/** What reads symbols. */
const SYMBOLS = ['@vscode/tree-sitter-wasm', 'yaml', 'toml-eslint-parser'];

/** What packages load at once and a command that edits never calls, by the end of the file that asks for it. */
const LATE = {
  'isomorphic-git/index.js': ['ignore', 'diff3', 'async-lock'],
  'commander/lib/command.js': ['node:child_process'],
};

/**
 * Files of the command line alone: it knows its version, and works on a disk by Node, which reads and writes packs, hashes
 * and deflates.
 */
const ON_DISK = {
  'dist/surfaces/cli/package-version.js': `export const packageVersion = () => '${version}';`,
  'dist/workspace/opening/platform.js': `export { nodePlatform as platformFor } from '../../git/native/platform.js';`,
  'dist/git/portable/isomorphic-git-calls.js': `export { writeObject } from 'isomorphic-git';`,
  'node_modules/pako/index.js':
    "import { deflateSync, inflateSync } from 'node:zlib'; export default { deflate: deflateSync, inflate: inflateSync };",
  'node_modules/sha.js/sha1.js':
    "import { createHash } from 'node:crypto'; export default function Sha1() { return createHash('sha1'); }",
};

const SERVER = './mcp.cjs';

/** What the command line calls of the server of the Model Context Protocol. */
const MCP = {
  '@modelcontextprotocol/server': [
    'CLIENT_CAPABILITIES_META_KEY',
    'CLIENT_INFO_META_KEY',
    'McpServer',
    'ProtocolError',
    'ProtocolErrorCode',
  ],
  '@modelcontextprotocol/server/stdio': ['serveStdio', 'StdioServerTransport'],
};

/** By bin/load.js: the globals that these stand for load modules of Node that nothing else in an edit needs. */
const OWN_GLOBALS = {
  'performance.now': 'own.now',
  'crypto.getRandomValues': 'own.fillRandom',
};

/** Loaded by an edit beside what it imports: with that it is one part, and each other command has its own. */
const EDIT = [
  'engine/calls/failure',
  'engine/change/base/stale',
  'engine/change/change',
  'engine/editor',
  'engine/files/snapshot',
  'engine/revision',
  'engine/trails/open-trail',
  'git/native/platform',
  'git/packs/build-pack',
  'git/packs/store-pack',
  'git/portable/isomorphic-git-calls',
  'surfaces/cli/from-table',
  'surfaces/cli/input/text-source',
  'surfaces/cli/terminal/progress',
  'surfaces/cli/views/done',
  'surfaces/cli/views/shown-diff',
  'table/edits',
  'workspace/open',
  'workspace/opening/locate',
].map(name => join(DIST, `${name}.js`));

for (const path of EDIT) if (!existsSync(path)) throw new Error(`an edit loads no ${relative(DIST, path)}`);

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
    resolve: { alias: { ...ISOMORPHIC_GIT, ...JSONC } },
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
 * CommonJS, because only for such a file can Node 20 be given what was compiled before; see bin/load.js, which reads of
 * it the parts that a command needs. The server of the Model Context Protocol is a file of its own, for `vedit mcp`.
 */
async function bundleCommandLine() {
  rmSync(join(DIST, 'cli'), { recursive: true, force: true });
  mkdirSync(join(DIST, 'cli'));
  const front = loadedWith(join(DIST, 'surfaces/cli/main.js'));
  const bundle = await rolldown({
    input: { main: join(DIST, 'surfaces/cli/main.js') },
    platform: 'node',
    // Installed with the package or beside it, and seldom needed: the tables of iconv-lite are 500 kB.
    external: (id, importer) =>
      id === 'iconv-lite' || SYMBOLS.includes(id) || (id.startsWith('node:') && !isLate(id, importer)),
    resolve: {
      alias: {
        'isomorphic-git': ISOMORPHIC_GIT['isomorphic-git'],
        'buffer/index.js': 'node:buffer',
        ...JSONC,
      },
    },
    transform: { define: OWN_GLOBALS },
    plugins: [{ name: 'own', resolveId: resolveOwn, load: loadOwn }, late()],
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]',
    dynamicImportInCjs: false,
    minify: true,
    codeSplitting: {
      groups: [
        { name: 'front', test: id => front.has(id), priority: 2 },
        { name: 'edit', test: id => EDIT.includes(id), priority: 1 },
      ],
    },
  });
  await bundle.close();
  for (const id of output.flatMap(one => one.moduleIds)) bundled.add(id);
  writeFileSync(join(DIST, 'cli/main.cjs'), joined(output));
  await bundleServer();
}

/** Joins the parts into one file, each a function. The first line has the name of the build, and the place of each part. */
function joined(output) {
  const texts = output.map(({ fileName, code }) => [
    `./${fileName}`,
    `(function (exports, require, module, own) {${inAscii(shared(code))}\n});\n`,
  ]);
  const build = createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
  let end = 0;
  const parts = Object.fromEntries(texts.map(([name, text]) => [name, [end, (end += text.length)]]));
  return `// ${JSON.stringify({ build, parts })}\n${texts.map(([, text]) => text).join('')}`;
}

/** Shares each name with the other parts in ten characters, by bin/load.js, in place of seventy. */
function shared(code) {
  const one =
    /Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ?([^{}]+)\}\}\)/;
  const all = new RegExp(`${one.source}(?:,${one.source})*`, 'g');
  return code.replace(all, run => {
    const names = [...run.matchAll(new RegExp(one.source, 'g'))].map(
      ([, name, value]) => `${name}:()=>${value}`,
    );
    return `own.share(exports,{${names}})`;
  });
}

async function bundleServer() {
  const exports = Object.entries(MCP).map(([id, names]) => `export { ${names} } from '${id}';`);
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    legalComments: 'none',
    logLevel: 'warning',
    write: false,
    metafile: true,
    stdin: { contents: exports.join('\n'), resolveDir: ROOT },
    outfile: join(DIST, 'cli/mcp.cjs'),
    minify: true,
    // Installed with the package: a server starts once, and 100 kB are saved.
    external: ['zod'],
    plugins: [{ name: 'validator', setup: takeSmallValidator }],
  });
  writeFileSync(join(DIST, 'cli/mcp.cjs'), inAscii(outputFiles[0].text));
  for (const input of Object.keys(metafile.inputs)) bundled.add(join(ROOT, input));
}

/** Finds what the package has once: the page's script and style, 150 kB of text, and the server of the protocol. */
function resolveOwn(id) {
  if (id in MCP) return `\0${id}`;
  if (id.endsWith('/built.js')) return { id: '../lib/surfaces/web/built.js', external: true };
  return id === SERVER ? { id, external: true } : null;
}

function loadOwn(id) {
  const names = MCP[id.slice(1)];
  if (names) return `export { ${names} } from '${SERVER}';`;
  return ON_DISK[relative(ROOT, id).replaceAll('\\', '/')];
}

/** Of the two validators of JSON Schema that the protocol's package knows, the one for workers is 120 kB less. */
function takeSmallValidator(bundle) {
  const contents = `export { default as process } from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';`;
  bundle.onLoad({ filter: /shimsNode\.mjs$/ }, () => ({ contents }));
}

/** Loads these when something of them is used first, each as a part of its own. */
function late() {
  return {
    name: 'late',
    async resolveId(name, importer) {
      if (!isLate(name, importer)) return null;
      if (name.startsWith('node:')) return `\0late ${name}`;
      const { id } = await this.resolve(name, importer, { skipSelf: true });
      const fileName = `late-${name.replace(/\W/g, '-')}.cjs`;
      this.emitFile({ type: 'chunk', id, fileName });
      return `\0late ./${fileName}`;
    },
    load: id => (id.startsWith('\0late ') ? lateModule(id.slice(6)) : null),
  };
}

function isLate(name, importer = '') {
  return Object.entries(LATE).some(([file, names]) => importer.endsWith(file) && names.includes(name));
}

/** A module that stands for another one until it is called, constructed or asked for a property. */
function lateModule(path) {
  return `const real = () => { const it = own.require('${path}'); return it.default ?? it; };
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
