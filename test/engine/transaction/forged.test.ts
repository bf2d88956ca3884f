/** A journal comes with the repository that somebody else made: whatever it says, in due form, does no harm. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Journal } from '../../../src/engine/transaction/journal/journal.ts';
import { type ChangeRecord, carriedObjects } from '../../../src/engine/transaction/journal/record.ts';
import { EditError } from '../../../src/errors.ts';
import type { Fs } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import type { LooseObject } from '../../../src/git/objects/loose.ts';
import type { Codec } from '../../../src/git/objects/object.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { killedAt } from '../../crash/person.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { overriding } from '../../helpers/overriding.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

type Json = null | number | string | boolean | Json[] | { [key: string]: Json };
type Data = { [key: string]: Json };

const VALUES: readonly Json[] = [
  null,
  -1,
  1e300,
  '',
  'x',
  [],
  [null],
  {},
  '../../x',
  '.git/config',
  '.git/hooks/pre-commit',
  'refs/../../x',
  'refs/vedit/../../config',
  'a\0b',
  'x'.repeat(5000),
];

/** Every value of the data replaced by every one of these, or left out. */
function* forgeries(data: Json): Generator<Json | undefined> {
  yield* VALUES;
  if (typeof data !== 'object' || data === null) return;
  for (const [key, value] of Object.entries(data)) {
    for (const forged of [undefined, ...forgeries(value)]) {
      const copy = (Array.isArray(data) ? [...data] : { ...data }) as Data;
      if (forged === undefined) delete copy[key];
      else copy[key] = forged;
      yield copy;
    }
  }
}

interface Written {
  data: Data;
  objects: readonly LooseObject[];
}

