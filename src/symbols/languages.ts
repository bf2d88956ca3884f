/** The languages whose files have symbols, by the ends of their names, and what has to be installed to read each. */

export interface Language {
  /** The name of the grammar's file, where a grammar reads it. */
  name: string;
  reader: 'grammar' | 'json' | 'yaml' | 'toml' | 'markdown';
}

/** By reader and language, the ends of file names. */
const ENDS: Readonly<Record<Language['reader'], Readonly<Record<string, string>>>> = {
  grammar: {
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
  },
  json: { json: 'json jsonc webmanifest' },
  yaml: { yaml: 'yaml yml' },
  toml: { toml: 'toml' },
  markdown: { markdown: 'md markdown mdx' },
};

const BY_END: ReadonlyMap<string, Language> = new Map(
  Object.entries(ENDS).flatMap(([reader, names]) =>
    Object.entries(names).flatMap(([name, ends]) =>
      ends.split(' ').map(end => [end, { name, reader: reader as Language['reader'] }] as const),
    ),
  ),
);

/** By reader, the package that it needs, which is installed beside this one; '' for none. */
export const PACKAGES: Readonly<Record<Language['reader'], string>> = {
  grammar: '@vscode/tree-sitter-wasm',
  yaml: 'yaml',
  toml: 'toml-eslint-parser',
  json: '',
  markdown: '',
};

/** Loads a package that may be installed. Its name is no part of the call, so that bundlers leave the package where it is. */
export function installed<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ name);
}

/** The ends of the names of files that have symbols. */
export const ENDINGS: readonly string[] = [...BY_END.keys()].map(end => `.${end}`);

/** The language of the file at a path; `null` where its symbols are not known. */
export function languageOf(path: string): Language | null {
  return BY_END.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}
