/**
 * An earlier version and this one at once on one repository. One with the same journal edits along, and each reads, checks
 * and undoes what the other wrote; one with an older journal is refused, and changes nothing. `npm run test:versions`, or
 * with the commits of other versions; they are built below the folder for temporary files.
 */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** 0.1.0 with journals of format 2, on 2026-11-22, and the first with format 3. */
const EARLIER = process.argv.length > 2 ? process.argv.slice(2) : ['f331765b', '9374badc'];
const EDITS = Number(process.env.EDITS ?? 200);

const run = (command, args, cwd) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });

/** Answers the entry of a version, which is built unless it was before. */
function built(commit) {
  const folder = join(tmpdir(), `vedit-${commit}`);
  const entry = join(folder, 'dist/index.js');
  if (existsSync(entry)) return entry;
  mkdirSync(folder, { recursive: true });
  run('git', ['archive', '-o', join(folder, 'all.tar'), commit], ROOT);
  run('tar', ['-xf', 'all.tar'], folder);
  run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  run('npm', ['run', 'build'], folder);
  return entry;
}

/** Edits a file of its own and a shared one, in turn; prints the code where it is refused for good. */
const PROGRAM = `
const [entry, root, name, edits] = process.argv.slice(1);
const { openWorkspace } = await import(entry);
let workspace;
let session;
const insert = async text => {
  await session.view({ path: 'shared.txt' });
  await session.edit('insert', { path: 'shared.txt', insert_line: 0, insert_text: text }).catch(error => {
    if (error.code !== 'STALE' && error.code !== 'LOCKED') throw error;
    return insert(text);
  });
};
try {
  workspace = await openWorkspace({ root });
  session = workspace.session({ agent: name });
  for (let n = 0; n < edits; n++) {
    await session.edit('create', { path: name + '.txt', file_text: name + n, overwrite: true });
    await insert(name + n + '\\n');
  }
  await session.undo();
  const { sound } = (await workspace.verify()).data;
  console.log(sound ? 'done' : 'verify found a fault');
} catch (error) {
  console.log(error.code ?? error.stack);
}
await workspace?.close().catch(() => {});
`;

/** Answers the word that the program prints last. */
const edit = (entry, root, name, edits) =>
  new Promise(resolve => {
    const args = ['--input-type=module', '-e', PROGRAM, entry, root, name, edits];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', chunk => {
      said += chunk;
    });
    child.on('close', () => resolve(said.trim()));
  });

async function together(commit) {
  const [old, own] = [built(commit), join(ROOT, 'dist/lib/index.js')];
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-two-versions-')));
  const { initRepository, openWorkspace } = await import(own);
  await initRepository({ root });
  const first = await openWorkspace({ root });
  await first.session({}).edit('create', { path: 'shared.txt', file_text: 'end\n' });
  await first.close();
  const atOnce = await Promise.all([edit(old, root, 'old', EDITS), edit(own, root, 'own', EDITS)]);
  const after = [await edit(old, root, 'old', 2), await edit(own, root, 'own', 2)];
  const workspace = await openWorkspace({ root });
  const { entries } = (await workspace.session({}).log({})).data;
  const { sound } = (await workspace.verify()).data;
  await workspace.close();
  run('git', ['fsck', '--strict', '--no-dangling'], root);
  const edits = { old: 0, own: 0 };
  for (const { agent } of entries) if (agent) edits[agent]++;
  return { commit, atOnce, after, sound, edits };
}

const EACH = 2 * (EDITS + 2) + 2;
for (const commit of EARLIER) {
  const { atOnce, after, sound, edits } = await together(commit);
  console.log(JSON.stringify({ commit, atOnce, after, sound, edits }));
  const isRefused = atOnce[0] === 'UNSUPPORTED_REPOSITORY';
  const isWhole = atOnce[1] === 'done' && edits.own === EACH && sound && after.every(word => word === 'done');
  if (!isWhole || !(isRefused || edits.old === EACH)) process.exitCode = 1;
}
