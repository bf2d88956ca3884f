/** Work of two agents and a person, drawn by lot. */

import type { Place } from './person-repo.ts';

/** Numbers below a limit, the same ones for the same seed. */
export function lots(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

/** So many steps; those that are refused (a conflict, nothing to undo) are part of it. */
export async function randomWork(repo: Place, draw: (below: number) => number, count = 40): Promise<void> {
  const sessions = [await repo.session('s1'), await repo.session('s2')];
  for (let step = 0; step < count; step++) {
    const session = sessions[draw(2)]!;
    const path = ['a.txt', 'b.txt', 'n.txt'][draw(3)]!;
    const commit = `~${draw(6)}`;
    const line = draw(6);
    const insert = { path, insert_line: line, insert_text: `line ${step}`, base: '@' };
    const steps: ReadonlyArray<() => unknown> = [
      () => session.edit('insert', insert),
      () => session.edit('insert', insert),
      () =>
        session.edit('replace_lines', {
          path,
          start_line: 1,
          end_line: line + 1,
          new_content: `${step}`,
          base: '@',
        }),
      () => session.edit('create', { path, file_text: `made in ${step}\n`, overwrite: draw(2) === 0 }),
      () => session.edit('delete', { path }),
      () => session.edit('move', { path, new_path: `${path}x` }),
      () => session.undo({ count: 1 + draw(2), scope: draw(2) ? 'trail' : 'session' }),
      () => session.redo({ scope: draw(2) ? 'trail' : 'session' }),
      () => session.revert(commit),
      () => session.rollback(commit, draw(2) ? {} : { paths: [path] }),
      () => session.restore({ path, from: commit }),
      () => repo.write(path, `${line ? repo.read(path) : ''}by hand in ${step}\n`),
      () => repo.git('commit', '-qam', `by hand in ${step}`),
    ];
    await Promise.resolve()
      .then(steps[draw(steps.length)])
      .catch(() => {});
  }
}
