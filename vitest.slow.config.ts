import { mergeConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** Tests that take long: real processes that are killed, a fault at every seventh call, thousands of patches beside git. */
export default mergeConfig(
  { ...usual, test: { ...usual.test, include: [] } },
  { test: { include: ['test/**/*.slow.ts'], testTimeout: 240_000 } },
);
