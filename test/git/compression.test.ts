import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compressionLevels } from '../../src/git/compression.ts';
import { parseConfig } from '../../src/git/repository/config.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

describe('compressionLevels', () => {
  it.each([
    ['', { loose: 1, pack: -1, fresh: 1 }],
    ['[core]\ncompression = 9\n', { loose: 9, pack: 9, fresh: 9 }],
    ['[core]\ncompression = -1\n', { loose: -1, pack: -1, fresh: -1 }],
    ['[core]\ncompression = 9\nlooseCompression = 0\n', { loose: 0, pack: 9, fresh: 9 }],
    ['[core]\ncompression = 0\n[pack]\ncompression = 3\n', { loose: 0, pack: 3, fresh: 3 }],
    ['[core]\ncompression = 10\n[pack]\ncompression = best\n', { loose: 1, pack: -1, fresh: 1 }],
  ])('%j', (config, levels) => {
    expect(compressionLevels(parseConfig(config))).toEqual(levels);
  });
});

const TEXT = Array.from({ length: 300 }, (_, n) => `line ${n} of ${n * n}\n`).join('');

/** The loose file of an object, as it is on the disk. */
function looseFile(repo: Place, oid: string): Buffer {
  return readFileSync(repo.path('.git/objects', oid.slice(0, 2), oid.slice(2)));
}

describe('objects of an edit', () => {
  it.each([
    [null, 1],
    ['core.compression', 9],
    ['core.looseCompression', 0],
  ])('%s: loose ones are deflated at level %i, as git does it', async (key, level) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    if (key) repo.git('config', key, String(level));
    const workspace = await repo.open();
    const { data } = await workspace.session().edit('create', { path: 'b.txt', file_text: TEXT });
    const file = looseFile(repo, data.paths[0]!.version!);
    expect(file.equals(deflateSync(inflateSync(file), { level }))).toBe(true);
    await workspace.close();
  });

  it.each([
    [null, 1],
    ['core.looseCompression', 1],
    ['core.compression', 9],
    ['pack.compression', 9],
  ])('%s: the pack of a large change is deflated at level %i', async (key, level) => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    if (key) repo.git('config', key, key === 'core.looseCompression' ? '0' : String(level));
    const workspace = await repo.open();
    const text = TEXT.repeat(300);
    await workspace.session().edit('create', { path: 'b.txt', file_text: text });
    const name = readdirSync(repo.path('.git/objects/pack')).find(one => one.endsWith('.pack'));
    const pack = readFileSync(repo.path('.git/objects/pack', name!));
    expect(pack.includes(deflateSync(text, { level }))).toBe(true);
    await workspace.close();
    expect(repo.git('fsck', '--strict')).toBe('');
  });
});
