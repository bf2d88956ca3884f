import { chmodSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { sharedFs, sharedMode } from '../../../src/fs/shared-fs.ts';
import { sweepDrafts } from '../../../src/git/packs/store-pack.ts';
import { parseConfig } from '../../../src/git/repository/config.ts';
import { History, SMALL } from './history.ts';
import { draftsOf, looseOf, packAway, packRepository, packsOf, storeOf, writeLoose } from './pack-store.ts';

const TINY = { ...SMALL, folders: 1, files: 2, edited: 2 };

describe('storing a pack', () => {
  it('leaves the objects in one pack that git takes for its own, and no loose file of them', async () => {
    const { box, store } = packRepository();
    const history = new History(SMALL);
    const objects = [...history.first, ...history.take(30)];
    await writeLoose(box, objects);
    const name = await packAway(store, objects);
    expect(packsOf(box)).toEqual([name]);
    expect(packsOf(box, '.idx')).toEqual([name]);
    expect(draftsOf(box)).toEqual([]);
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

it('what a crash left of a pack goes an hour later, the pack too where it has no index', async () => {
  const { box, store } = packRepository();
  const name = await packAway(store, new History(TINY).first);
  const whole = packsOf(box);
  const [lost, other] = ['1', '2'].map(digit => `pack-${digit.repeat(40)}`);
  const drafts = [
    `${store.token}.7.${lost}.idx`,
    `${store.token}.8.${other}.pack`,
    `${store.token}.9.${name}.idx`,
  ];
  mkdirSync(box.path('.git/vedit/packs'), { recursive: true });
  for (const draft of drafts) writeFileSync(box.path('.git/vedit/packs', draft), 'x');
  writeFileSync(box.path(`.git/objects/pack/${lost}.pack`), 'x');
  await sweepDrafts(store);
  expect([draftsOf(box).length, packsOf(box).length]).toEqual([3, 2]);
  const old = Date.now() / 1000 - 7200;
  for (const draft of drafts) utimesSync(box.path('.git/vedit/packs', draft), old, old);
  for (const pack of packsOf(box)) utimesSync(box.path(`.git/objects/pack/${pack}.pack`), old, old);
  await sweepDrafts(store);
  expect([draftsOf(box), packsOf(box)]).toEqual([[], whole]);
});
