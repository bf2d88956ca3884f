/** The real git for landings, and what a landing must leave alone. */

import { chmodSync } from 'node:fs';
import { systemGit } from '../../src/git/native/system-git.ts';
import type { RunGit } from '../../src/git/run-git.ts';
import type { EditError, LandOptions, Person, Workspace } from '../../src/index.ts';
import { type Place, personRepo } from './person-repo.ts';
import type { Sandbox } from './real-git.ts';

/** Runs as Ada, with nothing of the machine's configuration. */
export const git: RunGit = systemGit({
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
});

export const ADA: Person = { name: 'Ada', email: 'ada@example.com' };

/** Installs a hook, a shell script. */
export function hook(repo: Sandbox, name: string, script: string): void {
  repo.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
  chmodSync(repo.path('.git/hooks', name), 0o755);
}

/** What is committed, staged and on disk at a path. */
export function three(repo: Place, path: string): Record<'head' | 'index' | 'file', string> {
  return {
    head: repo.git('show', `HEAD:${path}`),
    index: repo.git('show', `:${path}`),
    file: repo.read(path),
  };
}

/** `git status`, short, without untracked files. */
export function dirty(repo: Sandbox): string[] {
  return repo.git('status', '--porcelain', '-uno').split('\n').filter(Boolean);
}

export const LINES: string = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Two edits of one session, one of another. */
export async function edited(repo: Place = personRepo({ 'a.txt': LINES, 'b.txt': LINES })): Promise<Place> {
  const first = await repo.session('s1');
  const second = await (await repo.open()).session({ id: 's2', agent: 'gpt' });
  await first.edit('str_replace', { path: 'a.txt', old_str: 'one', new_str: 'ONE', reason: 'Louder.' });
  await second.edit('str_replace', { path: 'a.txt', old_str: 'seven', new_str: 'SEVEN' });
  await first.edit('create', { path: 'src/new.txt', file_text: 'new\n' });
  return repo;
}

type Edit = readonly [path: string, from: string, to: string, session?: string];

export async function edit(repo: Place, ...edits: Edit[]): Promise<string[]> {
  const commits: string[] = [];
  for (const [path, old_str, new_str, session = 's1'] of edits) {
    const { data } = await (await repo.session(session)).edit('str_replace', { path, old_str, new_str });
    commits.push(data.commit!);
  }
  return commits;
}

export async function land(repo: Place, options: LandOptions = {}): ReturnType<Workspace['land']> {
  return (await repo.open()).land({ git, ...options });
}

/** How a landing is refused. */
export async function refusal(
  repo: Place,
  options: LandOptions = {},
): Promise<{ code: string; message: string; data: Partial<EditError['data']> }> {
  return land(repo, options).then(
    () => ({ code: 'landed', message: '', data: {} }),
    error => error,
  );
}

export const files = (): Place => personRepo({ 'a.txt': LINES, 'b.txt': LINES });

/** What `git` prints has lost the last line end. */
export const shown = (text: string): string => text.trimEnd();
