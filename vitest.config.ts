import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { SLOW } from './test/slow.ts';

/** Files or folders that are named on the command line run whole. */
const isNamed = process.argv.some(argument => argument.startsWith('test/'));

/** The page's script and style are those that test/setup.ts has built; a module of their own, so that none is kept. */
const builtPage = {
  name: 'built-page',
  load: (id: string) =>
    id.endsWith('/src/surfaces/web/built.ts')
      ? `export * from ${JSON.stringify(join(import.meta.dirname, 'dist/surfaces/web/built.js'))};`
      : null,
};

export default defineConfig({
  plugins: [builtPage],
  // The example for Agent Zero is tried in the tests, on the engine of src.
  resolve: { alias: [{ find: /^versioned-edit$/, replacement: join(import.meta.dirname, 'src/index.ts') }] },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isNamed ? [] : SLOW)],
    globalSetup: ['test/setup.ts'],
    reporters: isNamed ? ['default'] : ['./test/progress.ts'],
    maxWorkers: '100%',
    // A worker keeps the modules of the engine from file to file: without that, half of the time is spent on loading them.
    isolate: isNamed,
    restoreMocks: true,
    unstubEnvs: true,
    // What a source was transformed to is kept: of the tests' processor time, that is two fifths.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
