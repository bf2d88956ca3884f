import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const LIBRARY = pathToFileURL(join(import.meta.dirname, '../../../dist/lib/index.js')).href;

const OPEN = `const fs = memoryFs();
  await initRepository({ root: '/r', fs, bare: true });
  const workspace = await openWorkspace({ root: '/r', fs });
  const session = workspace.session({ agent: 'm' });`;

/** By the code, a line of a program that is refused. */
const REFUSED = [
  ['INVALID_INPUT', `await openWorkspace({ root: 'rel' });`],
  ['INVALID_INPUT', `await openWorkspace({ root: '/r', agent: 'm' });`],
  ['NOT_A_REPOSITORY', `await openWorkspace({ root: '/r', fs: memoryFs() });`],
  ['INVALID_INPUT', `await initRepository({ root: '/r', fs: memoryFs(), branch: '..' });`],
  ['INVALID_INPUT', `${OPEN} workspace.session({ root: '/r' });`],
  ['FILE_NOT_FOUND', `${OPEN} await session.view({ path: 'a.txt' });`],
  ['FILE_NOT_FOUND', `${OPEN} await session.edit('str_replace', { path: 'a', old_str: 'x', new_str: 'y' });`],
  ['INVALID_INPUT', `${OPEN} await session.edit('str_replace', { path: 'a', agent: 'x' });`],
  ['NO_CHANGE', `${OPEN} await session.undo();`],
  ['INVALID_INPUT', `${OPEN} await session.inTurn(async () => session.log());`],
  ['INVALID_INPUT', `${OPEN} await session.mark('');`],
  ['INVALID_INPUT', `${OPEN} await workspace.findCommit('nope');`],
  ['INVALID_INPUT', `${OPEN} await workspace.purge({ path: 'a', reason: '' });`],
] as const;

describe('a refusal that nobody caught', () => {
  it.each(REFUSED)('%s names the line of the program, and no line of the engine: %s', (code, line) => {
    const program = join(mkdtempSync(join(tmpdir(), 'call-site-')), 'program.mjs');
    const imports = `import { initRepository, memoryFs, openWorkspace } from '${LIBRARY}';`;
    writeFileSync(program, `${imports}\nasync function mine() {\n  ${line}\n}\nawait mine();\n`);
    const { stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
    expect(stderr).toContain(code);
    expect(stderr).toMatch(/EditError\]?: \S.*\n(?:.*\n)*? +at (?:async )?mine \(.*program\.mjs/);
    expect(stderr).not.toContain('dist/lib');
    expect(Math.max(...stderr.split('\n').map(one => one.length))).toBeLessThan(1500);
  });
});
