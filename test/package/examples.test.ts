/** Every file of examples/ runs, with the built package, and does what its first comment says. */

import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { CHROMIUM, NO_BROWSER, startBrowser } from '../helpers/browser.ts';
import { ROOT } from '../helpers/source.ts';
import { modelServer } from '../rules/model-server.ts';

const EXAMPLES = join(ROOT, 'examples');
const folder = mkdtempSync(join(tmpdir(), 'vedit-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An example as a program of its own, in a folder of its own: what it prints. */
async function run(name: string, env: Record<string, string> = {}): Promise<string> {
  const options = { cwd: mkdtempSync(join(folder, 'run-')), env: { ...process.env, ...env } };
  return (await promisify(execFile)(process.execPath, [join(EXAMPLES, name)], options)).stdout;
}

/** The published package, and what an example exports: both by name, as a program of a user has them. */
const load = (path: string) => import(/* @vite-ignore */ path);
const example = (name: string) => load(pathToFileURL(join(EXAMPLES, name)).href);
const engine = () => load(pathToFileURL(join(ROOT, 'dist/lib/index.js')).href);

it('are all tried here', () => {
  const names = readdirSync(EXAMPLES).filter(name => name.endsWith('.mjs'));
  expect(names).toEqual([
    'agent-loop.mjs',
    'agent-zero.mjs',
    'append-line.mjs',
    'deepagents.mjs',
    'edit-cell.mjs',
    'langgraph-agent.mjs',
    'page.mjs',
    'server.mjs',
    'sql-store.mjs',
  ]);
});

it('agent-zero: its tool writes and reads', async () => {
  expect(await run('agent-zero.mjs')).toMatch(
    /^hello\.txt written 1 lines\nhello\.txt 1 lines\n>>>\n1 hello/,
  );
});

it('append-line: an edit of its own, and a refusal of a field that it does not have', async () => {
  expect(await run('append-line.mjs')).toMatch(/^append_line done, commit [0-9a-f]+:\nINVALID_INPUT\n$/);
});

it('edit-cell: a cell of a notebook has another source, and every other byte stays', async () => {
  expect((await run('edit-cell.mjs')).trimEnd().split('\n')).toEqual([
    '-    "x = 0\\n",',
    '+    "x = 1\\n",',
    'report.ipynb has no cell c3. Nothing was changed. Its 2 cells are a1, b2.',
  ]);
});

it('sql-store: edits beside another writer', async () => {
  expect((await run('sql-store.mjs')).trim().split('\n')).toEqual([
    '# Bye',
    'Farewell.',
    'str_replace a.md (+1 -1)',
    'outside a.md',
    'str_replace a.md (+1 -1)',
    'outside a.md',
  ]);
});

it('agent-loop: does what the model asks for, until it asks no more', async () => {
  const model = await modelServer();
  const said = await run('agent-loop.mjs', model.env);
  model.close();
  expect(said).toMatch(/^The file is there\.\n[\s\S]*create hello\.txt/);
});

it('langgraph-agent: the model calls a tool, and hears of a refusal', async () => {
  const { initRepository, memoryFs, openWorkspace } = await engine();
  const fs = memoryFs();
  await initRepository({ root: '/w', fs });
  const workspace = await openWorkspace({ root: '/w', fs });
  const session = workspace.session({ agent: 'graph' });
  const model = fakeModel()
    .respondWithTools([{ name: 'create', args: { path: 'a.txt', file_text: 'one\n' } }])
    .respondWithTools([{ name: 'str_replace', args: { path: 'a.txt', old_str: 'two', new_str: '2' } }])
    .respondWithTools([{ name: 'str_replace', args: { path: 'a.txt', old_str: 'one', new_str: '1' } }]);
  const { editingAgent } = await example('langgraph-agent.mjs');
  const done = editingAgent(model, session).invoke({ messages: [{ role: 'user', content: 'one to 1' }] });
  await done.catch(() => {}); // the scripted model has nothing to say at the end
  expect(await fs.promises.readFile('/w/a.txt', 'utf8')).toBe('1\n');
  await workspace.close();
});

it('deepagents: its file tools make commits, and hear refusals in their own words', async () => {
  const { initRepository, openWorkspace } = await engine();
  const root = mkdtempSync(join(folder, 'deep-'));
  await initRepository({ root });
  const workspace = await openWorkspace({ root });
  const session = workspace.session({ agent: 'deep' });
  await session.edit('create', { path: 'src/a.txt', file_text: 'one\ntwo\none\n' });
  const model = fakeModel();
  const edit = (old_string: string, more: object = {}): [name: string, args: object] => [
    'edit_file',
    { file_path: '/src/a.txt', old_string, new_string: '1', ...more },
  ];
  for (const [name, args] of [
    ['ls', { path: '/' }],
    ['read_file', { file_path: '/src/a.txt' }],
    edit('one'),
    edit('one', { replace_all: true }),
    ['write_file', { file_path: '/b.md', content: 'one\n' }],
    ['grep', { pattern: 'one' }],
    ['glob', { pattern: '**/*.{md,txt}' }],
  ] as Array<[name: string, args: Record<string, unknown>]>)
    model.respondWithTools([{ name, args }]);
  const { deepAgent, VersionedBackend } = await example('deepagents.mjs');
  const asked = { messages: [{ role: 'user', content: 'one to 1' }] };
  const { messages } = await deepAgent(model.respond(new AIMessage('Done.')), session, root).invoke(asked, {
    recursionLimit: 60,
  });
  const told: string[] = messages
    .filter((one: BaseMessage) => ToolMessage.isInstance(one))
    .map((one: BaseMessage) => one.text);
  const [listed, read, refused, edited, , found, named] = told;
  expect(listed).not.toContain('.git');
  expect(read).toContain('two');
  expect(refused).toMatch(/AMBIGUOUS: old_string occurs 2 times in \/src\/a\.txt, .*replace_all: true/s);
  expect(edited).toContain('replaced 2 occurrence(s)');
  expect(found).toContain('/b.md');
  expect(found).not.toContain('.git');
  expect(named).toMatch(/\/b\.md\s+\/src\/a\.txt/);
  const files = new VersionedBackend({ session, rootDir: root });
  expect(await files.grep('1', '/src', null, 1)).toEqual({
    matches: [{ path: '/src/a.txt', line: 1, text: '1' }],
    truncated: true,
  });
  expect(await files.delete('/src')).toMatchObject({
    path: '/src',
    metadata: { commit: expect.any(String) },
  });
  expect(await files.delete('/src')).toEqual({ error: expect.stringContaining('FILE_NOT_FOUND: ') });
  const stopped = new VersionedBackend({
    session,
    rootDir: root,
    signal: AbortSignal.abort(new Error('stop')),
  });
  await expect(stopped.write('/c.md', 'c')).rejects.toThrow('stop');
  const { entries } = (await session.log()).data;
  const ops = entries.map(({ op, agent }: { op: string; agent: string }) => `${agent} ${op}`);
  expect(ops).toEqual(['deep delete', 'deep create', 'deep str_replace', 'deep create']);
  await workspace.close();
});

it('server: each user has a workspace; a refusal is a 409 with its code', async () => {
  const { editServer } = await example('server.mjs');
  const server: Server = editServer(join(folder, 'users'));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = async (path: string, body: object = {}): Promise<[number, { code?: string }]> => {
    const answer = await fetch(`${base}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  expect((await post('/ada/tools/create', { path: 'a.txt', file_text: 'one' }))[0]).toBe(200);
  const [status, refused] = await post('/ada/tools/str_replace', {
    path: 'a.txt',
    old_str: 'x',
    new_str: 'y',
  });
  expect([status, refused.code]).toEqual([409, 'NO_MATCH']);
  expect((await post('/bob/tools/view', { path: 'a.txt' }))[1].code).toBe('FILE_NOT_FOUND');
  expect((await post('/ada/undo'))[0]).toBe(200);
  expect((await post('/.ada/tools/view'))[0]).toBe(404);
  const log = await (await fetch(`${base}/ada/log`)).json();
  expect(log.entries.map((entry: { op: string }) => entry.op)).toEqual(['undo', 'create']);
  await new Promise(done => server.close(done));
});

it.skipIf(!CHROMIUM)(`page: edits and undoes in a browser${CHROMIUM ? '' : ` (${NO_BROWSER})`}`, async () => {
  const www = mkdtempSync(join(folder, 'www-'));
  copyFileSync(join(EXAMPLES, 'page.html'), join(www, 'page.html'));
  const outfile = join(www, 'page.js');
  const { outputFiles } = await build({
    entryPoints: [join(EXAMPLES, 'page.mjs')],
    outfile,
    bundle: true,
    format: 'esm',
    write: false,
  });
  const browser = await startBrowser();
  const page = await browser.newPage();
  await page.route('http://localhost/**', route =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript', body: outputFiles[0]!.text })
      : route.fulfill({ contentType: 'text/html', path: join(www, 'page.html') }),
  );
  await page.goto('http://localhost/page.html');
  await page.waitForFunction("document.querySelector('#text').textContent.startsWith('tea')");
  await page.click('text=Replace >> nth=-1');
  await page.waitForFunction("document.querySelector('#text').textContent.startsWith('coffee')");
  await page.click('#undo');
  await page.waitForFunction("document.querySelector('#text').textContent.startsWith('tea')");
  await browser.close();
});
