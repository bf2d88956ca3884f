/** Peak memory of a first read and edit in a repository with a pack of 400 MB, against one in a small repository. */

import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';
import { contentOf, git, makeRepository, pathOf } from './repository.mjs';
import { PLAIN_GIT } from './shell.mjs';

const MIB = 2 ** 20;

/** @returns {Promise<{ small: number, large: number, mebibytes: number }>} medians in bytes, size of the large pack */
export async function measureMemory(folder, { quick }) {
  const mebibytes = quick ? 20 : 400;
  const small = makeRepository(join(folder, 'small-pack'), 1);
  const large = await makeLargeRepository(join(folder, 'large-pack'), mebibytes);
  const peaks = { small: [], large: [] };
  for (let run = 0; run < 5; run++) {
    peaks.small.push(peakOf(small));
    peaks.large.push(peakOf(large));
  }
  return { small: median(peaks.small), large: median(peaks.large), mebibytes };
}

function peakOf(repository) {
  const script = fileURLToPath(new URL('./first-read.mjs', import.meta.url));
  return Number(execFileSync(process.execPath, [script, repository], { encoding: 'utf8' }));
}

/** One commit: a small file, and so many files of a mebibyte that no compression makes smaller. */
async function makeLargeRepository(folder, mebibytes) {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '-q', '-b', 'main']);
  const child = spawn('git', ['-c', 'core.compression=0', 'fast-import', '--quiet', '--done'], {
    cwd: folder,
    env: PLAIN_GIT,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const write = async bytes => {
    if (!child.stdin.write(bytes)) await once(child.stdin, 'drain');
  };
  const text = contentOf(0, 0);
  await write(
    'commit refs/heads/main\ncommitter A Person <person@example.com> 1700000000 +0000\ndata 1\nm\n',
  );
  await write(`M 100644 inline ${pathOf(0)}\ndata ${text.length}\n${text}\n`);
  for (let index = 0; index < mebibytes; index++) {
    await write(`M 100644 inline large/${index}.bin\ndata ${MIB}\n`);
    await write(Buffer.concat([randomBytes(MIB), Buffer.from('\n')]));
  }
  await write('done\n');
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('git fast-import failed');
  git(folder, ['read-tree', 'HEAD']);
  git(folder, ['checkout-index', pathOf(0)]);
  return folder;
}
