/** The public names of the library: a change of this list is a change of the interface. */

import { describe, expect, it } from 'vitest';
import { sources } from '../helpers/source.ts';
import { exportedNames } from './exports.ts';
import { hiddenShapes } from './public-shapes.ts';

describe('src/index.ts', () => {
  const text = sources('src').get('src/index.ts')!;

  const names = exportedNames('src/index.ts', text);

  it('exports these values', () => {
    expect(names.filter(name => !name.startsWith('type '))).toMatchInlineSnapshot(`
      [
        "EditError",
        "defineEdit",
        "initRepository",
        "isEditError",
        "memoryFs",
        "openWorkspace",
        "runTool",
        "simpleStore",
        "systemGit",
        "toolset",
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

describe('what public signatures name', () => {
  it('is public itself, so that a program can write it down', () => {
    const hidden = hiddenShapes(sources('src'), 'src/index.ts');
    expect(hidden.filter(one => !PRIVATE.includes(one))).toEqual([]);
    expect(PRIVATE.filter(one => !hidden.includes(one))).toEqual([]);
  });

  it('is found in files that are given', () => {
    const files = new Map([
      ['src/index.ts', "export { type A, f } from './a.ts'; export type { D } from './b.ts';"],
      [
        'src/a.ts',
        "import type { B } from './b.ts'; export interface A extends E { b: B } interface E { x: 1 }",
      ],
      [
        'src/b.ts',
        'export interface B { of: Array<C> } type C = 1; export interface D { d: 1 } export class F { #c: G; }',
      ],
    ]);
    files.set('src/a.ts', `${files.get('src/a.ts')} export function f<T>(a: T): void { let g: H; }`);
    expect(hiddenShapes(files, 'src/index.ts')).toEqual(['src/a.ts: E', 'src/b.ts: B', 'src/b.ts: C']);
  });
});

/** How types are made, and what a file system holds: a program has another name for it, or no use. */
const PRIVATE: readonly string[] = [
  'src/fs/memory-fs.ts: Encoding',
  'src/fs/fs.ts: BigStat',
  'src/fs/memory-fs.ts: MemoryPromises',
  'src/fs/memory-fs.ts: MemoryStats',
  'src/fs/promises-fs.ts: PromisesApi',
  'src/fs/promises-fs.ts: PromisesFsModule',
  'src/fs/promises-fs.ts: PromisesHandle',
  'src/git/run-git.ts: RunningGit',
  'src/fs/simple-fs.ts: SimpleFsModule',
  'src/fs/simple-fs.ts: SimplePromises',
  'src/engine/calls/call-options.ts: Snake',
  'src/engine/calls/scope.ts: ToolScope',
  'src/engine/change/approval.ts: Approve',
  'src/engine/change/edit-calls.ts: StepFields',
];

describe('the reader of exports', () => {
  it('tells types from values, and knows both spellings', () => {
    const text = "export type { A } from './a.ts'; export { type B, c, d as e } from './b.ts';";
    expect(exportedNames('a.ts', text)).toEqual(['c', 'e', 'type A', 'type B']);
  });

  it.each(["export * from './a.ts'", 'export const a = 1', 'export default 1'])('refuses %s', text => {
    expect(() => exportedNames('a.ts', text)).toThrow('a.ts');
  });
});
