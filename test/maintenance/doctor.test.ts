import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { takeEngineLock } from '../../src/fs/lock/engine-lock.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { anotherProcess, deadLock, stranger } from '../helpers/locks.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

function locked(changes: object): { repo: Place; token: string } {
  const repo = personRepo({ 'a.txt': 'a\n' });
  const lock = deadLock(changes);
  mkdirSync(repo.path('.git/vedit'));
  writeFileSync(repo.path('.git/vedit/lock'), JSON.stringify(lock));
  return { repo, token: lock.token };
}

const ELSEWHERE = { host: 'c0ffee01', boot: 'another', space: 'pid:[1] time', pid: 7 };

describe('doctor', () => {
  it('says that the lock is free', async () => {
    const workspace = await personRepo({}).open();
    const { message, data } = await workspace.doctor();
    expect(message).toContain('the lock is free');
    expect(data).toMatchObject({ lock: { state: 'free', token: null }, interrupted: false, unlocked: false });
    await workspace.close();
  });

  it('opens a repository whose journal is damaged, which can be read and not edited until the file is moved away', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const before = await repo.open();
    await before.session({ agent: 'x' }).edit('create', { path: 'b.txt', file_text: 'b\n' });
    const name = readdirSync(repo.path('.git/vedit')).find(entry => entry.startsWith('journal.'))!;
    const journal = repo.path(`.git/vedit/${name}`);
    const bytes = readFileSync(journal);
    await before.close();
    bytes[40]! ^= 1;
    writeFileSync(journal, bytes);
    const workspace = await repo.open();
    const { message, data } = await workspace.doctor();
    expect(data).toMatchObject({ lock: { state: 'free' }, interrupted: null });
    expect(message).toContain('move that file out of the repository');
    const edit = { path: 'a.txt', old_str: 'a', new_str: 'b' };
    const session = workspace.session({ agent: 'x' });
    expect((await session.view({ path: 'a.txt' })).message).toContain('1\ta');
    await expect(session.edit('str_replace', edit)).rejects.toMatchObject({
      code: 'CORRUPT',
      message: data.journal_damage,
    });
    rmSync(journal);
    await session.edit('str_replace', edit);
    expect((await workspace.doctor()).data).toMatchObject({ interrupted: false, journal_damage: null });
    await workspace.close();
  });

  it('says who is dead, and that the next edit takes the lock over', async () => {
    const { repo } = locked({});
    const { message, data } = await (await repo.open()).doctor();
    expect(data.lock).toMatchObject({ state: 'dead', told_by: expect.stringContaining('has ended') });
    expect(message).toContain('the next edit takes the lock over');
  });

  it('says what it cannot tell, and takes the lock when it is told to whose it is', async () => {
    const { repo, token } = locked(ELSEWHERE);
    const workspace = await repo.open();
    const found = await workspace.doctor();
    expect(found.data.lock).toMatchObject({ state: 'unknown', token, holder: { pid: 7, host: 'c0ffee01' } });
    expect(found.message).toContain('process 7 on c0ffee01');
    expect((await workspace.doctor({ unlock: '0'.repeat(24) })).data.unlocked).toBe(false);
    const { message, data } = await workspace.doctor({ unlock: token });
    expect(data).toMatchObject({ lock: { state: 'free' }, unlocked: true });
    expect(message).toContain('taken from process 7 on c0ffee01, and repaired');
    await workspace.close();
  });

  it('leaves the lock to an owner that lives', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    mkdirSync(repo.path('.git/vedit'));
    const folder = repo.path('.git/vedit');
    const lock = await takeEngineLock({ fs: nodeFs(), processes: anotherProcess(), folder, patience: 0 });
    const workspace = await repo.open();
    const { data } = await workspace.doctor();
    expect(data.lock.state).toBe('alive');
    // An owner that is busy accepts, and says later since when.
    const since = async (): Promise<unknown> => (await workspace.doctor()).data.lock.since;
    await expect.poll(since, { timeout: 10_000 }).toMatch(/^\d{4}-/);
    await expect(workspace.doctor({ unlock: data.lock.token! })).rejects.toMatchObject({ code: 'LOCKED' });
    expect(await lock.isMine()).toBe(true);
    await lock.release();
    await workspace.close();
  });

  it('an owner whose lock was taken notices', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    mkdirSync(repo.path('.git/vedit'));
    const folder = repo.path('.git/vedit');
    const lock = await takeEngineLock({ fs: nodeFs(), processes: stranger('far'), folder, patience: 0 });
    const workspace = await repo.open();
    expect((await workspace.doctor({ unlock: lock.token })).data.unlocked).toBe(true);
    expect(await lock.isMine()).toBe(false);
    await lock.release();
    await workspace.close();
  });
});
