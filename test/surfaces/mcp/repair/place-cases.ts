/** Refusals of paths, of files that cannot be edited, and of repositories and hosts that stand in the way. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { memoryStore } from '../../../../src/stores/simple.ts';
import type { Store } from '../../../../src/stores/store.ts';
import type { Place } from '../../../helpers/person-repo.ts';
import { KEYS } from '../../../text/key-forms.ts';
import type { Case } from './case.ts';
import { wordIn } from './model.ts';

const LINES = 'one\ntwo\nthree\n';
const FILES = { 'src/app.ts': LINES, 'a.txt': LINES };
const NEW = { file_text: 'new\n' };

/** No call of the model's can do what it asked for. */
const NONE = 'no call can do it: the text says so, and who can';

export const PLACE_CASES: readonly Case[] = [
  {
    code: 'FILE_NOT_FOUND',
    name: 'a name that is nearly right',
    files: FILES,
    call: ['str_replace', { path: 'src/ap.ts', old_str: 'two', new_str: '2' }],
    says: [/no file at src\/ap\.ts/],
    repair: (text, input) => ['str_replace', { ...input, path: wordIn(text, /Did you mean (\S+)\?/) }],
    gives: ['src/app.ts', /^one\n2\n/],
  },
  {
    code: 'FILE_NOT_FOUND',
    name: 'a view of a name that is not like any',
    files: FILES,
    call: ['view', { path: 'src/main.py' }],
    says: [/src holds app\.ts/],
    repair: text => ['view', { path: `src/${wordIn(text, /src holds ([^,]+?)[.,]? View/)}` }],
  },
  {
    code: 'FILE_NOT_FOUND',
    name: 'a restore from a commit without the file',
    files: FILES,
    first: [
      ['create', { path: 'n.txt', ...NEW }],
      ['delete', { path: 'n.txt' }],
    ],
    call: ['restore', { path: 'n.txt', from: '@' }],
    says: [/has no file n\.txt/],
    repair: (text, input) => ['restore', { ...input, from: wordIn(text, /that has it is ([0-9a-f]+)/) }],
    gives: ['n.txt', /^new\n$/],
  },
  {
    code: 'FILE_EXISTS',
    name: 'a file where another is to be made',
    files: FILES,
    call: ['create', { path: 'a.txt', ...NEW }],
    says: [/a\.txt exists already/, /str_replace/, /overwrite: true/],
    repair: (text, input) => ['create', { ...input, [wordIn(text, /send (\w+): true/)]: true }],
    gives: ['a.txt', /^new\n$/],
  },
  {
    code: 'FILE_EXISTS',
    name: 'a file at the new path',
    files: FILES,
    call: ['move', { path: 'src/app.ts', new_path: 'a.txt' }],
    says: [/a\.txt exists already/, /another new_path/],
    repair: (text, input) => ['move', { ...input, [wordIn(text, /send (\w+): true/)]: true }],
    gives: ['a.txt', /^one\n/],
  },
  {
    code: 'FILE_EXISTS',
    name: 'a file where a folder would be',
    files: FILES,
    call: ['create', { path: 'a.txt/b', ...NEW }],
    says: [/a\.txt is a file, so nothing can lie below it/, /another path/],
    repair: () => ['create', { path: 'b', ...NEW }],
    gives: ['b', /^new\n$/],
  },
  {
    code: 'IS_DIRECTORY',
    name: 'a folder in the place of a file',
    files: FILES,
    call: ['str_replace', { path: 'src', old_str: 'two', new_str: '2' }],
    says: [/src is a folder/],
    repair: (text, input) => [
      'str_replace',
      { ...input, path: `src/${wordIn(text, /src holds ([^,]+)\./)}` },
    ],
    gives: ['src/app.ts', /^one\n2\n/],
  },
  {
    code: 'BINARY_FILE',
    name: 'an edit of what is no text',
    make: repo => repo.write('a.bin', new Uint8Array([1, 0, 2])),
    call: ['str_replace', { path: 'a.bin', old_str: 'a', new_str: 'b' }],
    says: [/NUL byte at offset 1/],
    repair: () => ['create', { path: 'a.bin', ...NEW, overwrite: true }],
    gives: ['a.bin', /^new\n$/],
  },
  {
    code: 'NOT_UTF8',
    name: 'an edit of Latin-1',
    make: repo => repo.write('a.txt', new Uint8Array([97, 10, 233, 10])),
    call: ['str_replace', { path: 'a.txt', old_str: 'a', new_str: 'b' }],
    says: [/byte 0xE9 at offset 2 \(line 2\)/, /Declare its encoding/, /iso-8859-1/],
    repair: NONE,
  },
  {
    code: 'ENCODING',
    name: 'a character that the encoding lacks',
    files: { '.gitattributes': '*.txt working-tree-encoding=latin1\n', 'a.txt': 'a\n' },
    call: ['str_replace', { path: 'a.txt', old_str: 'a', new_str: 'a → b' }],
    says: [/which has no "→" \(U\+2192, line 1 of the new text\)/, /other characters/],
    repair: (_, input) => ['str_replace', { ...input, new_str: 'a -> b' }],
    gives: ['a.txt', /^a -> b\n$/],
  },
  {
    code: 'TOO_LARGE',
    name: 'a file over the limit',
    files: { 'a.txt': LINES.repeat(100) },
    options: () => ({ maxFileBytes: 1_000 }),
    call: ['view', { path: 'a.txt' }],
    says: [/a\.txt has 1400 bytes; files up to 1000 bytes/, /another program/],
    repair: NONE,
  },
  {
    code: 'OUTSIDE_WORKSPACE',
    name: 'a path that leads out',
    call: ['create', { path: '../n.txt', ...NEW }],
    says: [/"\.\.\/n\.txt" leads out of the workspace/, /from the root|from its root/],
    repair: (_, input) => ['create', { ...input, path: String(input.path).replace('../', '') }],
    gives: ['n.txt', /^new\n$/],
  },
  {
    code: 'OUTSIDE_WORKSPACE',
    name: 'a path from another root',
    call: ['create', { path: '/workspace/n.txt', ...NEW }],
    says: [/"\/workspace\/n\.txt" is absolute/, /relative to the root/],
    repair: (_, input) => ['create', { ...input, path: 'n.txt' }],
    gives: ['n.txt', /^new\n$/],
  },
  {
    code: 'OUTSIDE_WORKSPACE',
    name: 'a link that leads out',
    make: repo => symlinkSync('/etc', repo.path('out')),
    call: ['view', { path: 'out/hostname' }],
    says: [/the link out leads out of the workspace/, /inside the workspace/],
    repair: NONE,
  },
  {
    code: 'PROTECTED_PATH',
    name: 'a file of git’s own',
    call: ['create', { path: '.git/hooks/post-commit', ...NEW }],
    says: [/git's own folder/, /use git's commands/],
    repair: NONE,
  },
  {
    code: 'IGNORED_PATH',
    name: 'a file that git ignores',
    files: { '.gitignore': 'build\n' },
    call: ['create', { path: 'build', ...NEW }],
    says: [/Git ignores build/, /Go on without this file, or ask the person/],
    repair: () => ['create', { path: 'built', ...NEW }],
    gives: ['built', /^new\n$/],
  },
  {
    code: 'FILTERED_PATH',
    name: 'a file of Git LFS',
    files: { '.gitattributes': '*.psd filter=lfs\n' },
    call: ['create', { path: 'a.psd', ...NEW }],
    says: [/\.gitattributes gives a\.psd the attribute filter=lfs/, /git's own tools/],
    repair: NONE,
  },
  {
    code: 'NESTED_REPOSITORY',
    name: 'a file of another repository',
    make: repo => {
      mkdirSync(repo.path('sub'));
      repo.git('init', '-q', 'sub');
    },
    call: ['create', { path: 'sub/a.txt', ...NEW }],
    says: [/sub is a repository of its own/, /Open a workspace in it/],
    repair: NONE,
  },
  {
    code: 'SPECIAL_FILE',
    name: 'a pipe',
    make: repo => void execFileSync('mkfifo', [repo.path('pipe')]),
    call: ['view', { path: 'pipe' }],
    says: [/pipe is a device, pipe or socket/, /Name a regular file/],
    repair: NONE,
  },
  {
    code: 'DENIED',
    name: 'a rule of the host',
    options: () => ({
      beforeCommit: ({ paths }) =>
        paths[0]?.path === 'a.lock' ? { deny: 'Lock files are made by npm.' } : null,
    }),
    call: ['create', { path: 'a.lock', ...NEW }],
    says: [/Not allowed here: Lock files are made by npm\. Nothing was changed\./],
    repair: NONE,
  },
  {
    code: 'SECRET',
    name: 'a key',
    call: ['create', { path: 'a.env', file_text: `${KEYS['an npm token']!()}\n` }],
    says: [/a\.env has what looks like an npm token in line 1/, /allow_secret: true with a reason/],
    repair: (_, input) => ['create', { ...input, allow_secret: true, reason: 'the test server takes it' }],
  },
  {
    code: 'LOCKED',
    name: 'a lock of git',
    files: FILES,
    make: repo => repo.write('.git/refs/vedit/main.lock', ''),
    options: () => ({ patience: { engine: 50, git: 50 } }),
    call: ['create', { path: 'n.txt', ...NEW }],
    says: [/holds refs\/vedit\/main\.lock \(for \d+ s\)/, /Try again/],
    repair: (_, input) => ['create', input],
    meanwhile: repo => rmSync(repo.path('.git/refs/vedit/main.lock')),
    gives: ['n.txt', /^new\n$/],
  },
  {
    code: 'UNSUPPORTED_REPOSITORY',
    name: 'a repository of SHA-256',
    make: repo => {
      rmSync(repo.path('.git'), { recursive: true });
      repo.git('init', '-q', '--object-format=sha256');
    },
    call: ['view', { path: '.' }],
    says: [/object format sha256/, /--object-format=sha1/],
    repair: NONE,
  },
  {
    code: 'NOT_A_REPOSITORY',
    name: 'a folder without a repository',
    make: repo => rmSync(repo.path('.git'), { recursive: true }),
    call: ['view', { path: '.' }],
    says: [/no git repository here/, /vedit init/],
    repair: NONE,
  },
  {
    code: 'CORRUPT',
    name: 'an object that is gone',
    files: FILES,
    make: repo => rmSync(repo.path(`.git/objects/${fanned(repo.git('rev-parse', 'HEAD:src'))}`)),
    call: ['view', { path: 'src/app.ts', at: 'main' }],
    says: [/object [0-9a-f]{40} is missing/, /git fsck/],
    repair: NONE,
  },
  {
    code: 'STORE_FAILED',
    name: 'a store that does not answer',
    make: repo => bare(repo),
    options: () => ({ store: failingOnce() }),
    call: ['create', { path: 'n.txt', ...NEW }],
    says: [/The store failed: the database is locked/, /Nothing was changed; try again/],
    repair: (_, input) => ['create', input],
  },
  {
    code: 'INTERNAL_ERROR',
    name: 'a function of the program that fails',
    options: () => ({
      now: () => {
        throw new TypeError('no clock');
      },
    }),
    call: ['create', { path: 'n.txt', ...NEW }],
    says: [
      /now, a function of the program that the engine runs in, failed/,
      /no clock/,
      /nothing was changed/,
    ],
    repair: NONE,
  },
];

function fanned(oid: string): string {
  return `${oid.slice(0, 2)}/${oid.slice(2)}`;
}

function bare(repo: Place): void {
  rmSync(repo.path('.git'), { recursive: true });
  repo.git('init', '-q', '--bare', '-b', 'main', '.');
}

/** A store that fails when it is first written to. */
function failingOnce(): Store {
  const store = memoryStore();
  let failed = false;
  return {
    ...store,
    stage: async changes => {
      if (failed) return store.stage(changes);
      failed = true;
      throw new Error('the database is locked');
    },
  };
}
