/** A process that swaps a folder for a link that leads out, as fast as it can, while sessions edit below that folder. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../../src/index.ts';
import { personRepo } from '../helpers/person-repo.ts';
import type { Tally } from './tally.ts';

/**
 * In a moment without `d` the engine may make a new folder of that name, which is cleared away. It rests now and then,
 * on the link and on the folder: where it is much faster than the engine, no call would ever be done.
 */
const SWAPPER = `
  const { renameSync, rmSync } = require('node:fs');
  const root = process.argv[1];
  const attempt = action => { try { action(); return true; } catch { return false; } };
  const rename = (from, to) => {
    for (let n = 0; n < 1000 && !attempt(() => renameSync(root + '/' + from, root + '/' + to)); n++)
      attempt(() => rmSync(root + '/' + to, { recursive: true, force: true }));
  };
  const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  process.stdout.write('ready');
  const parent = process.ppid;
  for (let swaps = 1; process.ppid === parent; swaps++) {
    const rests = swaps % 200 === 0;
    rename('d', 'folder'); rename('link', 'd');
    if (rests) rest();
    rename('d', 'link'); rename('folder', 'd');
    if (rests) { rest(); process.stdout.write('.'); }
  }
`;

/**
 * Edits for so many milliseconds, on a busy machine for up to half a minute, until one call is done and one refused.
 * What lands outside, or comes from there, is lost.
 */
export async function swapRace(milliseconds: number): Promise<Tally> {
  const repo = personRepo({ 'd/f': 'inside\n', 'folderless.txt': 'x\n' });
  const outside = repo.path('..', 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'f'), 'outside');
  symlinkSync(outside, repo.path('link'));
  const swapper = spawn(process.execPath, ['-e', SWAPPER, repo.dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(swapper, 'exit');
  let dots = 0;
  await new Promise<void>(ready =>
    swapper.stdout.on('data', (text: Buffer) => {
      dots += text.length;
      ready();
    }),
  );
  const counts = { done: 0, refused: 0 };
  const session = await repo.session('s1', { patience: { engine: 1000, git: 300 } });
  const end = Date.now() + milliseconds;
  const last = end + 30_000;
  const lost: string[] = [];
  const raced = () => counts.done > 0 && counts.refused > 0;
  for (let n = 0; Date.now() < end || (!raced() && Date.now() < last); n++) {
    for (const [tool, input] of [
      ['create', { path: 'd/f', file_text: `inside ${n}\n`, overwrite: true }],
      ['create', { path: `d/new-${n}`, file_text: 'new\n' }],
      ['create', { path: `d/deep-${n}/x`, file_text: 'new\n' }],
      ['delete', { path: 'd/f' }],
      ['view', { path: 'd/f' }],
    ] as const) {
      const result = await runTool(session, tool, input);
      counts[result.ok ? 'done' : 'refused']++;
      if (JSON.stringify(result).includes('outside\\n') || (result.ok && /\toutside/.test(result.message)))
        lost.push(`${tool} told what is outside`);
      if (!result.ok && result.code === 'INTERNAL_ERROR') lost.push(result.message);
    }
  }
  swapper.kill('SIGKILL');
  await gone;
  const names = readdirSync(outside);
  if (names.join() !== 'f') lost.push(`outside has ${names.join()}`);
  if (names.includes('f') && readFileSync(join(outside, 'f'), 'utf8') !== 'outside')
    lost.push('outside/f was written');
  const fsck = repo.git('fsck', '--strict', '--no-dangling');
  if (fsck !== '') lost.push(fsck);
  if (!raced()) lost.push(`no race came about: ${JSON.stringify(counts)}`);
  const notes = `${dots * 200} swaps, ${counts.done} calls done, ${counts.refused} refused, ${names.length - 1} files out`;
  return { name: 'folder swapped for a link', tried: counts.done + counts.refused, lost, notes };
}
