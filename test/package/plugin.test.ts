/** The plugins hold what `vedit install` writes where npx started it, in the forms of their clients, and the package's version. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { ROOT } from '../helpers/source.ts';
import { content, personRepo, vedit } from '../helpers/vedit.ts';

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const read = (path: string) => JSON.parse(text(path));
const { version, mcpName } = read('package.json');

const PLUGIN = 'plugins/vedit';

async function installed(client: string) {
  const box = personRepo();
  await vedit(box, ['install', client, '--skill'], { env: { npm_command: 'exec', PATH: '/nowhere' } });
  return box;
}

it('of Claude Code has the server, the hooks and the skill that install writes', async () => {
  const box = await installed('claude-code');
  expect(read(`${PLUGIN}/.mcp.json`)).toEqual(JSON.parse(content(box, '.mcp.json')));
  expect(read(`${PLUGIN}/hooks/hooks.json`)).toEqual(JSON.parse(content(box, '.claude/settings.json')));
  expect(text(`${PLUGIN}/skills/vedit/SKILL.md`)).toBe(content(box, '.claude/skills/vedit/SKILL.md'));
});

it('of Codex has the hooks and the skill that install writes', async () => {
  const box = await installed('codex');
  expect(read(`${PLUGIN}/hooks/codex.json`)).toEqual(JSON.parse(content(box, '.codex/hooks.json')));
  expect(text(`${PLUGIN}/skills/vedit/SKILL.md`)).toBe(content(box, '.agents/skills/vedit/SKILL.md'));
});

it.each([
  [Ajv2020, 'plugin.schema.json', `${PLUGIN}/plugin.json`],
  [Ajv2020, 'mcp.schema.json', `${PLUGIN}/mcp.json`],
  [Ajv, 'server.schema.json', 'server.json'],
] as const)('%o: %s is kept by %s', (Checker, schema, file) => {
  const isValid = new Checker({ strict: false }).compile(read(`test/package/schemas/${schema}`));
  expect([isValid(read(file)), isValid.errors]).toEqual([true, null]);
  expect(read(file).$schema).toBe(read(`test/package/schemas/${schema}`).$id);
});

it('has one name and the version of the package everywhere', () => {
  for (const folder of ['.', '.claude-plugin', '.codex-plugin'])
    expect(read(join(PLUGIN, folder, 'plugin.json'))).toMatchObject({ name: 'vedit', version });
  const server = read('server.json');
  expect([server.version, server.name, server.packages[0].version]).toEqual([version, mcpName, version]);
  for (const file of ['.claude-plugin/marketplace.json', '.agents/plugins/marketplace.json'])
    expect(read(file).plugins).toMatchObject([{ name: 'vedit' }]);
});
