/** Who may import whom. Pure: the tests feed it the real sources, and false ones that it has to catch. */

import { type Import, importsOf, packageOf, type Sources } from '../helpers/source.ts';

/** What the engine works with; the rooms beside it use the same. */
const BELOW = [
  'edits',
  'symbols',
  'text',
  'line',
  'history',
  'git',
  'stores',
  'fs',
  'errors',
  'wording',
  'bytes',
  'c-quote',
  'operations',
  'near-names',
  'json',
  'lazy',
  'sorted',
  'spelling',
];

/** The rooms beside the engine, each with the calls of one kind. */
const ROOMS = ['agents', 'review', 'signing', 'queries', 'events', 'land', 'maintenance', 'purge', 'sync'];

/** What each part of src may import besides itself. `index` is src/index.ts. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  wording: [],
  bytes: [],
  sorted: [],
  'c-quote': ['bytes'],
  operations: [],
  'near-names': [],
  json: [],
  lazy: [],
  spelling: [],
  errors: ['error-data', 'wording'],
  'error-data': [],
  text: ['errors', 'wording', 'bytes', 'c-quote', 'sorted'],
  symbols: ['text', 'errors', 'wording', 'near-names', 'lazy'],
  edits: [
    'text',
    'symbols',
    'errors',
    'wording',
    'bytes',
    'c-quote',
    'near-names',
    'sorted',
    'json',
    'lazy',
    'spelling',
  ],
  fs: ['errors', 'wording', 'bytes', 'json'],
  git: ['fs', 'errors', 'wording', 'bytes', 'c-quote', 'sorted'],
  line: ['history', 'git', 'text', 'errors', 'operations', 'sorted'],
  history: ['git', 'fs', 'text', 'errors', 'wording', 'bytes', 'c-quote', 'operations', 'sorted'],
  remote: ['git', 'fs', 'errors', 'wording', 'bytes', 'json'],
  stores: ['fs', 'errors', 'wording', 'bytes'],
  engine: BELOW,
  agents: ['engine', 'workspace', ...BELOW],
  review: ['engine', 'workspace', ...BELOW],
  signing: ['engine', ...BELOW],
  queries: ['engine', 'agents', 'review', 'signing', ...BELOW],
  events: ['engine', 'review', ...BELOW],
  land: ['engine', 'review', ...BELOW],
  maintenance: ['engine', 'agents', 'queries', 'signing', ...BELOW],
  purge: ['engine', 'maintenance', 'signing', ...BELOW],
  sync: ['engine', 'workspace', 'maintenance', 'queries', 'review', 'signing', 'remote', ...BELOW],
  workspace: ['engine', ...ROOMS, ...BELOW],
  table: ['workspace', 'engine', 'queries', 'agents', 'git', 'edits', 'errors', 'wording', 'spelling'],
  tools: [
    'table',
    'workspace',
    'engine',
    'queries',
    'edits',
    'errors',
    'wording',
    'near-names',
    'lazy',
    'spelling',
  ],
  surfaces: [
    'spelling',
    'table',
    'tools',
    'workspace',
    'engine',
    ...ROOMS,
    'errors',
    'wording',
    'c-quote',
    'operations',
    'near-names',
    'json',
  ],
  types: ['index', 'testing', 'tools'],
  testing: ['stores'],
  index: [
    'table',
    'tools',
    'workspace',
    'engine',
    ...ROOMS,
    'edits',
    'symbols',
    'text',
    'stores',
    'errors',
    'wording',
  ],
};

/** Arrows that the table forbids and that are right all the same: importers, target, why. */
const EXCEPTIONS: ReadonlyArray<{ from: RegExp; to: string; why: string }> = [
  {
    from: /^src\/engine\/transaction\/recovery\/work-tree\.ts$/,
    to: 'src/land/index.ts',
    why: 'recovery ends a landing that was killed, and only then loads how',
  },
  {
    from: /^src\/surfaces\/(cli|web\/page)\//,
    to: 'src/text/diff/word-diff.ts',
    why: 'which words of a line changed is a matter of showing it',
  },
  {
    from: /^src\/surfaces\/cli\/commands\/install\.ts$/,
    to: 'src/text/diff/diff.ts',
    why: 'what an installation changes in settings is shown as a diff',
  },
  {
    from: /^src\/surfaces\/cli\/demo\//,
    to: 'isomorphic-git',
    why: 'the demo needs the repository of a person, made by somebody else than the engine, where no git is installed',
  },
];

