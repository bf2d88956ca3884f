/** The file that a change replaced keeps a second name until the change is finished. A power cut may damage it. */

import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { openOn } from '../../../src/workspace/open.ts';
import { processOfBoot } from '../../crash/fault-harness.ts';
import { killedAt } from '../../crash/person.ts';
import { faultFs } from '../../helpers/fault-fs.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';

const OLD = 'one\ntwo\nthree\n';
const NEW = 'one\nTWO\nthree\n';

/** The second name of a.txt, whose edit was killed right after the file was replaced. */
function killed(): { repo: Place; aside: string } {
  const repo = personRepo({ 'a.txt': OLD });
  killedAt(repo, 'after-file');
  const tmp = repo.path('.git/vedit/tmp');
  const name = readdirSync(tmp).find(one => one.endsWith('.was'))!;
  expect(readFileSync(`${tmp}/${name}`, 'utf8')).toBe(OLD);
  return { repo, aside: `${tmp}/${name}` };
}

/** What the answer after the last repair warned of. */
let told: readonly string[] = [];

async function repaired(repo: Place, boot: 'same' | 'other'): Promise<string> {
  const fs = faultFs(nodeFs());
  const platform = { fs, codec: nativeCodec, processes: processOfBoot('another boot') };
  const workspace = await openOn(boot === 'same' ? { ...nodePlatform(), fs } : platform, { root: repo.dir });
  const { data } = await workspace.session().edit('create', { path: 'next.txt', file_text: 'next\n' });
  told = data.warnings ?? [];
  await workspace.close();
  expect(readdirSync(repo.path('.git/vedit/tmp'))).toEqual([]);
  return repo.read('a.txt');
}

const kept = (repo: Place): string[] => {
  const folder = repo.path('.git/vedit/kept');
  return existsSync(folder) ? readdirSync(folder).map(name => readFileSync(`${folder}/${name}`, 'utf8')) : [];
};

const DAMAGES: [string, (path: string) => void, string[]][] = [
  ['is empty', path => truncateSync(path, 0), []],
  ['is all NUL', path => writeFileSync(path, '\0'.repeat(OLD.length)), []],
  ['is the half of what it was', path => truncateSync(path, 6), ['one\ntw']],
  ['is longer, by NUL', path => writeFileSync(path, `${OLD}\0\0`), [`${OLD}\0\0`]],
  ['has a hole', path => writeFileSync(path, 'one\0\0\0\0\0three\n'), ['one\0\0\0\0\0three\n']],
];

it.each(DAMAGES)('one that %s after a power cut is nobody’s text', async (_, damage, aside) => {
  const { repo, aside: path } = killed();
  damage(path);
  expect(await repaired(repo, 'other')).toBe(NEW);
  expect(kept(repo)).toEqual(aside);
  expect(repo.git('show', 'vedit/main:a.txt')).toBe(NEW.trimEnd());
});

it.each([
  ['same', 'one\nmine\nthree\n'],
  ['other', 'one\nmine\nthree\n'],
  // On the same boot no write is lost, so what somebody cut off is theirs.
  ['same', 'one\n'],
] as const)('what somebody wrote into it is kept, and its place told, boot %s: %j', async (boot, text) => {
  const { repo, aside } = killed();
  writeFileSync(aside, text);
  expect(await repaired(repo, boot)).toBe(NEW);
  expect(kept(repo)).toEqual([text]);
  const [name] = readdirSync(repo.path('.git/vedit/kept'));
  expect(told).toContainEqual(
    expect.stringContaining(
      `a.txt in the moment in which it was replaced is kept in ${repo.path('.git/vedit/kept', name!)}`,
    ),
  );
});

it('a text whose place somebody took is kept', async () => {
  const { repo, aside } = killed();
  writeFileSync(aside, 'mine\n');
  writeFileSync(repo.path('a.txt'), 'theirs, and longer\n');
  expect(await repaired(repo, 'same')).toBe('theirs, and longer\n');
  expect(kept(repo)).toEqual(['mine\n']);
});
