/** Chooses how hard objects are compressed: git's own defaults, and what its config says (git-config(1), core.compression). */

import type { CompressionLevels } from './objects/object.ts';
import type { Config } from './repository/config.ts';

/** zlib's Z_BEST_SPEED, git's default for loose objects: a tenth of the time of the default, and a fifth more bytes. */
const FASTEST = 1;
/** Without any config. What is new is written fast, as git writes it loose; a repack makes it smaller. */
export const DEFAULT_LEVELS: CompressionLevels = { loose: FASTEST, pack: FASTEST };

/**
 * The levels by `core.compression`, `core.looseCompression` and `pack.compression`. A value that is not a level counts
 * as none: git itself refuses to run with it.
 */
export function compressionLevels(config: Pick<Config, 'get'>): CompressionLevels {
  const all = levelIn(config, 'core.compression');
  const loose = levelIn(config, 'core.loosecompression') ?? all ?? DEFAULT_LEVELS.loose;
  const pack = levelIn(config, 'pack.compression') ?? all;
  return { loose, pack: pack ?? DEFAULT_LEVELS.pack };
}

function levelIn(config: Pick<Config, 'get'>, key: string): number | undefined {
  const value = config.get(key)?.trim() ?? '';
  return /^(-1|\+?0*\d)$/.test(value) ? Number(value) : undefined;
}
