import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { Session } from '../../../src/index.ts';
import { type Place, place } from '../../helpers/person-repo.ts';
import { at, sandbox } from '../../helpers/real-git.ts';

/** More than are made between two times that something is kept. */
const EDITS = 66;

/** Does the edit of this number, or is answered that it was done: with the commit that did it. */
async function repeat(session: Session, edit: number): Promise<string | null> {
  const { data } = await session.edit('create', {
    path: 'a.txt',
    overwrite: true,
    file_text: `${edit}\n`,
    edit_id: `call ${edit}`,
  });
  return data.repeated ? data.commit : null;
}

/** One file for each object, so that one can be missing. */
function unpack(repo: Place): void {
  const packs = repo.path('.git/objects/pack');
  const files = readdirSync(packs).map(name => join(packs, name));
  const contents = files.filter(file => file.endsWith('.pack')).map(file => readFileSync(file));
  for (const file of files) rmSync(file);
  for (const content of contents) repo.pipe(content, 'unpack-objects', '-q');
}

describe('edit ids are kept in a file, and', () => {
  let made: Place;
  let commits: string[];

  beforeAll(async () => {
    made = place(at(realpathSync(mkdtempSync(join(tmpdir(), 'vedit-ids-')))));
    made.git('init', '-q', '-b', 'main');
    made.git('commit', '-q', '--allow-empty', '-m', 'start');
    const session = await made.session();
    for (let edit = 0; edit < EDITS; edit++) expect(await repeat(session, edit)).toBeNull();
    await made.close();
    unpack(made);
    commits = made.git('rev-list', '--reverse', 'main..vedit/main').split('\n');
  });

  afterAll(() => rmSync(made.dir, { recursive: true, force: true }));

  /** As another process finds it: what this one remembers is of another folder. */
  function found(): Place {
    const copy = place(sandbox());
    cpSync(made.dir, copy.dir, { recursive: true });
    return copy;
  }

  const fileOf = (repo: Place): string => repo.path('.git/vedit/entries');

  it('another process answers from it, also for what came after it was written', async () => {
    const repo = found();
    const session = await repo.session();
    for (const edit of [0, 1, EDITS - 1]) expect(await repeat(session, edit)).toBe(commits[edit]);
    expect(await repeat(session, EDITS)).toBeNull();
  });

  it('with it no old commit is read', async () => {
    const repo = found();
    const old = commits[20]!;
    rmSync(repo.path('.git/objects', old.slice(0, 2), old.slice(2)));
    expect(await repeat(await repo.session(), 5)).toBe(commits[5]);
  });

  it.each([
    ['gone', () => null],
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    [
      'another in one place',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -1), Buffer.of(bytes.at(-1)! ^ 1)]),
    ],
    [
      'a forgery that fits',
      (bytes: Buffer) => {
        const [right, wrong] = [commits[5]!, commits[9]!].map(commit => Buffer.from(commit, 'hex'));
        const size = bytes.readUInt32BE(8);
        const body = Buffer.from(bytes.subarray(16, 16 + size));
        for (let at = body.indexOf(right!); at >= 0; at = body.indexOf(right!)) body.set(wrong!, at);
        const head = Buffer.from(bytes.subarray(0, 16));
        head.writeUInt32BE((nativeCodec.packing.crc32(body) ^ head.readUInt32BE(4)) >>> 0, 12);
        return Buffer.concat([head, body, bytes.subarray(16 + size)]);
      },
    ],
  ])('where it is %s, the trail itself is asked', async (_what, damage) => {
    const repo = found();
    const file = fileOf(repo);
    const bytes = damage(readFileSync(file));
    if (bytes === null) rmSync(file);
    else writeFileSync(file, bytes);
    const session = await repo.session();
    expect(await repeat(session, 5)).toBe(commits[5]);
    expect(await repeat(session, 5)).toBe(commits[5]);
  });

  it('go with a trail that is deleted', async () => {
    const repo = found();
    const file = fileOf(repo);
    repo.git('update-ref', 'refs/vedit/worktree/gone', 'vedit/main');
    const workspace = await repo.open();
    await workspace.gc({ pruneBefore: new Date(Date.now() + 60_000), unlanded: true });
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/vedit')).toBe('refs/vedit/main');
    expect(existsSync(file)).toBe(false);
  });

  it('where the trail was moved back, what is gone from it can be done again', async () => {
    const repo = found();
    repo.git('update-ref', 'refs/vedit/main', commits[9]!);
    repo.write('a.txt', '9\n');
    const session = await repo.session();
    expect(await repeat(session, 9)).toBe(commits[9]);
    expect(await repeat(session, 10)).toBeNull();
  });
});
