/** One edit a file, one test for each edit and each tool: and all of them in the lists. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edits } from '../../src/edits/index.ts';
import { commands } from '../../src/surfaces/cli/commands/index.ts';
import { commands as commandsOfTable } from '../../src/table/index.ts';
import { editTools, tools } from '../../src/tools/index.ts';
import { ROOT, sources } from '../helpers/source.ts';
import { isUnit } from './arrows.ts';

const house = sources('src');
const lifted = new Set(editTools.map(tool => tool.name));

it('src/edits defines what the list holds, each in the file of its name', () => {
  const files = [...house.keys()].filter(path => path.startsWith('src/edits/') && isUnit(house, path));
  expect(files).toEqual(edits.map(one => `src/edits/${kebab(one.name)}.ts`).sort());
});

it('src/table lists what it defines', () => {
  const defined = [...house]
    .filter(([path]) => path.startsWith('src/table/'))
    .flatMap(([, text]) => [
      ...text.matchAll(/^export const \w+: Command = command\(\{\n {2}name: '(\w+)'/gm),
    ]);
  expect(defined.map(([, name]) => name).sort()).toEqual(commandsOfTable.map(one => one.name).sort());
});

const REGISTRIES = [
  { folder: 'edits', listed: edits },
  { folder: 'tools', listed: commandsOfTable },
];

describe.each(REGISTRIES)('the list of $folder', ({ folder, listed }) => {
  it('has a test file for each', () => {
    const files = listed.map(one => `test/${folder}/${kebab(one.name)}.test.ts`);
    expect(files.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names each once', () => {
    expect(new Set(listed.map(one => one.name)).size).toBe(listed.length);
  });
});

describe('the list of tools', () => {
  it('has every edit', () => {
    expect(editTools.map(tool => tool.name)).toEqual(edits.map(edit => edit.name));
    expect(tools).toEqual(expect.arrayContaining([...editTools]));
  });

  it('gives no two tools one name', () => {
    expect(new Set(tools.map(tool => tool.name)).size).toBe(tools.length);
  });

  it('has the type of every answer', () => {
    const typed = /interface ToolData .*?\{(.*?)\n\}/s.exec(house.get('src/table/command.ts')!)![1]!;
    const names = [...typed.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(names.sort()).toEqual(
      tools
        .map(tool => tool.name)
        .filter(name => !lifted.has(name))
        .sort(),
    );
  });

  it.each(tools.map(tool => [tool.name, tool] as const))(
    '%s has an example that fits its schema',
    (_, tool) => {
      expect(tool.input.safeParse(tool.example).error).toBeUndefined();
    },
  );

  it.each(tools.map(tool => [tool.name, tool] as const))('%s has no alias that is a field', (_, tool) => {
    const fields = Object.keys(tool.input.shape);
    expect(Object.keys(tool.aliases).filter(field => !fields.includes(field.split('.')[0]!))).toEqual([]);
    expect(
      Object.values(tool.aliases)
        .flat()
        .filter(alias => fields.includes(alias)),
    ).toEqual([]);
  });
});

describe('src/surfaces/cli/commands', () => {
  it('holds rows of the table that are a program of their own, each in the file of its name', () => {
    const folder = 'src/surfaces/cli/commands/';
    const files = [...house.keys()].filter(path => path.startsWith(folder) && path !== `${folder}index.ts`);
    const names = commands.map(({ name }) => `${folder}${name}.ts`);
    expect(files.filter(path => !names.includes(path))).toEqual([]);
  });
});

/** `str_replace` is in str-replace.ts. */
function kebab(name: string): string {
  return name.replaceAll('_', '-');
}

describe('the names of operations', () => {
  /** Compared with one, or with one of several: `op === 'undo'`, `['undo', 'redo'].includes(meta.op)`. */
  const COMPARED = /(?<!typeof [\w.]*)\bop\b[!?)]* ?[!=]==? ?'|'\)?\]\.includes\(\S*\bop\)/;

  it('are compared in one module', () => {
    const own = [...house].filter(
      ([path]) => path !== 'src/operations.ts' && !path.startsWith('src/surfaces/web/page/'),
    );
    const found = own.flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => (COMPARED.test(line) ? [`${path}:${at + 1}`] : [])),
    );
    expect(found).toEqual([]);
    expect(COMPARED.test("if (entry.meta?.op !== 'sync') return;")).toBe(true);
    expect(COMPARED.test("if (['undo', 'redo'].includes(meta.op)) return;")).toBe(true);
  });
});
