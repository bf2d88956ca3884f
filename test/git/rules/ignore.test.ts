import { mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { locate } from '../../../src/git/repository/repository.ts';
import { IgnoreRules, ignoreRulesOf } from '../../../src/git/rules/path-rules.ts';
import { failing, overriding } from '../../helpers/overriding.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

/** The paths among these that git ignores. It looks itself whether a path is a folder. */
function gitIgnored(box: Sandbox, paths: readonly string[]): string[] {
  const args = ['check-ignore', '--no-index', '-z', '-v', '-n', '--stdin'];
  const input = paths.map(path => `${path}\0`).join('');
  const fields = spawn(box, args, input).split('\0').slice(0, -1);
  const hits = paths.filter((_, i) => fields[i * 4 + 2] !== '' && !fields[i * 4 + 2]!.startsWith('!'));
  expect(fields).toHaveLength(paths.length * 4);
  return hits;
}

/** `check-ignore` exits with 1 when it finds nothing. */
function spawn(box: Sandbox, args: string[], input: string): string {
  try {
    return box.pipe(input, ...args).toString();
  } catch (error) {
    return (error as { stdout: Buffer }).stdout.toString();
  }
}

async function ourIgnored(box: Sandbox, paths: readonly string[]): Promise<string[]> {
  const rules = ignoreRulesOf(await locate(nodeFs(), box.dir));
  const verdicts = await Promise.all(paths.map(path => rules.ignored(path, isFolder(box, path))));
  return paths.filter((_, i) => verdicts[i]);
}

function isFolder(box: Sandbox, path: string): boolean {
  return statSync(box.path(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const TABLE: [name: string, files: Record<string, string>, paths: string[]][] = [
  [
    'names and paths',
    { '.gitignore': '*.log\n/top\na/b\nfoo/\n' },
    ['x.log', 'd/x.log', 'top', 'd/top', 'a/b', 'd/a/b', 'foo', 'foo/x', 'd/foo/x'],
  ],
  [
    'negation',
    { '.gitignore': '*.log\n!keep.log\nout/\n!out/keep.log\n' },
    ['a.log', 'keep.log', 'd/keep.log', 'out/keep.log'],
  ],
  [
    'comments, blanks and escapes',
    { '.gitignore': '# no\n\\#yes\n\\!bang\ntrail  \nkept\\ \n tab\t\r\n\n' },
    ['# no', '#yes', '!bang', 'trail', 'kept ', 'kept', ' tab\t', ' tab'],
  ],
  [
    'double stars',
    { '.gitignore': '**/x\ny/**\nz/**/w\na**b\nq/**/\n' },
    ['x', 'd/e/x', 'y', 'y/f', 'z/w', 'z/1/2/w', 'a1b', 'a/b', 'q/r', 'q/r/s'],
  ],
  [
    'brackets',
    { '.gitignore': '[a-c]1\n[!a]2\n[]]3\n[[:digit:]]4\n[^x-]5\nz[\n[\\]]6\n' },
    ['b1', 'd1', 'a2', 'b2', ']3', '74', 'a4', 'x5', 'y5', '-5', 'z[', ']6'],
  ],
  [
    'files in folders',
    { '.gitignore': 'gen\n', 'd/.gitignore': '!gen\nlocal\n/only\n', 'd/e/.gitignore': 'gen\n' },
    ['gen', 'd/gen', 'd/e/gen', 'd/local', 'd/e/local', 'local', 'd/only', 'd/e/only'],
  ],
  [
    'a re-included folder',
    { '.git/info/exclude': 'build/\n', '.gitignore': '!build/\n' },
    ['build/x', 'build', 'd/build/x'],
  ],
  [
    'the exclude file',
    { '.git/info/exclude': 'secret\n*.tmp\n', '.gitignore': '!a.tmp\n' },
    ['secret', 'a.tmp', 'b.tmp'],
  ],
  ['bytes of names', { '.gitignore': '\uFEFFcaf?\n[é]x\nö*\n' }, ['café', 'cafe', 'éx', 'öl', 'l']],
  ['only a slash', { '.gitignore': '/\n!\n//\n./a\n../b\n\\\n' }, ['a', 'b', 'd/a', '\\']],
];

test.each(TABLE)('%s: the same paths as git', async (_, files, paths) => {
  const box = repository();
  for (const [path, text] of Object.entries(files)) box.write(path, text);
  expect(await ourIgnored(box, paths)).toEqual(gitIgnored(box, paths));
});

const NAMES = ['a', 'b', 'ab', 'a.b', 'A', '-', ']', 'é'];
const pattern = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '*',
      '**',
      '?',
      '/',
      '/',
      '!',
      '[ab]',
      '[!a]',
      '[',
      ']',
      '-',
      '\\',
      '.',
      ' ',
      'é',
      '[[:alpha:]]',
      '[a-',
      '#',
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map(parts => parts.join(''));
const file = fc.array(pattern, { minLength: 1, maxLength: 4 }).map(lines => `${lines.join('\n')}\n`);
const path = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join('/'));

test('random rules ignore the same paths as git', { timeout: 240_000 }, async () => {
  const box = repository();
  const files = fc.dictionary(
    fc.constantFrom('.gitignore', 'a/.gitignore', 'a/b/.gitignore', '.git/info/exclude'),
    file,
    { minKeys: 1 },
  );
  await fc.assert(
    fc.asyncProperty(files, fc.uniqueArray(path, { minLength: 12, maxLength: 12 }), async (rules, paths) => {
      for (const name of ['a', '.gitignore', '.git/info/exclude'])
        rmSync(box.path(name), { recursive: true, force: true });
      for (const [name, text] of Object.entries(rules)) box.write(name, text);
      expect(await ourIgnored(box, paths)).toEqual(gitIgnored(box, paths));
    }),
    { numRuns: 200 },
  );
});

test('a pattern for folders is not for files', async () => {
  const box = repository();
  box.write('.gitignore', 'out/\n');
  expect(await ourIgnored(box, ['out'])).toEqual(gitIgnored(box, ['out']));
  mkdirSync(box.path('out'));
  expect(await ourIgnored(box, ['out'])).toEqual(gitIgnored(box, ['out']));
  expect(await ourIgnored(box, ['out'])).toEqual(['out']);
});

test('core.ignoreCase and core.excludesFile of the repository count, and files of the user after them', async () => {
  const box = repository();
  box.write('.gitignore', 'Secret*\n[A-C]x\n[[:upper:]]1\n');
  box.write('more', 'from-config\n!kept\n');
  box.write('.git/users', 'from-user\nkept\n');
  box.git('config', 'core.ignoreCase', 'true');
  box.git('config', 'core.excludesFile', 'more');
  const paths = ['SECRET.env', 'bX', 'q1', 'from-config', 'FROM-config'];
  expect(await ourIgnored(box, paths)).toEqual(gitIgnored(box, paths));
  expect(await ourIgnored(box, paths)).toEqual(paths);
  const rules = ignoreRulesOf(await locate(nodeFs(), box.dir), [box.path('.git/users'), box.path('absent')]);
  expect(await Promise.all(['from-user', 'kept', 'other'].map(name => rules.ignored(name, false)))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a .gitignore that is a link, a folder or a pipe is passed over, as git does', async () => {
  const box = repository();
  box.write('rules', 'a\n');
  symlinkSync('rules', box.path('.gitignore'));
  mkdirSync(box.path('d/.gitignore'), { recursive: true });
  expect(gitIgnored(box, ['a', 'd/a'])).toEqual([]);
  expect(await ourIgnored(box, ['a', 'd/a'])).toEqual([]);
});

test('a file that cannot be read is an error, and read again at the next question', async () => {
  const box = repository();
  const repo = await locate(nodeFs(), box.dir);
  const broken = ignoreRulesOf({ ...repo, fs: overriding(nodeFs(), { lstat: failing('EACCES') }) });
  await expect(broken.ignored('a', false)).rejects.toMatchObject({ code: 'STORE_FAILED' });
  let attempts = 0;
  const read = async () => {
    if (attempts++ === 0) throw new Error('once');
    return 'a\n';
  };
  const rules = new IgnoreRules({ read, extra: async () => [] });
  await expect(rules.ignored('a', false)).rejects.toThrow('once');
  expect(await rules.ignored('a', false)).toBe(true);
});

test('each file is read once', async () => {
  const reads: string[] = [];
  const read = async (name: string) => {
    reads.push(name);
    return null;
  };
  const rules = new IgnoreRules({ read, extra: async () => [] });
  for (const name of ['a/b', 'a/c', 'd']) await rules.ignored(name, false);
  expect(reads.sort()).toEqual(['.gitignore', 'a/.gitignore']);
});

test('a hostile pattern takes no time to speak of', async () => {
  const rules = new IgnoreRules({
    read: async () => `${'*a'.repeat(500)}b\n${'**/a/'.repeat(200)}b\n`,
    extra: async () => [],
  });
  expect(await rules.ignored(`${'a'.repeat(2000)}/${'a/'.repeat(50)}c`, false)).toBe(false);
});
