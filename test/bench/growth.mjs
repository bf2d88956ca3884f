/** What very many edits leave in a repository: loose files at any moment, bytes beside those of `git gc`, and slow edits. */

import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plainRow } from './report.mjs';
import { copyRepository, git, makeRepository } from './repository.mjs';

const FILES = 1_000;

/** With git on the path, whose `gc --auto` joins the packs of checkpoints, and without. */
export async function measureGrowth(folder, { quick }) {
  const edits = quick ? 1_000 : 100_000;
  return [
    ...(await growthOf(join(folder, 'growth'), `${edits} edits`, edits, process.env)),
    ...(await growthOf(join(folder, 'growth-alone'), `${edits} edits, no git`, edits, { PATH: '' })),
  ];
}

async function growthOf(folder, named, edits, env) {
  const repository = makeRepository(folder, FILES);
  const script = new URL('./growing.mjs', import.meta.url);
  const child = fork(script, [repository, String(FILES), String(edits)], { env });
  const ended = once(child, 'exit');
  let [most, told] = [0, null];
  child.on('message', message => {
    most = Math.max(most, looseIn(repository));
    told = message.done ? message : told;
  });
  await ended;
  if (!told) throw new Error('growth: the child process failed');
  const own = bytesIn(repository);
  const packed = copyRepository(repository, `${folder}-gc`);
  git(packed, ['gc', '-q', '--prune=now']);
  const row = (what, against, value, other, unit, target) =>
    plainRow({
      what: `${named}: ${what}`,
      against,
      value,
      other,
      unit,
      ratio: value / other,
      target: { at: 'most', value: target },
    });
  return [
    row('most loose objects', 'at most', most, 5_000, 'files', 1),
    row('bytes of the repository', 'after git gc', own / 1e6, bytesIn(packed) / 1e6, 'MB', 4),
    row('longest edit', 'median', told.longest, told.median, 'ms', 20),
  ];
}

function looseIn(repository) {
  const objects = join(repository, '.git/objects');
  const folders = readdirSync(objects).filter(name => /^[0-9a-f]{2}$/.test(name));
  return folders.reduce((sum, name) => sum + readdirSync(join(objects, name)).length, 0);
}

/** Disk blocks, as du counts them. */
function bytesIn(repository) {
  const [kilobytes] = execFileSync('du', ['-sk', join(repository, '.git')], { encoding: 'utf8' }).split('\t');
  return Number(kilobytes) * 1024;
}
