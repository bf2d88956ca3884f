import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { takeEngineLock } from '../../src/fs/lock/engine-lock.ts';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import {
  type SharedMode,
  sharedBits,
  sharedFolderBits,
  sharedFs,
  sharedMode,
} from '../../src/fs/shared-fs.ts';
import { parseConfig } from '../../src/git/repository/config.ts';
import { anotherProcess, scratch } from '../helpers/locks.ts';
import { sandbox } from '../helpers/real-git.ts';

/** What the line `sharedRepository<value>` of a config means. */
const modeOf = (line: string): SharedMode => sharedMode(parseConfig(`[core]\n\tsharedRepository${line}\n`));

/** What git makes in a repository of which core.sharedRepository says this: an object, and its folder. */
function gitModes(line: string): { file: number; folder: number } {
  const box = sandbox();
  box.git('init', '-q', '-b', 'main');
  appendFileSync(box.path('.git/config'), `[core]\n\tsharedRepository${line}\n`);
  const oid = box.pipe('x', 'hash-object', '-w', '--stdin').toString().trim();
  const path = box.path('.git/objects', oid.slice(0, 2));
  return { folder: statSync(path).mode & 0o7777, file: statSync(join(path, oid.slice(2))).mode & 0o7777 };
}

const KNOWN = [
  ...[
    'umask',
    'false',
    'no',
    'off',
    '0',
    '000',
    'group',
    'true',
    'TRUE',
    'yes',
    'on',
    '1',
    '01',
    '0001',
    '9',
    '8',
    '10k',
  ],
  ...[
    'all',
    'world',
    'everybody',
    '2',
    '02',
    '0640',
    '640',
    '00640',
    '0660',
    '0600',
    '0666',
    '0777',
    '3640',
    '03640',
    '04600',
    '06601',
  ],
];

it.each(['', ' =', ...KNOWN.map(value => ` = ${value}`)])(
  'core.sharedRepository%s does to modes what git does',
  line => {
    const shared = modeOf(line);
    const umask = process.umask();
    const folder = sharedFolderBits(0o777 & ~umask, shared);
    expect({ file: sharedBits(0o444 & ~umask, shared), folder }).toEqual(gitModes(line));
  },
);

const UNKNOWN = [
  'nonsense',
  '0077',
  'Group',
  'ALL',
  '12',
  'groups',
  'regroup',
  '1x',
  '12',
  'worldwide',
  'overall',
  '2x',
  'x660',
];

it.each(UNKNOWN)('git refuses to work with %s, and it counts as none', value => {
  expect(() => gitModes(` = ${value}`)).toThrow();
  expect(modeOf(` = ${value}`)).toBeNull();
});

it('the lock and its folder are for the group where the repository is', async () => {
  const folder = scratch();
  const modes = async (shared: string | undefined): Promise<string[]> => {
    const own = join(folder, String(shared));
    mkdirSync(own);
    const lock = await takeEngineLock({
      fs: sharedFs(nodeFs(), {
        shared: shared === undefined ? null : modeOf(` = ${shared}`),
        folders: [folder],
        isForWorkTree: () => false,
      }),
      processes: anotherProcess(),
      folder: own,
      patience: 0,
    });
    const found = ['live', 'lock', `live/${lock.token}`].map(name => statSync(join(own, name)).mode & 0o7777);
    await lock.release();
    return found.map(mode => mode.toString(8));
  };
  expect(await modes('group')).toEqual(['2775', '664', '666']);
  expect(await modes('0640')).toEqual(['2750', '640', '666']);
  const plain = (mode: number): string => (mode & ~process.umask()).toString(8);
  expect(await modes(undefined)).toEqual([plain(0o777), plain(0o666), '666']);
});

it('an umask that shuts others out is kept', () => {
  const script = `process.umask(0o077);
    const { takeEngineLock } = await import(${JSON.stringify(join(import.meta.dirname, '../../dist/fs/lock/engine-lock.js'))});
    const { nodePlatform } = await import(${JSON.stringify(join(import.meta.dirname, '../../dist/git/native/platform.js'))});
    const folder = ${JSON.stringify(scratch())};
    await takeEngineLock({ ...nodePlatform(), folder, patience: 0 });
    const { statSync } = await import('node:fs');
    process.stdout.write((statSync(folder + '/lock').mode & 0o777).toString(8));
    process.exit(0);`;
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toBe(
    '600',
  );
});
