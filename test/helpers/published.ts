/** The package as npm publishes it, unpacked beside its dependencies, and pages of it made by bundlers. */

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { build as vite } from 'vite';
import { ROOT } from './source.ts';

/** A folder with the unpacked package in its node_modules, beside others that a program has, and a function that removes it. */
export function published(others: readonly string[] = []): { folder: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-published-')));
  const place = join(folder, 'node_modules/versioned-edit');
  mkdirSync(place, { recursive: true });
  const packed = npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', place, '--strip-components=1']);
  const { dependencies } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  // Of the optional ones, the one that an entry imports.
  for (const name of [...Object.keys(dependencies), '@modelcontextprotocol/server', ...others]) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function npm(...args: string[]): string {
  return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** What a bundler made: code by file name, which of it is loaded first, and all modules that went in. */
export interface Bundle {
  files: Map<string, string>;
  entry: string;
  modules: string[];
}

/** Each as its users have it for a page, with nothing set that they need not set. */
export const BUNDLERS: Readonly<Record<string, (folder: string, entry: string) => Promise<Bundle>>> = {
  esbuild: async (folder, entry) => {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [join(folder, entry)],
      absWorkingDir: folder,
      outdir: join(folder, 'out'),
      bundle: true,
      splitting: true,
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const files = new Map(outputFiles.map(({ path, text }) => [path.slice(folder.length + 5), text]));
    const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
      imports.filter(one => one.external).map(one => one.path),
    );
    return { files, entry, modules: [...Object.keys(metafile.inputs), ...outside] };
  },
  vite: async (folder, entry) => {
    const options = {
      root: folder,
      configFile: false,
      envDir: false,
      logLevel: 'silent',
      build: { write: false, target: 'es2022', rollupOptions: { input: join(folder, entry) } },
    } as const;
    return fromRollup(await vite(options));
  },
  rolldown: async (folder, entry) => {
    const bundle = await rolldown({
      input: join(folder, entry),
      cwd: folder,
      platform: 'browser',
      logLevel: 'silent',
    });
    try {
      return fromRollup(await bundle.generate({ format: 'esm' }));
    } finally {
      await bundle.close();
    }
  },
};

interface Chunk {
  type: 'chunk';
  fileName: string;
  code: string;
  isEntry: boolean;
  moduleIds: string[];
  imports: string[];
  dynamicImports: string[];
}

function fromRollup(result: unknown): Bundle {
  const { output } = (Array.isArray(result) ? result[0] : result) as {
    output: Array<Chunk | { type: 'asset' }>;
  };
  const chunks = output.filter(one => one.type === 'chunk');
  const files = new Map(chunks.map(({ fileName, code }) => [fileName, code]));
  const linked = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const outside = linked.filter(name => !files.has(name));
  const modules = [...chunks.flatMap(chunk => chunk.moduleIds), ...outside];
  return { files, entry: chunks.find(chunk => chunk.isEntry)!.fileName, modules };
}
