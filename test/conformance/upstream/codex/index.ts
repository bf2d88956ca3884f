/** Codex's `apply_patch` (codex-rs/apply-patch: its parser, its scenarios, its unit tests). */

import type { UpstreamCase } from '../case.ts';
import { FILES } from './files.ts';
import { HUNKS } from './hunks.ts';
import { SHAPES } from './shapes.ts';

export const CODEX: readonly UpstreamCase[] = [...FILES, ...HUNKS, ...SHAPES].map(
  ([name, input, before, after, other]) => ({
    from: 'Codex',
    name,
    edit: 'apply_patch',
    input,
    before,
    after,
    ...(other ? { instead: other } : {}),
  }),
);
