/** Single files as version 0.1.0 wrote them: settings of clients, a cursor that a program kept, the lock of a dead process. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { nodePlatform } from '../../src/git/native/platform.ts';
import { openOn } from '../../src/workspace/open.ts';
import { FIXTURES, unpacked } from '../helpers/kept-repositories.ts';
import { home, personRepo, vedit } from '../helpers/vedit.ts';

type Texts = Record<string, string>;
interface Kept {
  settings: { repo: Texts; home: Texts };
  cursor: { story: string; since: string; then: string[] };
  lock: Record<string, unknown>;
}
const KEPT: Kept = JSON.parse(readFileSync(join(FIXTURES, '0.1.0/files.json'), 'utf8'));

function put(folder: string, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Those that still name the engine; a file that held nothing else is gone. */
const left = (folder: string, texts: Texts): string[] =>
  Object.keys(texts).filter(path => {
    const file = join(folder, path);
    return existsSync(file) && readFileSync(file, 'utf8').includes('vedit');
  });

const CLIENTS = ['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'];

it('settings of clients, with their hooks, are taken out', async () => {
  const box = personRepo();
  put(box.dir, KEPT.settings.repo);
  put(home(box), KEPT.settings.home);
  for (const client of CLIENTS)
    for (const user of [[], ['--user']]) {
      if (client === 'claude-desktop' && user.length === 0) continue;
      const { code, err } = await vedit(box, ['install', client, '--remove', ...user]);
      expect([client, code, err]).toEqual([client, 0, err]);
    }
  expect([left(box.dir, KEPT.settings.repo), left(home(box), KEPT.settings.home)]).toEqual([[], []]);
});

it.each(CLIENTS.filter(client => client !== 'claude-desktop'))(
  'the server of %s, installed anew, stands there once',
  async client => {
    const box = personRepo();
    put(box.dir, KEPT.settings.repo);
    const { code, err } = await vedit(box, ['install', client, '--no-hooks']);
    expect([code, err]).toEqual([0, expect.stringMatching(/already|put into/)]);
    for (const path of Object.keys(KEPT.settings.repo).filter(one => !one.includes('.claude'))) {
      const servers = readFileSync(join(box.dir, path), 'utf8').match(/"vedit": \{|\[mcp_servers\.vedit\]/g);
      expect([path, servers?.length]).toEqual([path, 1]);
    }
  },
);

it('a cursor goes on where it was', async () => {
  const { story, since, then } = KEPT.cursor;
  await using workspace = await unpacked('0.1.0', story).open();
  const told: unknown[] = [];
  for await (const event of workspace.events({ since })) told.push('commit' in event ? event.commit : event);
  expect(told).toEqual(then);
});

it('the lock of a process of an earlier start of the machine is taken over at once', async () => {
  const repo = unpacked('0.1.0', 'everyEdit');
  writeFileSync(repo.path('.git/vedit/lock'), JSON.stringify({ ...KEPT.lock, host: hostname() }));
  const platform = nodePlatform();
  // It was written just now: two minutes pass, and in the first of them the machine is started anew.
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 120_000 });
  onTestFinished(() => void vi.useRealTimers());
  const bootTime = (): number => now + 60_000;
  const processes = Object.assign(Object.create(platform.processes), { bootTime });
  await using workspace = await openOn({ ...platform, processes }, { root: repo.dir });
  const signal = AbortSignal.timeout(20_000);
  const input = { path: 'n.txt', file_text: 'n\n' };
  const { data } = await workspace.session({ agent: 'next' }).edit('create', input, { signal });
  expect(repo.git('rev-parse', 'refs/vedit/main')).toBe(data.commit);
});
