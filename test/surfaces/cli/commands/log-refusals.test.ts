/** vedit log --refusals: what agents tried in vain, where it was kept. */

import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit } from '../../../helpers/vedit.ts';

async function refused(): Promise<Sandbox> {
  const box = personRepo();
  const keep = ['--record-refusals', '--agent', 'fixer'];
  await vedit(box, ['replace', 'a.txt', 'none', '1', ...keep]);
  await vedit(box, ['rm', 'src/gone.txt', ...keep]);
  await vedit(box, ['replace', 'a.txt', 'gone', '1']);
  return box;
}

describe('log --refusals', () => {
  it('tells who tried what and what he was told, newest first', async () => {
    const { out, code } = await vedit(await refused(), ['log', '--refusals']);
    expect(code).toBe(0);
    expect(out).toMatch(
      /^FILE_NOT_FOUND delete src\/gone\.txt, fixer, \S+ \S+ [+-]\d{4}\n {4}\S.*\nNO_MATCH str_replace a\.txt, fixer, .*\n {4}the old text does not occur in a\.txt/s,
    );
  });

  it('fits each on a line, or is JSON, of a file or folder only', async () => {
    const box = await refused();
    const { out } = await vedit(box, ['log', '--refusals', '--oneline', 'src']);
    expect(out).toMatch(/^FILE_NOT_FOUND delete src\/gone\.txt: .+\n$/);
    const { out: json } = await vedit(box, ['log', '--refusals', '--json', '-n', '1', 'a.txt']);
    expect(JSON.parse(json)).toMatchObject({ op: 'str_replace', path: 'a.txt', agent: 'fixer' });
  });
});
