/** The files of the house as the rules see them: path, text, syntax tree, and what each imports. */

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** Text by path from the root of the repository, with `/` as separator. */
export type Sources = ReadonlyMap<string, string>;

/** `static` is loaded with its importer, `dynamic` when it is asked for, `type` never. */
export interface Import {
  kind: 'static' | 'dynamic' | 'type';
  /** As written: `./lines.ts`, `zod`, `node:fs`. */
  specifier: string;
  /** A path as in Sources for a relative import; else the specifier. */
  target: string;
}

export const ROOT: string = join(import.meta.dirname, '../..');

const CODE: ReadonlySet<string> = new Set(['.ts', '.tsx', '.js', '.mjs']);

/** All code below the folders. */
export function sources(...folders: string[]): Sources {
  const paths = folders.flatMap(folder =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      name => `${folder}/${name.replaceAll('\\', '/')}`,
    ),
  );
  const code = paths.filter(path => CODE.has(extname(path))).sort();
  return new Map(code.map(path => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

type Program = ReturnType<typeof parseSync>['program'];

/** The syntax tree. Throws where the text is no program: a rule that skips a file checks nothing. */
export function parse(path: string, text: string): Program {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  return program;
}

/** Everything that a file imports or exports from elsewhere, in order. */
export function importsOf(path: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (kind: Import['kind'], specifier: string): void => {
    found.push({ kind, specifier, target: targetOf(path, specifier) });
  };
  new Visitor({
    ImportDeclaration: node => add(node.importKind === 'type' ? 'type' : 'static', node.source.value),
    ExportAllDeclaration: node => add(node.exportKind === 'type' ? 'type' : 'static', node.source.value),
    ExportNamedDeclaration: node => {
      if (node.source) add(node.exportKind === 'type' ? 'type' : 'static', node.source.value);
    },
    ImportExpression: node => add('dynamic', constantOf(path, node.source)),
    TSImportType: node => add('type', node.source.value),
  }).visit(parse(path, text));
  return found;
}

/** A specifier that is put together at run time could lead anywhere. */
/** Loads packages that may be installed, by names that no bundler sees: it would look for them. */
const OPTIONAL = 'src/symbols/languages.ts';

function constantOf(path: string, source: { type: string; value?: unknown }): string {
  if (source.type === 'Literal' && typeof source.value === 'string') return source.value;
  if (path === OPTIONAL) return '@vscode/tree-sitter-wasm';
  throw new Error(`${path}: import() of something else than a plain string`);
}

function targetOf(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** The package of a bare specifier: `zod` for `zod/v4`, `@a/b` for `@a/b/c`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
