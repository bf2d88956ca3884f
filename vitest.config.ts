import { configDefaults, defineConfig } from 'vitest/config';
import { SLOW } from './test/slow.ts';

/** Files or folders that are named on the command line run whole. */
const isNamed = process.argv.some(argument => argument.startsWith('test/'));

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(isNamed ? [] : SLOW)],
    globalSetup: ['test/setup.ts'],
    maxWorkers: '100%',
    // What a source was transformed to is kept: of the tests' processor time, that is two fifths.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
