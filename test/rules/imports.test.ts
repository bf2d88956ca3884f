/** The arrows between the parts of the house, and what is loaded when the command line starts. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, packageOf, ROOT, type Sources, sources } from '../helpers/source.ts';
import { circles, loadedWith, wrongArrows } from './arrows.ts';

const house = sources('src');
const COMMAND_LINE = 'src/surfaces/cli/main.ts';
const ADAPTERS = ['anthropic', 'openai', 'ai', 'langchain/index'].map(name => `src/surfaces/${name}.ts`);

describe('arrows', () => {
  it('finds the parts of the house', () => {
    const parts = new Set([...house.keys()].map(path => path.split('/')[1]));
    for (const part of [
      'text',
      'edits',
      'fs',
      'git',
      'history',
      'stores',
      'workspace',
      'table',
      'tools',
      'surfaces',
    ])
      expect(parts).toContain(part);
  });

  it('all point the right way', () => {
    expect(wrongArrows(house)).toEqual([]);
  });

  it('make no circle', () => {
    expect(circles(house)).toEqual([]);
  });
});

describe('what is loaded', () => {
  it('with the library: no module of node, so that it runs in a browser', () => {
    expect(chainsTo(house, 'src/index.ts', name => name.startsWith('node:'))).toEqual([]);
  });

  it.each(ADAPTERS)('with %s: no framework, and no module of node', path => {
    const ours = new Set(['zod', 'isomorphic-git', 'diff']);
    const isForeign = (name: string): boolean => !name.startsWith('src/') && !ours.has(packageOf(name));
    expect(chainsTo(house, path, isForeign)).toEqual([]);
  });

  it('is declared in package.json, types too', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const declared = { ...dependencies, ...devDependencies };
    const packages = [...house].flatMap(([path, text]) =>
      importsOf(path, text)
        .map(({ target }) => target)
        .filter(isPackage)
        .map(packageOf),
    );
    expect([...new Set(packages)].filter(name => !(name in declared))).toEqual([]);
  });

  it('with the command line: neither zod nor isomorphic-git, so that it starts at once', () => {
    const slow = new Set(['zod', 'isomorphic-git']);
    expect(chainsTo(house, COMMAND_LINE, name => slow.has(packageOf(name)))).toEqual([]);
  });

  it('with the help of undo, as with that of each command that is one of the table: no zod', () => {
    const isZod = (name: string): boolean => packageOf(name) === 'zod';
    for (const path of house.keys())
      if (/^src\/(surfaces\/cli\/|table\/(?!index|several))/.test(path) && !/cli\/demo\//.test(path))
        expect(chainsTo(house, path, isZod)).toEqual([]);
  });
});

const isPackage = (target: string): boolean => !target.startsWith('src/') && !target.startsWith('node:');

function chainsTo(files: Sources, start: string, unwanted: (name: string) => boolean): string[] {
  if (!files.has(start)) throw new Error(`there is no ${start}`);
  return [...loadedWith(files, start)]
    .filter(([name]) => unwanted(name))
    .map(([, chain]) => chain.join(' -> '));
}

/** A small house that is right, for the wrong arrows to stand out in. */
const RIGHT = {
  'src/errors.ts': '',
  'src/text/lines.ts': "import { EditError } from '../errors.ts';",
  'src/edits/edit.ts': 'export function ownEdit() {}',
  'src/edits/create.ts': "import { z } from 'zod'; import { ownEdit } from './edit.ts'; ownEdit({});",
  'src/edits/delete.ts': "import { ownEdit } from './edit.ts'; ownEdit({});",
  'src/edits/index.ts': "export { create } from './create.ts'; export { remove } from './delete.ts';",
  'src/fs/fs.ts': '',
  'src/git/refs.ts': "import type { Fs } from '../fs/fs.ts';",
  'src/git/native/codec.ts': "import { deflateSync } from 'node:zlib';",
  'src/stores/store.ts': '',
  'src/stores/disk/disk.ts': "import './walk.ts'; import '../store.ts';",
  'src/stores/disk/walk.ts': "import type { Fs } from '../../fs/fs.ts';",
  'src/stores/tree.ts': "import './store.ts';",
  'src/history/walk.ts': "import '../git/refs.ts'; import '../text/lines.ts';",
  'src/workspace/open.ts': "import '../stores/disk/disk.ts'; await import('../git/native/codec.ts');",
  'src/table/command.ts': 'export function command() {}',
  'src/table/history.ts':
    "import '../workspace/open.ts'; import { command } from './command.ts'; const log = command({});",
  'src/table/index.ts': "import './history.ts';",
  'src/tools/index.ts': "import '../table/index.ts';",
  'src/surfaces/cli/main.ts': "import { stdout } from 'node:process'; await import('../../tools/index.ts');",
  'src/surfaces/openai.ts': "import '../tools/index.ts';",
  'src/surfaces/web/page.ts': '',
  'src/surfaces/cli/commands/watch.ts': "await import('../../web/page.ts');",
};

