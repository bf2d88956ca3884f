/** The public names of the library: a change of this list is a change of the interface. */

import { describe, expect, it } from 'vitest';
import { exportedNames } from './exports.ts';
import { sources } from './source.ts';

describe('src/index.ts', () => {
  const text = sources('src').get('src/index.ts')!;

  const names = exportedNames('src/index.ts', text);

  it('exports these values', () => {
    expect(names.filter(name => !name.startsWith('type '))).toMatchInlineSnapshot(`
      [
        "ERROR_CODES",
        "EditError",
        "FAULT_KINDS",
        "defineEdit",
        "edits",
        "entriesBelow",
        "initRepository",
        "isEditError",
        "memoryFs",
        "memoryStore",
        "openWorkspace",
        "recordChanges",
        "replayChanges",
        "runTool",
        "systemGit",
        "textOf",
        "tools",
        "toolset",
        "versionOf",
      ]
    `);
  });

  it('exports these types (npx vitest run test/rules/exports.test.ts -u writes them)', async () => {
    const types = names.filter(name => name.startsWith('type ')).join('\n');
    await expect(`${types}\n`).toMatchFileSnapshot('public-types.txt');
  });

  it('is a list of names and nothing else', () => {
    const statements = text.replace(/\/\*\*.*?\*\//s, '').split(';');
    expect(statements.filter(one => one.trim() && !/^export (type )?\{/.test(one.trim()))).toEqual([]);
  });

  it('exports every name that is not a type at run time', async () => {
    const values = exportedNames('src/index.ts', text).filter(name => !name.startsWith('type '));
    expect(Object.keys(await import('../../src/index.ts')).sort()).toEqual(values);
  });
});

describe('the reader of exports', () => {
  it('tells types from values, and knows both spellings', () => {
    const text = "export type { A } from './a.ts'; export { type B, c, d as e } from './b.ts';";
    expect(exportedNames('a.ts', text)).toEqual(['c', 'e', 'type A', 'type B']);
  });

  it.each(["export * from './a.ts'", 'export const a = 1', 'export default 1'])('refuses %s', text => {
    expect(() => exportedNames('a.ts', text)).toThrow('a.ts');
  });
});
