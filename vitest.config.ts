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
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
