/** Histories of merges, as git's fast-import makes them. */

import type { Sandbox } from '../helpers/real-git.ts';

/** Commits with one to three parents among those before them, some of whose clocks went wrong, on the branch main. */
export function history(repo: Sandbox, count: number, seed: number): string[] {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  let stream = '';
  for (let n = 0; n < count; n++) {
    const parents = new Set(n === 0 ? [] : [n - 1 - draw(Math.min(n, 4))]);
    while (n > 0 && draw(3) === 0) parents.add(draw(n));
    const time = 1_700_000_000 + n * 10 - (draw(8) === 0 ? 200 : 0);
    const [first, ...others] = [...parents];
    stream += `commit refs/heads/c${n}\nmark :${n + 1}\ncommitter A <a@b.invalid> ${time} +0000\ndata 0\n`;
    if (first !== undefined) stream += `from :${first + 1}\n`;
    stream += others.map(one => `merge :${one + 1}\n`).join('');
    stream += `M 644 inline f${n % 7}\ndata ${String(n).length}\n${n}\n`;
  }
  stream += `reset refs/heads/main\nfrom :${count}\n`;
  repo.pipe(stream, 'fast-import', '--quiet', '--force');
  const refs = repo.git('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads/c*');
  const ids = new Map(refs.split('\n').map(line => line.split(' ') as [string, string]));
  return Array.from({ length: count }, (_, n) => ids.get(`c${n}`)!);
}