/** Packages, and the only places that may import them. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  zod: /^src\/((edits|tools|workspace|engine|agents|events|land|maintenance|purge|queries|review|signing|sync)\/)/,
  diff: /^src\/text\//,
  'iconv-lite': /^src\/text\/encodings\.ts$/,
  'isomorphic-git': /^src\/git\/portable\//,
  buffer: /^src\/git\/portable\/isomorphic-git\.ts$/,
  'sugar-high': /^src\/surfaces\/web\/page\//,
  preact: /^src\/surfaces\/web\/page\//,
  commander: /^src\/surfaces\/cli\//,
  'jsonc-parser': /^src\/(surfaces\/cli\/install\/|symbols\/keys\.ts$)/,
  yaml: /^src\/symbols\/keys\.ts$/,
  'toml-eslint-parser': /^src\/symbols\/keys\.ts$/,
  '@vscode/tree-sitter-wasm': /^src\/symbols\//,
  '@modelcontextprotocol/server': /^src\/surfaces\/(mcp\/|cli\/commands\/mcp\.ts$)/,
};

/** Where node's own modules may be imported: everything else also runs in a browser. */
const NODE = /^(src\/fs\/node\/|src\/git\/native\/|src\/surfaces\/(cli|web\/server)\/|bin\/)/;

/** Files that only the list of their folder (and nobody else) imports. */
const LISTED: Readonly<Record<string, string>> = { edits: 'ownEdit(', table: ' = command(' };

/** The list that loads a command of the table when it is used. */
const COMMANDS = 'src/table/rows.ts';

/** Files of a folder that define none of its units, though they hold the word. */
const DEFINERS: ReadonlySet<string> = new Set(['src/edits/edit.ts', 'src/table/command.ts']);

/** Every wrong arrow, one line each. */
export function wrongArrows(files: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of files) {
    for (const found of importsOf(path, text)) {
      const fault = found.specifier.startsWith('.')
        ? innerFault(files, path, found)
        : outerFault(path, found.specifier);
      if (fault) faults.push(`${path} imports ${found.specifier}: ${fault}`);
    }
  }
  return faults;
}

function innerFault(files: Sources, path: string, { target }: Import): string | null {
  if (!files.has(target)) return 'there is no such file';
  const [from, to] = [partOf(path), partOf(target)];
  if (from !== to && !ARROWS[from]?.includes(to) && !excepted(path, target))
    return `${from} may not use ${to}`;
  return sidewaysFault(files, path, target);
}

function excepted(path: string, target: string): boolean {
  return EXCEPTIONS.some(({ from, to }) => from.test(path) && to === target);
}

/** The layer of a file: its folder below src, or the name of a file that lies in src itself. */
export function partOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

/** Two edits, commands of the table, stores or surfaces never know each other. */
function sidewaysFault(files: Sources, path: string, target: string): string | null {
  const part = partOf(target);
  if (isUnit(files, target))
    return path === `src/${part}/index.ts` || (part === 'table' && path === COMMANDS)
      ? null
      : `only the list src/${part}/index.ts may`;
  if (part !== partOf(path) || isStarter(path, target)) return null;
  if (part === 'stores' || part === 'surfaces') return familyFault(path, target);
  return null;
}

/** A file that defines an edit or a command of the table. */
export function isUnit(files: Sources, path: string): boolean {
  const word = LISTED[partOf(path)];
  return word !== undefined && !DEFINERS.has(path) && files.get(path)!.includes(word);
}

