/** The kinds of repositories that operations are tried in, each with files, staged and unstaged work of a person. */

import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { at, type Sandbox } from '../helpers/real-git.ts';

export interface Place {
  name: string;
  /** Of the image: the repository's own folder, and the folder that is opened. */
  gitDir: string;
  root: string;
  /** How the workspace is opened. */
  durability: 'full' | 'journal';
  make(dir: string): void;
}

export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'alpha\none\ntwo\nthree\nomega\n',
  'b.txt': 'beta\n',
  'run.sh': '#!/bin/sh\necho one\n',
  'dir/deep/only.txt': 'only\n',
};

/** What a person has staged, changed and not added must stay as it is. */
function personWorks(repo: Sandbox): void {
  repo.write('b.txt', 'beta, staged\n');
  repo.git('add', 'b.txt');
  repo.write('b.txt', 'beta, by hand and not staged\n');
  repo.write('untracked.txt', 'not added\n');
}

function start(dir: string, ...config: string[]): Sandbox {
  mkdirSync(dir, { recursive: true });
  const repo = at(dir);
  repo.git('init', '-q', '-b', 'main', '--template=');
  for (const line of config) repo.git('config', ...line.split(' '));
  for (const [path, text] of Object.entries(FILES)) repo.write(path, text);
  chmodSync(repo.path('run.sh'), 0o755);
  symlinkSync('a.txt', repo.path('link.txt'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'start');
  return repo;
}

const OWN = 'vedit.trail HEAD';

/** A person's repository: the trail is beside the branch. */
export const beside: Place = {
  name: 'beside the branch',
  durability: 'full',
  gitDir: '.git',
  root: '',
  make: dir => personWorks(start(dir)),
};

/** The trail is the checked-out branch. */
export const branch: Place = {
  name: 'on the branch',
  durability: 'full',
  gitDir: '.git',
  root: '',
  make: dir => personWorks(start(dir, OWN)),
};

/** Refs and objects are packed, the index is of version 3. */
const packed: Place = {
  ...branch,
  name: 'packed',
  make: dir => {
    const repo = start(dir, OWN);
    repo.git('gc', '-q');
    repo.git('pack-refs', '--all');
    personWorks(repo);
    repo.write('intent.txt', 'meant to be added\n');
    repo.git('add', '-N', 'intent.txt');
  },
};

const detached = (own: boolean): Place => ({
  ...branch,
  name: own ? 'detached, on HEAD' : 'detached, beside HEAD',
  make: dir => {
    const repo = start(dir, ...(own ? [OWN] : []));
    repo.git('checkout', '-q', '--detach');
    personWorks(repo);
  },
});

const worktree: Place = {
  name: 'linked worktree',
  durability: 'journal',
  gitDir: 'main/.git',
  root: 'linked',
  make: dir => {
    const main = start(`${dir}/main`);
    main.git('worktree', 'add', '-q', '-b', 'side', '../linked');
    personWorks(at(`${dir}/linked`));
  },
};

const unborn: Place = {
  ...branch,
  name: 'no commit yet',
  make: dir => {
    const repo = at(dir);
    repo.git('init', '-q', '-b', 'main', '--template=');
    repo.git('config', ...OWN.split(' '));
    for (const [path, text] of Object.entries(FILES)) repo.write(path, text);
    symlinkSync('a.txt', repo.path('link.txt'));
  },
};

const bare: Place = {
  name: 'bare',
  durability: 'full',
  gitDir: '',
  root: '',
  make: dir => {
    const source = start(`${dir}-source`);
    source.git('clone', '-q', '--bare', '--template=', source.dir, dir);
    source.git('-C', dir, 'remote', 'remove', 'origin');
  },
};

const subfolder: Place = {
  ...branch,
  name: 'folder of a repository',
  root: 'sub',
  make: dir => {
    const repo = at(dir);
    repo.git('init', '-q', '-b', 'main', '--template=');
    repo.git('config', ...OWN.split(' '));
    for (const [path, text] of Object.entries(FILES)) repo.write(`sub/${path}`, text);
    symlinkSync('a.txt', repo.path('sub/link.txt'));
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'start');
    personWorks(repo);
  },
};

const journal = (place: Place): Place => ({
  ...place,
  name: `${place.name}, durable by the journal`,
  durability: 'journal',
});

/** Git records other bytes than the files hold. */
const crlf: Place = {
  ...branch,
  name: 'line ends converted',
  make: dir => {
    const repo = start(dir, OWN, 'core.autocrlf true');
    for (const [path, text] of Object.entries(FILES)) repo.write(path, text.replaceAll('\n', '\r\n'));
    personWorks(repo);
  },
};

export const otherPlaces: readonly Place[] = [
  journal(beside),
  journal(branch),
  crlf,
  packed,
  detached(true),
  detached(false),
  worktree,
  unborn,
  bare,
  subfolder,
];
