import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** What agents tell their hooks, by the newest packages of their vendors, which this gets from the package registry. */
export default defineConfig({
  plugins: usual.plugins ?? [],

  test: { ...usual.test, include: ['test/payloads/*.vendors.ts'], exclude: [] },
});
