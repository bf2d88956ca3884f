/** A program that uses the published package, in one file for Node: made by each bundler, run, and weighed. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundledSize, type Format, NODE_BUNDLERS } from '../helpers/bundlers.ts';
import { published } from '../helpers/published.ts';

const { folder, remove } = published();
afterAll(remove);

/** Edits on the real disk, packs, and asks the command line's part that loads late. */
const PROGRAM = `
import { initRepository, isEditError, openWorkspace } from 'versioned-edit';
import { aiTools } from 'versioned-edit/ai';

async function main() {
  const root = process.argv[2];
  await initRepository({ root });
  const workspace = await openWorkspace({ root });
  const session = workspace.session({ agent: 'bundled' });
  await session.edit('create', { path: 'a.txt', file_text: 'one\\n' });
  await session.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'two' });
  await aiTools(session).str_replace.execute({ path: 'a.txt', old_str: 'two', new_str: 'three' });
  const refused = await session.edit('delete', { path: 'none' }).catch(error => isEditError(error) && error.code);
  await session.undo();
  const { data } = await session.log();
  const { sound } = (await workspace.verify()).data;
  await workspace.close();
  console.log(JSON.stringify({ refused, sound, log: data.entries.map(entry => entry.op) }));
}
main();
`;

const JOBS = Object.keys(NODE_BUNDLERS).flatMap(name =>
  (['esm', 'cjs'] as const).map(form => [name, form] as const),
);

describe.each(JOBS)('%s, %s', (name, format: Format) => {
  it('makes one program that edits, refuses, undoes and verifies', async () => {
    writeFileSync(join(folder, 'program.js'), PROGRAM);
    const built = await NODE_BUNDLERS[name]!({ folder, entry: 'program.js', format });
    const root = mkdtempSync(join(folder, 'work-'));
    const said = execFileSync(process.execPath, [built, root], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual({
      refused: 'FILE_NOT_FOUND',
      sound: true,
      log: ['undo', 'str_replace', 'str_replace', 'create'],
    });
    rmSync(root, { recursive: true });
  });
});

it('is there for require too', () => {
  const text = "const { openWorkspace } = require('versioned-edit'); console.log(typeof openWorkspace);";
  expect(execFileSync(process.execPath, ['-e', text], { cwd: folder, encoding: 'utf8' })).toBe('function\n');
});

describe('what a bundle holds of the own code', () => {
  const packages = ['zod'];

  it.each([
    ["import { isEditError } from 'versioned-edit'; console.log(isEditError);", 8_000],
    ["import { EditError } from 'versioned-edit/errors'; console.log(EditError);", 8_000],
    ["import { tools } from 'versioned-edit/tools'; console.log(tools.length);", 200_000],
  ])('is no more than it uses: %s', async (text, most) => {
    const { whole } = await bundledSize(folder, text, packages);
    expect(whole).toBeGreaterThan(500);
    expect(whole).toBeLessThan(most);
  });

  it('is what edits need, and the rest is loaded with its first use', async () => {
    const text = "import { openWorkspace } from 'versioned-edit'; console.log(openWorkspace);";
    const { whole, first, opened } = await bundledSize(folder, text, packages);
    expect(first).toBeLessThan(180_000);
    expect(opened).toBeGreaterThan(first + 200_000);
    expect(opened).toBeLessThan(515_000);
    expect(whole - opened).toBeGreaterThan(400_000);
  });

  it('is nothing where types alone are imported', async () => {
    expect((await bundledSize(folder, "import 'versioned-edit/types';", packages)).whole).toBeLessThan(100);
  });
});
