import { defineConfig } from 'vitest/config';
import usual from './vitest.config.ts';

/** The clients themselves, which this installs from the package registry: VEDIT_CLIENT=codex,gemini chooses some. */
export default defineConfig({
  plugins: usual.plugins ?? [],

  test: { ...usual.test, include: ['test/clients/*.clients.ts'], exclude: [], hookTimeout: 600_000 },
});
