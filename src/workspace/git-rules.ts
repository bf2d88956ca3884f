/** The files in which git keeps its rules for paths, read afresh for each change: they may be edited like any other. */

import { type Attributes, attributeRules } from '../git/attributes.ts';
import { type Fs, orNull } from '../git/fs.ts';
import { type IgnoreRules, ignoreRules } from '../git/ignore.ts';
import type { Repository } from '../git/repository.ts';

export interface GitRules {
  ignore(): Promise<IgnoreRules>;
  attributes(): Promise<Attributes>;
}

/** The rules of a work tree. `excludesFiles` are absolute paths of further ignore files, such as the user's own. */
export function gitRules(
  fs: Fs,
  repo: Repository,
  workDir: string,
  excludesFiles: readonly string[],
): GitRules {
  const { commonDir, config } = repo;
  const read = (path: string): Promise<string | null> => readText(fs, `${workDir}/${path}`);
  return {
    ignore: async () => {
      const named = config.get('core.excludesfile');
      const files = [`${commonDir}/info/exclude`, ...(isPlain(named) ? [named] : []), ...excludesFiles];
      const texts = await Promise.all(files.map(path => readText(fs, path)));
      const extra = texts.map(text => text ?? '');
      return ignoreRules({ read, extra, ignoreCase: config.bool('core.ignorecase', false) });
    },
    attributes: async () => {
      const named = config.get('core.attributesfile');
      const info = await readText(fs, `${commonDir}/info/attributes`);
      const global = isPlain(named) ? await readText(fs, named) : null;
      return attributeRules({ read, info: info ?? '', global: global ?? '' });
    },
  };
}

/** Only absolute paths: `~` would need the environment, which the library does not read. */
function isPlain(path: string | undefined): path is string {
  return path?.startsWith('/') ?? false;
}

/** The text of a regular file; git does not follow links to its rules. */
async function readText(fs: Fs, path: string): Promise<string | null> {
  if ((await orNull(fs.lstat(path)))?.type !== 'file') return null;
  const bytes = await orNull(fs.readFile(path));
  return bytes && new TextDecoder().decode(bytes);
}
