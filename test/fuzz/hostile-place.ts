/** A repository with something outside that must not be touched, and watches on all that a path must never reach. */

import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Place, personRepo } from '../helpers/person-repo.ts';

export const SECRET = 'the secret outside';

export interface HostilePlace extends Place {
  /** What was changed outside the work tree, or in `.git` beyond objects, trail and the engine's own folder. */
  trespasses(): string[];
}

/** `repo` beside `outside/secret`, with files, links and a nested repository. */
export function hostilePlace(): HostilePlace {
  const repo = personRepo({
    'base.txt': 'a\nb\nc\n',
    'src/deep/er/b.ts': 'b\n',
  });
  const top = join(repo.dir, '..');
  mkdirSync(join(top, 'outside'));
  mkdirSync(join(top, 'repo-evil'));
  for (const path of ['outside/secret', 'repo-evil/f', 'x', 'etc']) writeFileSync(join(top, path), SECRET);
  symlinkSync(join(top, 'outside'), repo.path('out'));
  symlinkSync('../outside/secret', repo.path('leak'));
  symlinkSync('.git', repo.path('g'));
  symlinkSync('src', repo.path('inside'));
  mkdirSync(repo.path('nested/.git'), { recursive: true });
  const watched = (): Map<string, string> =>
    new Map([...stateOf(top, ''), ...stateOf(repo.path('.git'), '.git/')]);
  let before = watched();
  return {
    ...repo,
    trespasses: () => {
      const after = watched();
      const paths = new Set([...before.keys(), ...after.keys()]);
      const changed = [...paths].filter(path => before.get(path) !== after.get(path));
      before = after;
      return changed;
    },
  };
}

/** Own folders, where edits may write. */
const OWN = /^(repo|home|\.git\/(objects|vedit|refs\/vedit|logs\/refs\/vedit))(\/|$)/;

function stateOf(folder: string, prefix: string): Map<string, string> {
  const state = new Map<string, string>();
  for (const name of readdirSync(folder)) {
    const path = prefix + name;
    if (OWN.test(path)) continue;
    const stat = lstatSync(join(folder, name));
    if (stat.isDirectory()) {
      state.set(path, `folder ${stat.mode}`);
      for (const [below, value] of stateOf(join(folder, name), `${path}/`)) state.set(below, value);
    } else
      state.set(
        path,
        `${stat.mode} ${stat.ino} ${stat.isFile() ? readFileSync(join(folder, name), 'latin1') : ''}`,
      );
  }
  return state;
}
