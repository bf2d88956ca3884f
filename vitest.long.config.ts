import { defineConfig } from 'vitest/config';

/** The long forms: every point, of which the normal tests try some. */
export default defineConfig({
  test: {
    include: [
      'test/**/*.long.ts',
      'test/stores/disk-crash.test.ts',
      'test/repositories/line-ends-crash.test.ts',
    ],
    env: { VEDIT_LONG: 'yes' },
    globalSetup: ['test/setup.ts', 'test/crash/summary.ts'],
    maxWorkers: '100%',
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
});
