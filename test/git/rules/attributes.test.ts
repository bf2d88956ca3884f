import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { Attributes } from '../../../src/git/rules/attributes.ts';
import { attributesOf } from '../../../src/git/rules/path-rules.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

type Found = Record<string, Record<string, string>>;

/** Per path, what `git check-attr --all` prints. */
function gitAttributes(box: Sandbox, paths: readonly string[]): Found {
  const output = box.pipe(paths.map(path => `${path}\0`).join(''), 'check-attr', '-z', '--all', '--stdin');
  const found: Found = Object.fromEntries(paths.map(path => [path, {}]));
  const fields = output.toString().split('\0');
  for (let at = 0; at + 2 < fields.length; at += 3) found[fields[at]!]![fields[at + 1]!] = fields[at + 2]!;
  return found;
}

async function ourAttributes(box: Sandbox, paths: readonly string[]): Promise<Found> {
  const rules = attributesOf(await locate(nodeFs(), box.dir));
  const found: Found = {};
  for (const path of paths) {
    const values = Object.entries(await rules.of(path));
    found[path] = Object.fromEntries(values.map(([name, value]) => [name, word(value)]));
  }
  return found;
}

function word(value: boolean | string | undefined): string {
  return value === true ? 'set' : value === false ? 'unset' : String(value);
}

test('values, macros, folders and quoted patterns: the same as git', async () => {
  const box = repository();
  box.write(
    '.gitattributes',
    [
      '\uFEFF*.txt text eol=lf',
      '  *.bin binary ident',
      '# a comment',
      '*.lfs filter=lfs diff=lfs merge=lfs -text',
      '[attr]own -text custom=1 !ident',
      '*.own ident own',
      '*.own2 own ident',
      '"with space\\t*" a',
      '/top b=1 -b b=2',
      'd/*.c c',
      'folder/ no',
      '!neg no',
      '*.utf16 working-tree-encoding=UTF-16 -crlf',
      'bad -@x',
      'bad2 x/y',
      '*.multi one two=2 -three !four',
      `${'x'.repeat(2050)} long`,
      'empty',
      'val v=\r',
      'last z',
    ].join('\n'),
  );
  box.write('d/.gitattributes', '*.txt -text\n*.lfs !filter\n[attr]local x\n*.c local\n');
  box.write('.git/info/attributes', 'secret.txt eol=crlf\n');
  const names = [
    'a.txt',
    'a.bin',
    'a.lfs',
    'a.own',
    'a.own2',
    'with space\tx',
    'top',
    'x.c',
    'folder',
    'neg',
    'a.utf16',
    'bad',
    'bad2',
    'a.multi',
    'x'.repeat(200),
    'empty',
    'val',
    'last',
    'secret.txt',
  ];
  const paths = [...names, ...names.map(name => `d/${name}`), 'e/d/x.c'];
  const ours = await ourAttributes(box, paths);
  expect(ours).toEqual(gitAttributes(box, paths));
  expect(ours['a.lfs']).toEqual({ filter: 'lfs', diff: 'lfs', merge: 'lfs', text: 'unset' });
  expect(ours['d/a.lfs']).not.toHaveProperty('filter');
});

test('core.attributesFile of the repository is overridden by all others', async () => {
  const box = repository();
  box.write('base', '* filter=base ident\n[attr]binary own\n*.x binary\n');
  box.write('.gitattributes', '*.y -ident\n');
  box.git('config', 'core.attributesFile', box.path('base'));
  box.git('config', 'core.ignoreCase', 'true');
  const paths = ['a', 'a.x', 'A.X', 'a.y', 'a.Y'];
  expect(await ourAttributes(box, paths)).toEqual(gitAttributes(box, paths));
});

test('random files give the same attributes as git', { timeout: 240_000 }, async () => {
  const box = repository();
  const setting = fc.constantFrom(
    'text',
    '-text',
    '!text',
    'text=auto',
    'eol=lf',
    'binary',
    '-binary',
    '!binary',
    'm',
    '-m',
    'n',
    'diff',
    'filter=x',
    '-filter',
    'a=',
    '=a',
    '--',
    '_.-9',
  );
  const pattern = fc.constantFrom(
    'a',
    '*',
    '*.b',
    '/a',
    'd/*',
    '**/a',
    'd/**',
    '[a-c]',
    '"a"',
    '"a',
    '!a',
    'a/',
    '#a',
    '[attr]m',
    '[attr]n',
    '[attr]binary',
    '[attr]text',
    '[attr]',
  );
  const line = fc
    .tuple(pattern, fc.array(setting, { maxLength: 3 }))
    .map(([head, rest]) => [head, ...rest].join(' '));
  const file = fc.array(line, { maxLength: 5 }).map(lines => lines.join('\n'));
  const files = fc.dictionary(
    fc.constantFrom('.gitattributes', 'd/.gitattributes', '.git/info/attributes'),
    file,
  );
  const paths = ['a', 'x.b', 'd/a', 'd/x.b', 'd/e/a', 'b'];
  await fc.assert(
    fc.asyncProperty(files, async written => {
      for (const name of ['d', '.gitattributes', '.git/info/attributes'])
        rmSync(box.path(name), { recursive: true, force: true });
      for (const [name, text] of Object.entries(written)) box.write(name, text);
      expect(await ourAttributes(box, paths)).toEqual(gitAttributes(box, paths));
    }),
    { numRuns: 150 },
  );
});

test('each file is read once, and an attribute may have any name', async () => {
  const reads: string[] = [];
  const read = async (path: string) => {
    reads.push(path);
    return path === '.gitattributes' ? '* __proto__=x constructor\n' : null;
  };
  const rules = new Attributes({ read });
  expect(Object.keys(await rules.of('d/a')).sort()).toEqual(['__proto__', 'constructor']);
  await rules.of('d/b');
  expect(reads.sort()).toEqual(['.gitattributes', 'd/.gitattributes']);
});
