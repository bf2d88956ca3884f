/** The one file that needs no Node: it edits, serves, shows its page, and its hooks find it. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../helpers/mcp-client.ts';
import { ROOT } from '../helpers/source.ts';
import { content, home, personRepo } from '../helpers/vedit.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-executable-')));
const program = join(folder, 'vedit');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing that is named node is on the path. */
const PATH = '/usr/bin:/bin'
  .split(':')
  .filter(one => one !== join(process.execPath, '..'))
  .join(':');

// Windows and macOS make theirs in the workflow of a release.
describe.runIf(process.platform === 'linux')('vedit in one file', { timeout: 120_000 }, () => {
  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, '.github/executable.mjs')], { stdio: 'pipe' });
    cpSync(join(ROOT, 'dist/executable'), folder, { recursive: true });
    rmSync(join(ROOT, 'dist/executable'), { recursive: true });
  }, 120_000);

  it('has the version, edits in other encodings too, and shows the demo', () => {
    const box = personRepo();
    box.write('.gitattributes', '*.txt working-tree-encoding=windows-1252\n');
    const run = (...args: string[]): string =>
      execFileSync(program, args, { cwd: box.dir, env: { PATH, HOME: home(box) }, encoding: 'utf8' });
    expect(run('--version')).toMatch(/^vedit \d+\.\d+\.\d+/);
    run('replace', 'a.txt', 'one', 'eins');
    expect(content(box, 'a.txt')).toBe('eins\ntwo\nthree\n');
    expect(run('log', '--oneline')).toContain('str_replace a.txt');
    expect(run('demo')).toContain('Look for yourself');
  });

  it('serves the tools, and its hooks start it', async () => {
    const box = personRepo();
    const { call } = await connectTo(box, { command: program, args: ['mcp'] });
    expect((await call('view', { path: 'a.txt' })).text).toContain('one');
    const env = { PATH, HOME: home(box) };
    const run = (...args: string[]): string =>
      execFileSync(program, args, { cwd: box.dir, env, encoding: 'utf8' });
    expect(run('install', 'claude-code', '--local', '-n')).toContain(
      `${program}-hook claude-code ${program}`,
    );
    const event = {
      ...{
        hook_event_name: 'PostToolUse',
        session_id: 's1',
        cwd: box.dir,
        tool_name: 'Write',
        tool_use_id: 'c1',
      },
      tool_input: { file_path: box.path('new.txt'), content: 'new\n' },
    };
    box.write('new.txt', 'new\n');
    const words = [`${program}-hook`, 'claude-code', program];
    execFileSync('sh', words, { cwd: box.dir, env, input: JSON.stringify(event) });
    expect(run('log')).toContain('Agent:   claude-code');
  });
});