const WRONG: ReadonlyArray<readonly [what: string, path: string, text: string]> = [
  ['upwards', 'src/text/lines.ts', "import '../edits/edit.ts';"],
  ['upwards by type', 'src/git/refs.ts', "import type { A } from '../history/walk.ts';"],
  ['upwards by export', 'src/history/walk.ts', "export * from '../workspace/open.ts';"],
  ['upwards on demand', 'src/stores/tree.ts', "await import('../workspace/open.ts');"],
  ['upwards in a type', 'src/stores/tree.ts', "let a: import('../workspace/open.ts').A;"],
  ['from an edit to the disk', 'src/edits/create.ts', "import '../fs/fs.ts';"],
  ['from a store to git', 'src/stores/disk/disk.ts', "import '../../git/refs.ts';"],
  ['from the system calls to git', 'src/fs/fs.ts', "import '../git/refs.ts';"],
  ['from a surface into the engine room', 'src/surfaces/openai.ts', "import '../git/refs.ts';"],
  ['sideways between edits', 'src/edits/delete.ts', "import { create } from './create.ts';"],
  ['around the list of edits', 'src/workspace/open.ts', "import { create } from '../edits/create.ts';"],
  ['around the table', 'src/surfaces/openai.ts', "import '../table/history.ts';"],
  ['sideways between stores', 'src/stores/tree.ts', "import './disk/walk.ts';"],
  ['from the contract to a store', 'src/stores/store.ts', "import './tree.ts';"],
  ['sideways between surfaces', 'src/surfaces/openai.ts', "import './cli/main.ts';"],
  [
    'from a command to another surface than its own',
    'src/surfaces/cli/commands/log.ts',
    "import '../../web/page.ts';",
  ],
  ['to node', 'src/workspace/open.ts', "import { join } from 'node:path';"],
  ['to node from an edit', 'src/edits/create.ts', "import 'node:fs';"],
  ['to zod from text', 'src/text/lines.ts', "import { z } from 'zod';"],
  ['to isomorphic-git from the history', 'src/history/walk.ts', "import git from 'isomorphic-git';"],
  ['to a strange package', 'src/table/history.ts', "import _ from 'lodash';"],
  ['to a file that is not there', 'src/table/history.ts', "import './gone.ts';"],
];

describe('the checker', () => {
  it('finds nothing in a house that is right', () => {
    expect(wrongArrows(new Map(Object.entries(RIGHT)))).toEqual([]);
  });

  it.each(WRONG)('catches an arrow %s', (_, path, text) => {
    const files: Sources = new Map(Object.entries({ ...RIGHT, [path]: text }));
    expect(wrongArrows(files)).toEqual([expect.stringContaining(path)]);
  });

  it.each(["export * from './a.ts';", "import type { A } from './a.ts';", "await import('./a.ts');"])(
    'catches a circle: %s',
    text => {
      const files = new Map([
        ['src/text/a.ts', "import './b.ts';"],
        ['src/text/b.ts', text],
      ]);
      expect(circles(files)).toHaveLength(2);
    },
  );

  it('tells what is loaded at once from what is loaded later or never', () => {
    const chains = (text: string): string[] =>
      chainsTo(
        new Map([
          ['a.ts', "import './b.ts';"],
          ['b.ts', text],
        ]),
        'a.ts',
        name => name === 'zod',
      );
    expect(chains("import { z } from 'zod';")).toEqual(['a.ts -> b.ts -> zod']);
    expect(chains("import { type Z } from 'zod';")).toHaveLength(1);
    expect(chains("export { z } from 'zod';")).toHaveLength(1);
    expect(chains("import type { Z } from 'zod'; export type { Y } from 'zod';")).toEqual([]);
    expect(chains("await import('zod');")).toEqual([]);
  });
});
