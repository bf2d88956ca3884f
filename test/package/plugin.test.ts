/** The plugin of Claude Code holds what `vedit install claude-code` writes. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { content, personRepo, vedit } from '../helpers/vedit.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(ROOT, 'plugins/claude-code', path), 'utf8'));

it('has the server and the hooks that install writes, and the version of the package', async () => {
  const box = personRepo();
  await vedit(box, ['install', 'claude-code']);
  expect(read('.mcp.json')).toEqual(JSON.parse(content(box, '.mcp.json')));
  expect(read('hooks/hooks.json')).toEqual(JSON.parse(content(box, '.claude/settings.json')));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(read('.claude-plugin/plugin.json')).toMatchObject({ name: 'vedit', version });
});
