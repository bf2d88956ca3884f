import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { EditError } from '../../../src/errors.ts';
import { sharedFs } from '../../../src/fs/shared-fs.ts';
import { sharedMode } from '../../../src/fs/shared-mode.ts';
import { packAway } from '../../../src/git/packs/pack-away.ts';
import { parseConfig } from '../../../src/git/repository/config.ts';
import { History, SMALL } from './history.ts';
import { looseOf, marksOf, packRepository, packsOf, storeOf, writeLoose } from './pack-store.ts';

const TINY = { ...SMALL, folders: 1, files: 2, edited: 2 };

describe('packing away', () => {
  it('leaves the objects in one pack that git takes for its own, and no loose file of them', async () => {
    const { box, store } = packRepository();
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(30)];
    await writeLoose(box, objects);
    const name = await packAway(store, objects);
    expect(packsOf(box)).toEqual([name]);
    expect(packsOf(box, '.idx')).toEqual([name]);
    expect(marksOf(box)).toEqual([name]);
    expect(looseOf(box)).toEqual([]);
    expect(box.git('fsck', '--strict')).toBe('');
    box.git('verify-pack', box.path(`.git/objects/pack/${name}.idx`));
    expect(box.git('rev-list', '--count', 'main')).toBe('31');
    expect(box.git('count-objects', '-v')).toContain('garbage: 0');
  });

  it('touches no other loose object', async () => {
    const { box, store } = packRepository();
    const other = box.pipe('of a person\n', 'hash-object', '-w', '--stdin').toString().trim();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    await packAway(store, objects);
    expect(looseOf(box)).toEqual([other]);
  });

  it('is done again without harm, with loose files and without, in two processes at once', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    const names = await Promise.all([
      packAway(store, objects),
      packAway(storeOf(box.dir), objects),
      packAway(store, objects),
    ]);
    await writeLoose(box, objects);
    names.push(await packAway(store, objects));
    expect(new Set(names).size).toBe(1);
    expect(packsOf(box)).toEqual([names[0]]);
    expect(looseOf(box)).toEqual([]);
    expect(box.git('fsck', '--strict')).toBe('');
  });

  it('of nothing does nothing', async () => {
    const { box, store } = packRepository();
    expect(await packAway(store, [])).toBeNull();
    expect(packsOf(box)).toEqual([]);
  });

  it('heals a pack of the same name that is damaged', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    const name = await packAway(store, objects);
    const path = box.path(`.git/objects/pack/${name}.pack`);
    chmodSync(path, 0o644);
    writeFileSync(path, 'torn');
    await writeLoose(box, objects);
    await packAway(store, objects);
    expect(box.git('fsck', '--strict')).toBe('');
  });

  it('refuses a content that is not that of its id, and removes nothing', async () => {
    const { box, store } = packRepository();
    const objects = new History(TINY).first;
    await writeLoose(box, objects);
    const wrong = objects.with(1, { ...objects[1]!, content: new Uint8Array(3) });
    await expect(packAway(store, wrong)).rejects.toBeInstanceOf(EditError);
    expect(looseOf(box)).toHaveLength(objects.length);
  });

  // A thread cannot set the umask; the mutation tester runs the tests in one.
  it.runIf(isMainThread).each([
    [undefined, 0o022, 0o444],
    [undefined, 0o077, 0o400],
    ['group', 0o077, 0o440],
    ['all', 0o077, 0o444],
    ['0640', 0o022, 0o440],
  ])(
    'gives files the mode that git gives them: core.sharedRepository %s, umask %o',
    async (shared, umask, mode) => {
      const { box, store } = packRepository();
      if (shared) box.git('config', 'core.sharedRepository', shared);
      box.git('commit', '-q', '--allow-empty', '-m', 'x');
      const before = process.umask(umask);
      try {
        box.git('repack', '-q');
        const theirs = packsOf(box)[0]!;
        const config = parseConfig(shared ? `[core]\n\tsharedRepository = ${shared}\n` : '');
        const folders = [box.path('.git')];
        const fs = sharedFs(store.fs, { shared: sharedMode(config), folders, isForWorkTree: () => false });
        const name = await packAway({ ...store, fs }, new History(TINY).first);
        for (const ending of ['.pack', '.idx']) {
          const modeOf = (pack: string): number =>
            statSync(box.path(`.git/objects/pack/${pack}${ending}`)).mode & 0o777;
          expect(modeOf(name!)).toBe(mode);
          expect(modeOf(name!)).toBe(modeOf(theirs));
        }
      } finally {
        process.umask(before);
      }
    },
  );
});

it('the mark says what older versions are known', async () => {
  const { box, store } = packRepository();
  const history = new History(TINY);
  await packAway(store, history.first);
  const name = await packAway(store, history.take(5));
  const { roots, made } = JSON.parse(readFileSync(box.path(`.git/vedit/packs/${name}`), 'utf8'));
  expect(made).toBeGreaterThan(1e12);
  expect(roots.length).toBeGreaterThan(2);
});
