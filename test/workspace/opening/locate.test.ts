import { describe, expect, it } from 'vitest';
import { locateRepository } from '../../../src/workspace/opening/locate.ts';
import { repository, sandbox } from '../../helpers/real-git.ts';

describe('locateRepository', () => {
  it('finds the top from below', async () => {
    const box = repository();
    box.write('src/deep/a.txt', 'x');
    box.git('add', '.');
    box.git('commit', '-qm', 'first');
    const { root, config } = await locateRepository(box.path('src', 'deep'));
    expect(root).toBe(box.dir);
    expect(config.get('core.bare')).toBe('false');
  });

  it('finds a bare repository', async () => {
    const box = repository('--bare');
    const { root, bare } = await locateRepository(box.path('refs'));
    expect([root, bare]).toEqual([box.dir, true]);
  });

  it('says when there is none', async () => {
    await expect(locateRepository(sandbox().dir)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  });
});
