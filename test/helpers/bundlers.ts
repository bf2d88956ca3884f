/** One file for Node, made of a program by each bundler as its users have it: nothing is set that they need not set. */

import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';

export type Format = 'esm' | 'cjs';

export interface Job {
  folder: string;
  /** The program's file, below the folder. */
  entry: string;
  format: Format;
}

const ENDS: Readonly<Record<Format, string>> = { esm: 'mjs', cjs: 'cjs' };
const isOfNode = (id: string): boolean => builtinModules.includes(id.replace(/^node:/, ''));

/** By name: bundles the program and answers the path of the file to run. */
export const NODE_BUNDLERS: Readonly<Record<string, (job: Job) => Promise<string>>> = {
  esbuild: async ({ folder, entry, format }) => {
    const outfile = join(folder, `esbuild.${ENDS[format]}`);
    const entryPoints = [join(folder, entry)];
    await esbuild.build({ entryPoints, outfile, format, bundle: true, platform: 'node', logLevel: 'error' });
    return outfile;
  },
  rolldown: async ({ folder, entry, format }) => {
    const bundle = await rolldown({ input: join(folder, entry), platform: 'node', logLevel: 'silent' });
    return written(folder, 'rolldown', format, bundle);
  },
  rollup: async ({ folder, entry, format }) => {
    const plugins = [nodeResolve({ preferBuiltins: true })];
    const bundle = await rollup({
      input: join(folder, entry),
      plugins,
      external: isOfNode,
      logLevel: 'silent',
    });
    return written(folder, 'rollup', format, bundle);
  },
  webpack: ({ folder, entry, format }) =>
    new Promise((resolve, reject) => {
      const filename = `main.${ENDS[format]}`;
      const modules = format === 'esm' ? { outputModule: true } : {};
      const library = { type: format === 'esm' ? ('module' as const) : ('commonjs2' as const) };
      const optimization = { minimize: false };
      const output = { path: join(folder, `webpack-${format}`), filename, library, module: format === 'esm' };
      const options = {
        mode: 'production',
        target: 'node20',
        context: folder,
        experiments: modules,
      } as const;
      webpack({ ...options, entry: join(folder, entry), output, optimization }, (error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats!.toString('errors-only')));
        else resolve(join(output.path, filename));
      });
    }),
  'vite ssr': async ({ folder, entry, format }) => {
    const outDir = join(folder, `vite-${format}`);
    const rollupOptions = { output: { format, entryFileNames: `main.${ENDS[format]}` } } as const;
    const build = { ssr: join(folder, entry), outDir, target: 'node20', rollupOptions };
    const own = { root: folder, configFile: false, envDir: false, logLevel: 'silent' } as const;
    await vite({ ...own, build, ssr: { noExternal: true } });
    return join(outDir, `main.${ENDS[format]}`);
  },
};

interface Written {
  write(options: {
    dir: string;
    format: Format;
    entryFileNames: string;
    chunkFileNames: string;
  }): Promise<unknown>;
  close(): Promise<void>;
}

async function written(folder: string, name: string, format: Format, bundle: Written): Promise<string> {
  const dir = join(folder, `${name}-${format}`);
  const end = ENDS[format];
  await bundle.write({ dir, format, entryFileNames: `main.${end}`, chunkFileNames: `[name]-[hash].${end}` });
  await bundle.close();
  return join(dir, `main.${end}`);
}

interface Sizes {
  /** All of it, in one file. */
  whole: number;
  /** The files that are loaded first, where what is imported late is in files of its own. */
  first: number;
  /** The same with those that are loaded when a workspace is opened. */
  opened: number;
}

/** Size in bytes of what a program comes to, minified, with the named packages left out. */
export async function bundledSize(folder: string, text: string, external: string[]): Promise<Sizes> {
  writeFileSync(join(folder, 'sized.js'), text);
  const options = { format: 'esm', platform: 'node', bundle: true, minify: true, write: false } as const;
  const own = { ...options, absWorkingDir: folder, external, logLevel: 'error' } as const;
  const entryPoints = ['sized.js'];
  const { outputFiles } = await esbuild.build({ ...own, entryPoints });
  const split = { splitting: true, outdir: 'sized', metafile: true } as const;
  const { outputs } = (await esbuild.build({ ...own, ...split, entryPoints })).metafile;
  const loadedFrom = (entry: RegExp): number => {
    const files = new Set(Object.keys(outputs).filter(path => entry.test(outputs[path]!.entryPoint ?? '')));
    for (const path of files)
      for (const one of outputs[path]!.imports)
        if (one.kind === 'import-statement' && !one.external) files.add(one.path);
    return [...files].reduce((sum, path) => sum + outputs[path]!.bytes, 0);
  };
  return {
    whole: outputFiles[0]!.contents.length,
    first: loadedFrom(/^sized\.js$/),
    opened: loadedFrom(/^sized\.js$|\/chunks\/engine-/),
  };
}
