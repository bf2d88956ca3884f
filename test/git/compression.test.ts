import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { nativeCodec } from '../../src/git/native/codec.ts';
import { type Place, personRepo } from '../helpers/person-repo.ts';

const TEXT = Array.from({ length: 300 }, (_, n) => `line ${n} of ${n * n}\n`).join('');

/** The loose file of an object, as it is on the disk. */
function looseFile(repo: Place, oid: string): Buffer {
  return readFileSync(repo.path('.git/objects', oid.slice(0, 2), oid.slice(2)));
}

describe('objects of an edit', () => {
  it('a blob is deflated once, for the loose file and for the pack', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const { data } = await workspace.session().edit('create', { path: 'b.txt', file_text: TEXT });
    const stream = deflateSync(TEXT, { level: 1 });
    const file = looseFile(repo, data.paths[0]!.version!);
    // Without the headers and sums of zlib.
    expect(file.includes(stream.subarray(2, -4))).toBe(true);
    expect(inflateSync(file).toString()).toBe(`blob ${TEXT.length}\0${TEXT}`);
    expect(repo.git('cat-file', '-p', `${data.commit}:b.txt`)).toBe(TEXT.trim());
    await workspace.close();
    const name = readdirSync(repo.path('.git/objects/pack')).find(one => one.endsWith('.pack'));
    expect(readFileSync(repo.path('.git/objects/pack', name!)).includes(stream)).toBe(true);
    expect(repo.git('fsck', '--strict')).toBe('');
  });

  it('a tree and a commit are stored as they are, and deflated for the pack', async () => {
    const repo = personRepo({ 'a.txt': 'a\n' });
    const workspace = await repo.open();
    const { data } = await workspace.session().edit('create', { path: 'b.txt', file_text: TEXT });
    const commit = repo.git('cat-file', 'commit', data.commit!);
    expect(looseFile(repo, data.commit!).includes(commit)).toBe(true);
    expect(repo.git('fsck', '--strict')).toBe('');
    await workspace.close();
    const name = readdirSync(repo.path('.git/objects/pack')).find(one => one.endsWith('.pack'));
    expect(readFileSync(repo.path('.git/objects/pack', name!)).includes(commit)).toBe(false);
    expect(repo.git('cat-file', 'commit', data.commit!)).toBe(commit);
  });

  // The sums of such bytes are the largest that there are.
  it.each([0, 16_384, 16_385])('of a tree of %i bytes, what is stored inflates to it', async size => {
    const content = new Uint8Array(size).fill(0xff);
    const { deflated } = await nativeCodec.encode('tree', content);
    expect(inflateSync(deflated).equals(Buffer.concat([Buffer.from(`tree ${size}\0`), content]))).toBe(true);
  });
});
