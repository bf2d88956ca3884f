/**
 * Stories for a host that somebody has: they write refs below names of their own alone, and take them off again. Nothing of
 * them looks into the server other than by its refs.
 */

import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { systemGit } from '../../src/git/native/system-git.ts';
import type { Workspace } from '../../src/index.ts';
import { type Place, place } from '../helpers/person-repo.ts';
import { at, type Sandbox, sandbox } from '../helpers/real-git.ts';

export type HostStory = readonly [name: string, tell: (url: string) => Promise<void>];

/** Begins the name of every clone of these stories: nothing else is ever written, or deleted. */
const NAME = 'vedit-test';
const PREFIXES = [`refs/vedit-peers/${NAME}-`, `refs/heads/vedit/${NAME}-`];

/** With the environment of whoever runs the stories: their helpers and keys. */
export const hostGit: ReturnType<typeof systemGit> = systemGit(process.env);

/** The refs of the server, by name. */
export async function hostRefs(url: string): Promise<Map<string, string>> {
  const result = await hostGit({ args: ['ls-remote', '--refs', url], cwd: process.cwd(), limit: 1e8 });
  if (result?.code !== 0) throw new Error(`git ls-remote failed: ${result?.stderr ?? 'there is no git'}`);
  const lines = result.stdout.split('\n').filter(Boolean);
  return new Map(lines.map(line => line.split('\t', 2).reverse() as [string, string]));
}

/** Takes off what a story left behind, which only happens where it failed. Answers the names. */
export async function cleanHost(url: string): Promise<string[]> {
  const left = [...(await hostRefs(url))].filter(([name]) => isOwn(name));
  for (const [name, oid] of left) {
    const args = ['push', '--quiet', `--force-with-lease=${name}:${oid}`, url, `:${name}`];
    await hostGit({ args, cwd: process.cwd() });
  }
  return left.map(([name]) => name);
}

const isOwn = (name: string): boolean => PREFIXES.some(prefix => name.startsWith(prefix));

const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}\n`).join('');

/** Two clones of people who share a first commit that the server does not have; `heads`: below refs/heads/. */
function people(url: string, heads: boolean): { ada: Place; bob: Place } {
  const top = sandbox('ada');
  top.git('init', '-q', '-b', 'main');
  top.write('a.txt', LINES);
  top.git('add', '-A');
  top.git('commit', '-qm', 'start');
  execFileSync('git', ['clone', '-q', top.dir, top.path('..', 'bob')], { stdio: 'ignore' });
  const digits = String(randomInt(1e8)).padStart(8, '0');
  const person = (box: Sandbox, name: string): Place => {
    if (name === 'bob') box.git('remote', 'remove', 'origin');
    box.git('remote', 'add', 'origin', url);
    // The start of any name that a clone of theirs is given.
    box.git('config', 'user.name', `${NAME} ${name}`);
    box.git('config', 'user.email', `${name}@example.com`);
    box.git('config', 'vedit.clone', `${NAME}-${name}-${digits}`);
    if (heads) box.git('config', 'vedit.push', 'heads');
    return place(box);
  };
  return { ada: person(top, 'ada'), bob: person(at(top.path('..', 'bob')), 'bob') };
}

async function using<T>(box: Place, work: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = await box.open();
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

const replacing = (box: Place, from: string, to: string): Promise<unknown> =>
  using(box, one =>
    one
      .session({ agent: 'tester' })
      .edit('str_replace', { path: 'a.txt', old_str: `${from}\n`, new_str: `${to}\n` }),
  );
const push = (box: Place) =>
  using(box, one => one.push({ git: hostGit, withUnpushedCommits: true, withOutside: true }));
const fetch = (box: Place, clones: string[]) => using(box, one => one.fetch({ git: hostGit, clones }));

/** Publishes, fetches, goes back and is found out; then all is taken off again. */
async function shareAndTakeOff(url: string, heads: boolean): Promise<void> {
  const { ada, bob } = people(url, heads);
  const own = ['ada', 'bob'].map(name => ada.git('config', 'vedit.clone').replace('-ada-', `-${name}-`));
  await replacing(ada, 'line 2', 'two');
  const first = (await push(ada)).data.trails[0]!;
  expect(first).toMatchObject({ from: null, result: 'pushed' });
  expect((await hostRefs(url)).get(first.ref!)).toBe(first.to);
  await replacing(ada, 'line 3', 'three');
  const second = (await push(ada)).data.trails[0]!;
  expect(second).toMatchObject({ from: first.to, result: 'pushed' });

  await replacing(bob, 'line 8', 'eight');
  const fetched = await fetch(bob, own);
  expect(fetched.data.fetched.map(({ to }) => to)).toEqual([second.to]);
  await push(bob);
  await fetch(ada, own);
  for (const box of [ada, bob]) {
    expect((await using(box, one => one.verify())).data.faults).toEqual([]);
    expect(box.git('fsck', '--strict')).not.toMatch(/error|missing/);
  }

  await setRef(url, ada, first.ref!, first.to);
  const refused = await fetch(bob, own);
  expect(refused.data.refused).toMatchObject([{ why: expect.stringContaining('rewound') }]);
  await push(ada);

  for (const [name] of await hostRefs(url))
    if (own.some(clone => name.includes(`/${clone}/`))) await setRef(url, ada, name, null);
  const gone = await fetch(bob, own);
  expect(gone.data.gone).toHaveLength(1);
}

/** By plain git, as somebody does who is no clone of the story; refs of the stories alone. */
async function setRef(url: string, { dir }: Place, name: string, oid: string | null): Promise<void> {
  if (!isOwn(name)) throw new Error(`${name} is not a ref of these stories`);
  const args = ['push', '--quiet', '--force', url, `${oid ?? ''}:${name}`];
  const result = await hostGit({ args, cwd: dir });
  if (result?.code !== 0) throw new Error(result?.stderr ?? 'there is no git');
}

export const HOST_STORIES: readonly HostStory[] = [
  ['clones publish and fetch, and a rewound trail is found out', url => shareAndTakeOff(url, false)],
  [
    'a push from another value than the server has moves nothing',
    async url => {
      const { ada, bob } = people(url, false);
      await replacing(ada, 'line 2', 'two');
      const { ref, to } = (await push(ada)).data.trails[0]!;
      // The same name, from a history that does not go on from there: this folder is a copy.
      bob.git('config', 'vedit.clone', ada.git('config', 'vedit.clone'));
      await replacing(bob, 'line 2', 'zwei');
      const { data } = await push(bob);
      expect(data.renamed_from).toBe(ada.git('config', 'vedit.clone'));
      expect((await hostRefs(url)).get(ref!)).toBe(to);
      await setRef(url, ada, ref!, null);
      await setRef(url, bob, data.trails[0]!.ref!, null);
    },
  ],
];

/** Only where branches may be made: they may start CI. */
export const HEADS_STORIES: readonly HostStory[] = [
  ['the same below refs/heads/vedit/', url => shareAndTakeOff(url, true)],
];
