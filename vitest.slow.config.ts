import { defineConfig } from 'vitest/config';
import { SLOW } from './test/slow.ts';
import usual from './vitest.config.ts';

/** The tests that take long: processes that are killed, a fault at every seventh call, a real browser, patches beside git. */
export default defineConfig({
  plugins: usual.plugins ?? [],
  resolve: usual.resolve ?? {},
  test: { ...usual.test, include: [...SLOW], exclude: [], isolate: true },
});