/** A repository with the record of an edit that was killed, and that record. */
async function killedRepo(): Promise<{ repo: Place; record: Written }> {
  const repo = personRepo({ 'a.txt': 'one\ntwo\n' });
  repo.git('config', 'vedit.trail', 'HEAD');
  killedAt(repo, 'after-ref');
  const [file] = await journalOf(repo).readAll();
  for (const lock of ['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
    rmSync(repo.path('.git', lock), { force: true });
  return { repo, record: file!.records[0]! };
}

function journalOf(repo: Place): Journal<Data> {
  return new Journal({ fs: nodeFs(), codec: nativeCodec, folder: repo.path('.git/vedit') });
}

function removeJournals(repo: Place): void {
  for (const name of readdirSync(repo.path('.git/vedit')))
    if (/^journal|^lock$/.test(name)) rmSync(repo.path('.git/vedit', name));
}

async function writeJournal(repo: Place, header: Data, record: Written): Promise<void> {
  removeJournals(repo);
  const journal = journalOf(repo);
  await journal.begin({ token: 'x', seal: null, ...header } as never, 1);
  await journal.append(record);
  await journal.close();
}

/** Opens it as a process of this boot, edits, and answers the codes of what was refused. */
async function used(repo: Place, boot: string, fs: Fs = faultFs(nodeFs())): Promise<string[]> {
  const codes: string[] = [];
  const note = (error: { code: string }): null => {
    codes.push(error.code);
    return null;
  };
  const platform = { fs, codec: nativeCodec, processes: processOfBoot(boot) };
  const workspace = await openOn(platform, { root: repo.dir }).catch(note);
  if (!workspace) return codes;
  const edit = { path: 'next.txt', file_text: `${Math.random()}\n`, overwrite: true };
  await workspace.session().edit('create', edit).catch(note);
  await workspace.close();
  return codes;
}

/** Everything that no record may touch. */
function guarded(repo: Place): unknown {
  const refs = repo.git('for-each-ref', '--format=%(refname)').split('\n');
  return [
    readFileSync(repo.path('.git/config'), 'utf8'),
    readdirSync(repo.path('.git'))
      .filter(name => !/^(vedit|index|logs|COMMIT_EDITMSG)$/.test(name))
      .sort(),
    existsSync(repo.path('.git/hooks/pre-commit')),
    readdirSync(repo.path('..')),
    refs.filter(ref => !/^refs\/(heads|vedit|vedit-kept)\//.test(ref)),
    readdirSync(repo.dir)
      .filter(name => name !== 'next.txt')
      .sort(),
  ];
}

const KNOWN = new Set(['CORRUPT', 'UNSUPPORTED_REPOSITORY']);

it.each(['first', 'other'])('no record with a forged value does harm, boot %s', async boot => {
  const { repo, record } = await killedRepo();
  const before = guarded(repo);
  const all = [...forgeries(record.data)];
  const stride = (boot === 'first' ? 21 : 11) * (process.env.VEDIT_LONG ? 1 : 5);
  for (let i = 0; i < all.length; i += stride) {
    await writeJournal(repo, { boot: 'first' }, { ...record, data: all[i] as Data });
    const codes = await used(repo, boot);
    const shown = JSON.stringify(all[i])?.slice(0, 1500);
    expect([shown, codes.filter(code => !KNOWN.has(code)), guarded(repo)]).toEqual([shown, [], before]);
  }
  removeJournals(repo);
  expect(await used(repo, boot)).toEqual([]);
  expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
});

it('of which the paths are left out is CORRUPT, where its file cannot be put in place', async () => {
  const { repo, record } = await killedRepo();
  const real = nodeFs();
  const busy = async (from: string, to: string): Promise<void> => {
    if (to.endsWith('/a.txt')) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
    await real.rename(from, to);
  };
  await writeJournal(repo, { boot: 'first' }, { ...record, data: { ...record.data, paths: [] } });
  const journal = readFileSync(repo.path('.git/vedit/journal.1'));
  expect(await used(repo, 'first', overriding(real, { rename: busy }))).toEqual(['CORRUPT']);
  expect(readFileSync(repo.path('.git/vedit/journal.1')).equals(journal)).toBe(true);
});

it('no forged header does harm', async () => {
  const { repo, record } = await killedRepo();
  const before = guarded(repo);
  const header = { boot: 'first', salt: 'x', token: 'x', seal: { file: 1, length: 5, sum: 'x' }, format: 2 };
  for (const forged of forgeries(header)) {
    if (typeof forged !== 'object' || forged === null) continue;
    await writeJournal(repo, forged as Data, record);
    const codes = await used(repo, 'first');
    expect([forged, codes.filter(code => !KNOWN.has(code)), guarded(repo)]).toEqual([forged, [], before]);
  }
});

it('of objects that inflate to more than any change has no more is inflated than that', async () => {
  const { record } = await killedRepo();
  const asked: number[] = [];
  const LARGE = 600 * 2 ** 20;
  const codec: Codec = {
    ...nativeCodec,
    inflate: async (_, most = Number.POSITIVE_INFINITY) => {
      asked.push(most);
      if (most < LARGE) throw new EditError('TOO_LARGE', 'too large', { limit: LARGE });
      return new Uint8Array(LARGE);
    },
  };
  const objects = [...record.objects, ...record.objects];
  const data = { ...record.data, exact: [] } as unknown as ChangeRecord;
  for await (const one of carriedObjects(codec, { data, objects })) expect(one).toBe('none');
  expect(asked).toHaveLength(2);
  expect(asked[0]).toBeLessThan(2 * LARGE);
  expect(asked[1]).toBe(asked[0]! - LARGE);
});

const OBJECTS: [string, (record: Written) => unknown][] = [
  ['no list', () => 5],
  ['no pairs', () => [5, null]],
  ['ids that are none', () => [['../../x', 3]]],
  ['a negative length', ({ objects }) => [[objects[0]!.oid, -1]]],
  ['a huge length', ({ objects }) => [[objects[0]!.oid, 2 ** 40]]],
  ['a length that is none', ({ objects }) => [[objects[0]!.oid, 'x']]],
];

it.each(OBJECTS)('a list of objects with %s is CORRUPT, and the journal stays', async (_, list) => {
  const { repo, record } = await killedRepo();
  await writeRaw(repo, JSON.stringify({ data: record.data, objects: list(record) }));
  const journal = readFileSync(repo.path('.git/vedit/journal.1'));
  expect(new Set(await used(repo, 'first'))).toEqual(new Set(['CORRUPT']));
  expect(readFileSync(repo.path('.git/vedit/journal.1')).equals(journal)).toBe(true);
});

it.each(['', 'x', '{', 'null', '[]', '5', '{"data":{}}'])('JSON that says %s is CORRUPT', async json => {
  const { repo } = await killedRepo();
  await writeRaw(repo, json);
  expect(new Set(await used(repo, 'first'))).toEqual(new Set(['CORRUPT']));
});

/** A frame in due form with any JSON. */
async function writeRaw(repo: Place, json: string): Promise<void> {
  removeJournals(repo);
  const journal = journalOf(repo);
  await journal.begin({ boot: 'first', token: 'x', seal: null }, 1);
  const { sum } = journal.end!;
  await journal.close();
  const payload = Buffer.concat([number4(Buffer.byteLength(json)), Buffer.from(json)]);
  const frame = Buffer.concat([number4(payload.length), number4(1), payload]);
  const own = nativeCodec.sha1(Buffer.concat([Buffer.from(sum, 'hex'), frame]));
  writeFileSync(
    repo.path('.git/vedit/journal.1'),
    Buffer.concat([
      readFileSync(repo.path('.git/vedit/journal.1')),
      frame,
      Buffer.from((await own) as string, 'hex'),
    ]),
  );
}

function number4(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

it('a journal of a newer format is refused and stays as it is, alone and after one of ours', async () => {
  const { repo } = await killedRepo();
  const newer = Buffer.from('vedit journal 4\nwhatever it holds');
  for (const alone of [false, true]) {
    if (alone) removeJournals(repo);
    writeFileSync(repo.path('.git/vedit/journal.2'), newer);
    const names = readdirSync(repo.path('.git/vedit'));
    for (const boot of ['first', 'other']) {
      const refused = used(repo, boot);
      expect(await refused).toEqual(['UNSUPPORTED_REPOSITORY']);
    }
    expect(readFileSync(repo.path('.git/vedit/journal.2')).equals(newer)).toBe(true);
    expect(readdirSync(repo.path('.git/vedit'))).toEqual(names);
  }
});

it('an open workspace refuses edits too when a newer version leaves its journal, and goes on when that has gone', async () => {
  const repo = personRepo({ 'a.txt': 'one\n' });
  const workspace = await repo.open();
  const session = workspace.session();
  await session.edit('create', { path: 'b.txt', file_text: 'b\n' });
  const [own] = readdirSync(repo.path('.git/vedit')).flatMap(
    name => /^journal\.(\d+)$/.exec(name)?.[1] ?? [],
  );
  const newer = repo.path(`.git/vedit/journal.${Number(own) + 1}`);
  writeFileSync(newer, 'vedit journal 10\n');
  const edit = () => session.edit('create', { path: 'c.txt', file_text: 'c\n' });
  await expect(edit()).rejects.toMatchObject({
    code: 'UNSUPPORTED_REPOSITORY',
    message: expect.stringContaining('nothing was touched'),
  });
  expect((await session.view({ path: 'a.txt' })).message).toContain('one');
  expect(readFileSync(newer, 'utf8')).toBe('vedit journal 10\n');
  rmSync(newer);
  await edit();
  await workspace.close();
});
