import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { type HostilePlace, hostilePlace, SECRET } from '../fuzz/hostile-place.ts';

/** A repository may come from somebody else, `.git` and all: what lies in it must not reach out of it. */
async function edited(
  place: HostilePlace,
  options = {},
): Promise<{ code: string | null; trespasses: string[] }> {
  place.trespasses();
  const session = await place.session('s1', options);
  const result = await runTool(session, 'create', { path: 'x.txt', file_text: 'x\n', overwrite: true });
  return { code: result.ok ? null : result.code, trespasses: place.trespasses() };
}

describe('a link in .git', () => {
  it.each([
    ['.git/vedit', 'outside'],
    ['.git/vedit/tmp', 'outside'],
    ['.git/refs/vedit', 'outside'],
    ['.git/logs/refs', 'outside'],
    ['.git/logs/refs/vedit', 'outside'],
    ['.git/logs/refs/vedit/main', 'outside/secret'],
  ])('%s is not followed: nothing is written or removed behind it', async (path, target) => {
    const place = hostilePlace();
    place.git('config', 'core.logAllRefUpdates', 'always');
    mkdirSync(place.path(path, '..'), { recursive: true });
    rmSync(place.path(path), { recursive: true, force: true });
    symlinkSync(place.path('..', target), place.path(path));
    expect(await edited(place)).toEqual({ code: 'UNSUPPORTED_REPOSITORY', trespasses: [] });
    expect(existsSync(place.path('x.txt'))).toBe(false);
  });

  it.each(['.git/logs/HEAD', '.git/refs/heads'])('%s neither, where the branch is the trail', async path => {
    const place = hostilePlace();
    const inside = place.path(path);
    renameSync(inside, place.path('..', 'moved'));
    symlinkSync(place.path('..', 'moved'), inside);
    expect(await edited(place, { trail: 'HEAD' })).toEqual({
      code: 'UNSUPPORTED_REPOSITORY',
      trespasses: [],
    });
  });

  it.each(['.git/vedit/lock', '.git/vedit/journal', '.git/index'])(
    '%s is replaced, not written through',
    async path => {
      const place = hostilePlace();
      mkdirSync(place.path('.git/vedit'), { recursive: true });
      rmSync(place.path(path), { force: true });
      symlinkSync(place.path('..', 'outside', 'secret'), place.path(path));
      await edited(place);
      expect(readFileSync(place.path('..', 'outside', 'secret'), 'utf8')).toBe(SECRET);
      expect(readdirSync(place.path('..', 'outside'))).toEqual(['secret']);
    },
  );
});
