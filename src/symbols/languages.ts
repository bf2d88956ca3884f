/** The languages whose files have symbols, by the ends of their names, and what has to be installed to read each. */

/** A reader of a language: a grammar of tree-sitter, a parser of data, or nothing but this package. */
export type Reader = 'grammar' | 'json' | 'yaml' | 'toml' | 'markdown';

export interface Language {
  /** The name of the grammar's file, where the reader is one. */
  name: string;
  reader: Reader;
}

/** By grammar, the ends of file names. */
const GRAMMARS = {
  javascript: 'js mjs cjs jsx',
  typescript: 'ts mts cts',
  tsx: 'tsx',
  python: 'py pyi',
  go: 'go',
  rust: 'rs',
  java: 'java',
  'c-sharp': 'cs',
  cpp: 'cc cpp cxx hpp hh hxx h c',
  php: 'php',
  ruby: 'rb rake gemspec',
  bash: 'sh bash',
  css: 'css',
};

const DATA = {
  json: 'json jsonc json5 webmanifest',
  yaml: 'yaml yml',
  toml: 'toml',
  markdown: 'md markdown mdx',
};

const BY_END: ReadonlyMap<string, Language> = new Map(
  [...Object.entries(GRAMMARS), ...Object.entries(DATA)].flatMap(([name, ends]) =>
    ends.split(' ').map(end => {
      const reader = name in DATA ? (name as Reader) : 'grammar';
      return [end, { name, reader }] as const;
    }),
  ),
);

/** The package that reads each, which is installed beside this one; none for what this one reads itself. */
export const PACKAGES: Readonly<Partial<Record<Reader, string>>> = {
  grammar: '@vscode/tree-sitter-wasm',
  yaml: 'yaml',
  toml: 'toml-eslint-parser',
};

/** The language of the file at a path; `null` where its symbols are not known. */
export function languageOf(path: string): Language | null {
  return BY_END.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

/** The ends of the names of files that have symbols. */
export function knownEnds(): string[] {
  return [...BY_END.keys()].map(end => `.${end}`);
}
