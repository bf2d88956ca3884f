import { describe, expect, it } from 'vitest';
import { locateRepository } from '../../src/workspace/locate.ts';
import { repository, sandbox } from '../git/real-git.ts';

describe('locateRepository', () => {
  it('finds the top from below, and says how git would call the trail', async () => {
    const box = repository();
    box.write('src/deep/a.txt', 'x');
    box.git('add', '.');
    box.git('commit', '-qm', 'first');
    const { root, config, trail } = await locateRepository(box.path('src', 'deep'));
    expect(root).toBe(box.dir);
    expect(config.get('core.bare')).toBe('false');
    expect([await trail(), await trail('mine'), await trail('HEAD')]).toEqual([
      'vedit/main',
      'vedit/mine',
      'main',
    ]);
    box.git('checkout', '-q', '--detach');
    expect([await trail(), await trail('HEAD')]).toEqual(['vedit/detached', 'HEAD']);
  });

  it('finds a bare repository', async () => {
    const box = repository('--bare');
    const { root, bare, trail } = await locateRepository(box.path('refs'));
    expect([root, bare, await trail()]).toEqual([box.dir, true, 'main']);
  });

  it('says when there is none', async () => {
    await expect(locateRepository(sandbox().dir)).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  });
});