/** The contract of the stores, and the rules for paths that all of them share. */
const SHARED: ReadonlySet<string> = new Set([
  'src/stores/store.ts',
  'src/stores/paths.ts',
  'src/stores/record.ts',
]);

function familyFault(path: string, target: string): string | null {
  if (SHARED.has(target)) return null;
  if (SHARED.has(path)) return 'a contract knows no back end';
  return familyOf(path) === familyOf(target)
    ? null
    : `${familyOf(path)} and ${familyOf(target)} are neighbours`;
}

/** Commands that start other surfaces than the one of their name. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  watch: ['web'],
  mcp: ['mcp', 'web'],
};

/** A command may start the surface of its own name; watch and mcp what is in src/surfaces/web/. */
function isStarter(path: string, target: string): boolean {
  const command = /^src\/surfaces\/cli\/commands\/([a-z-]+)\.ts$/.exec(path)?.[1] ?? '';
  const surface = /^src\/surfaces\/([a-z-]+)(\/|\.ts$)/.exec(target)?.[1] ?? '';
  return command !== '' && (STARTED[command] ?? [command]).includes(surface);
}

/** `disk` for src/stores/disk/disk.ts and src/stores/disk/walk.ts, `cli` for all of src/surfaces/cli/. */
function familyOf(path: string): string {
  return path.split('/')[2]!.replace(/\.ts$/, '');
}

function outerFault(path: string, specifier: string): string | null {
  if (specifier.startsWith('node:')) return NODE.test(path) ? null : 'no node: modules here';
  const allowed = PACKAGES[packageOf(specifier)];
  if (!allowed) return 'not a package of this house';
  return allowed.test(path) || excepted(path, specifier) ? null : 'that package has another place';
}

/** What is loaded together with `start`: own files and outside modules, each with the chain that leads there. */
export function loadedWith(files: Sources, start: string): Map<string, readonly string[]> {
  return chainsFrom(loadGraph(files), start);
}

type Graph = ReadonlyMap<string, readonly string[]>;

function chainsFrom(graph: Graph, start: string): Map<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>([[start, [start]]]);
  for (const [path, chain] of chains) {
    for (const target of graph.get(path) ?? []) {
      if (!chains.has(target)) chains.set(target, [...chain, target]);
    }
  }
  return chains;
}

/** Imports that may close a circle, and why. */
const CIRCLES: ReadonlyArray<{ from: RegExp; to: RegExp; why: string }> = [
  {
    from: /^src\/surfaces\/cli\/commands\/completion\.ts$/,
    to: /^src\/surfaces\/cli\/commands\/index\.ts$/,
    why: 'the list of commands holds the command that prints the list',
  },
];

/**
 * Files that need each other in a circle, as `a -> b -> a`, types and late imports included: none of them can be
 * understood without the others. One circle for each file that closes one.
 */
export function circles(files: Sources): string[] {
  const graph: Graph = new Map([...files].map(([path, text]) => [path, importsIn(path, text)]));
  const found: string[] = [];
  for (const [path, targets] of graph) {
    for (const target of targets) {
      const back = chainsFrom(graph, target).get(path);
      if (back) found.push([path, ...back].join(' -> '));
    }
  }
  return found;
}

function importsIn(path: string, text: string): string[] {
  const inner = importsOf(path, text).filter(({ specifier }) => specifier.startsWith('.'));
  const targets = [...new Set(inner.map(({ target }) => target))];
  return targets.filter(target => !CIRCLES.some(({ from, to }) => from.test(path) && to.test(target)));
}

const graphs = new WeakMap<Sources, Graph>();

/** By path, what loading it loads at once. */
function loadGraph(files: Sources): Graph {
  const known = graphs.get(files);
  if (known) return known;
  const graph = new Map(
    [...files].map(([path, text]) => [
      path,
      importsOf(path, text)
        .filter(({ kind }) => kind === 'static')
        .map(({ target }) => target),
    ]),
  );
  graphs.set(files, graph);
  return graph;
}
