import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deadLock } from '../../../helpers/locks.ts';
import type { Sandbox } from '../../../helpers/real-git.ts';
import { personRepo, vedit, veditJson } from '../../../helpers/vedit.ts';

/** A repository whose lock is that of a container that is gone. */
function locked(): Sandbox {
  const box = personRepo();
  mkdirSync(box.path('.git/vedit'));
  const lock = deadLock({ host: 'c0ffee01', boot: 'another', space: 'pid:[1] time', pid: 7 });
  writeFileSync(box.path('.git/vedit/lock'), JSON.stringify(lock));
  return box;
}

describe('doctor', () => {
  it('tells who holds the lock, and changes nothing', async () => {
    const box = locked();
    const { code, out } = await vedit(box, ['doctor']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('process 7 on c0ffee01') });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const free = await veditJson(personRepo(), ['doctor']);
    expect(free).toMatchObject({ ok: true, exit: 0, data: { lock: { state: 'free' } } });
  });

  it('--unlock asks a person, and only y is yes', async () => {
    const box = locked();
    const asked = { tty: ['in', 'err'] as const };
    const no = await vedit(box, ['doctor', '--unlock'], { ...asked, input: '\n' });
    expect(no.err).toContain('Take the lock from that process? [y/N]');
    expect(no.err).toContain('process 7 on c0ffee01');
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const yes = await vedit(box, ['doctor', '--unlock'], { ...asked, input: 'y\n' });
    expect(yes).toMatchObject({ code: 0, out: expect.stringContaining('and repaired') });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(false);
  });

  it('--unlock without a terminal needs --yes', async () => {
    const box = locked();
    expect(await vedit(box, ['doctor', '--unlock'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('--yes'),
    });
    expect(existsSync(box.path('.git/vedit/lock'))).toBe(true);
    const done = await veditJson(box, ['doctor', '--unlock', '--yes']);
    expect(done).toMatchObject({ ok: true, data: { unlocked: true, lock: { state: 'free' } } });
    expect(await vedit(box, ['doctor', '--unlock'])).toMatchObject({ code: 0 });
  });
});
