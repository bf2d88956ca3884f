/** Many workspaces in a process that may open few files, and one that nobody uses. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { initRepository, openWorkspace } from '../../../src/index.ts';
import { openBelow } from '../../helpers/open-below.ts';
import { ROOT } from '../../helpers/source.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-open-files-')));
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const PROGRAM = `
import { initRepository, openWorkspace } from ${JSON.stringify(join(ROOT, 'dist/lib/index.js'))};
const [folder, many] = process.argv.slice(1);
const all = [];
for (let n = 0; n < many; n++) {
  const root = folder + '/' + n;
  await initRepository({ root });
  all.push(await openWorkspace({ root }));
}
const sessions = all.map(workspace => workspace.session({ agent: 'many' }));
const write = (session, text) => session.edit('create', { path: 'a.txt', file_text: text, overwrite: true });
for (const session of sessions) await write(session, 'one');
// At once: each of all, several of one, and calls that make calls of other workspaces and wait for them.
await Promise.all(sessions.map(session => write(session, 'two')));
await Promise.all(all.slice(0, 9).flatMap(one => [1, 2, 3, 4].map(id => one.session({ id: 's' + id }).view({ path: 'a.txt' }))));
const asking = all.slice(0, 9).map((one, n) =>
  openWorkspace({ root: folder + '/' + n, beforeCommit: async () => void (await sessions[n + 9].view({ path: 'a.txt' })) }));
all.push(...(await Promise.all(asking)));
await Promise.all(all.slice(-9).map(one => one.session({}).edit('create', { path: 'b.txt', file_text: 'b' })));
await Promise.all(sessions.map(session => session.undo()));
const texts = await Promise.all(sessions.map(session => session.log()));
for (const workspace of all) await workspace.close();
console.log(new Set(texts.map(({ data }) => data.entries.map(entry => entry.op).join())));
`;

const FOLDERS = `
import { initRepository, openWorkspace } from ${JSON.stringify(join(ROOT, 'dist/lib/index.js'))};
const [folder, many] = process.argv.slice(1);
const all = [];
for (let n = 0; n < many; n++) {
  await initRepository({ root: folder + '/' + n });
  all.push(await openWorkspace({ root: folder + '/' + n }));
  const session = all[n].session({ agent: 'many' });
  for (let at = 0; at < 9; at++) await session.edit('create', { path: 'd' + at + '/a.txt', file_text: 'a' });
}
for (const workspace of all) await workspace.close();
console.log('done');
`;

/** Windows knows no such limit. */
function withFewFiles(program: string, many: string): string {
  const limited = `ulimit -n ${process.env.FILES ?? '256'} && exec "$0" "$@"`;
  const node = [process.execPath, '--input-type=module', '-e', program, folder, many];
  return execFileSync('sh', ['-c', limited, ...node], { encoding: 'utf8' });
}

it.skipIf(process.platform === 'win32')(
  '30 workspaces edit in turn and at once where 256 files may be open',
  () => {
    const said = withFewFiles(PROGRAM, process.env.WORKSPACES ?? '30');
    expect(said).toBe("Set(2) { 'undo,create,write,create', 'undo,write,create' }\n");
  },
);

it.skipIf(process.platform === 'win32')(
  '24 workspaces whose folders stay open edit where 256 files may be open',
  () => expect(withFewFiles(FOLDERS, '24')).toBe('done\n'),
);

it.skipIf(process.platform !== 'linux')('no file is open ten seconds after the last call', async () => {
  const root = join(folder, 'rests');
  await initRepository({ root });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await using workspace = await openWorkspace({ root });
  const session = workspace.session({});
  await session.edit('create', { path: 'a.txt', file_text: 'one\n' });
  await vi.advanceTimersByTimeAsync(2_000);
  const packs = () => readdirSync(join(root, '.git/objects/pack'));
  await vi.waitFor(() => expect(packs()).toHaveLength(2), 30_000);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(openBelow(root)).not.toEqual([]);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(openBelow(root)).toEqual([]), 30_000);
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  expect((await session.log()).data.entries.map(entry => entry.op)).toEqual(['str_replace', 'create']);
});
