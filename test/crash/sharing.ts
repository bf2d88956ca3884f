/** A fetch, a push and a review that die at any call, or that a full disk stops: nothing is lost, and the next try does it. */

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { nodeFs } from '../../src/fs/node/node-fs.ts';
import { nativeCodec } from '../../src/git/native/codec.ts';
import type { RunGit } from '../../src/git/run-git.ts';
import { openOn, type Workspace } from '../../src/workspace/open.ts';
import { edit, git, shared, using } from '../helpers/clones.ts';
import { type Fault, type FaultFs, faultFs } from '../helpers/fault-fs.ts';
import { at, type Sandbox } from '../helpers/real-git.ts';
import { note, type Tally } from '../helpers/tally.ts';
import { brokenIn, describe, faultsOf } from './crash-points.ts';
import { processOfBoot } from './fault-harness.ts';
import { scratchFolder } from './image.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const TYPED = 'b\nwhat bob types\n';

/** What bob does, and what then is so: in his repository, on the server, in his file. */
interface Story {
  name: string;
  run(workspace: Workspace, git: RunGit): Promise<unknown>;
  /** `done`: it happened; else nothing of it did. */
  check(state: State, done: boolean): void;
  isDone(state: State): boolean;
}

const mirror = ({ bob, template }: State): string =>
  bob.git('for-each-ref', '--format=%(objectname)', template.ref);

const STORIES: readonly Story[] = [
  {
    name: 'fetch',
    run: (workspace, git) => workspace.fetch({ git }),
    isDone: state => mirror(state) === state.template.newer,
    check: state => {
      expect([state.template.older, state.template.newer]).toContain(mirror(state));
      expect(state.bob.git('rev-list', 'refs/vedit/main').split('\n')).toContain(state.template.own);
    },
  },
  {
    name: 'review',
    run: workspace => workspace.accept({ all: true }),
    isDone: ({ bob }) => bob.git('for-each-ref', 'refs/vedit-review') !== '',
    check: ({ bob }, done) => {
      if (done)
        expect(
          bob.git('show', `${bob.git('for-each-ref', '--format=%(refname)', 'refs/vedit-review')}:a.txt`),
        ).toContain('SEVEN');
    },
  },
  {
    name: 'push',
    run: (workspace, git) => workspace.push({ git, withOutside: true }),
    isDone: ({ server, template }) =>
      server.git('for-each-ref', '--format=%(objectname)', 'refs/vedit-peers').includes(template.own),
    check: ({ server, template }) => {
      const refs = server.git('for-each-ref', '--format=%(objectname)', 'refs/vedit-peers').split('\n');
      expect([1, 2]).toContain(refs.length);
      expect(refs).toContain(template.newer);
      for (const oid of refs) expect([template.newer, template.own]).toContain(oid);
    },
  },
];

/** Both folders and the server in one, which is copied for each try. */
interface Template {
  top: string;
  ref: string;
  /** What bob fetched of ada's trail, what the server has of it, and his own. */
  older: string;
  newer: string;
  own: string;
}

interface State {
  template: Template;
  bob: Sandbox;
  server: Sandbox;
  fs: FaultFs;
  error: unknown;
}

async function prepared(): Promise<Template> {
  const { server, ada, bob } = shared({ 'a.txt': LINES, 'b.txt': 'b\n' });
  const older = await edit(ada, 'a.txt', 'two', 'TWO', 'ada-agent');
  const { data } = await using(ada, one => one.push({ git }));
  await using(bob, one => one.fetch({ git }));
  const newer = await edit(ada, 'a.txt', 'four', 'FOUR', 'ada-agent');
  await using(ada, one => one.push({ git }));
  const own = await edit(bob, 'a.txt', 'seven', 'SEVEN', 'bob-agent');
  bob.write('b.txt', TYPED);
  bob.git('remote', 'set-url', 'origin', '../server.git');
  return { top: server.path('..'), ref: data.trails[0]!.ref!, older, newer, own };
}

async function run(template: Template, story: Story, ...faults: Fault[]): Promise<State> {
  const top = scratchFolder();
  const filter = (path: string): boolean => !path.endsWith('/vedit/live');
  for (const name of ['bob', 'server.git'])
    cpSync(`${template.top}/${name}`, `${top}/${name}`, {
      recursive: true,
      preserveTimestamps: true,
      filter,
    });
  const fs = faultFs(nodeFs(), ...faults);
  const state: State = { template, bob: at(`${top}/bob`), server: at(`${top}/server.git`), fs, error: null };
  const alive: RunGit = call => {
    if (fs.crashed) throw new Error('a dead process starts nothing');
    return git(call);
  };
  try {
    const workspace = await opened(fs, state.bob.dir);
    await story.run(workspace, alive);
    await workspace.close();
  } catch (error) {
    state.error = error;
  }
  return state;
}

function opened(fs: FaultFs | ReturnType<typeof nodeFs>, root: string): Promise<Workspace> {
  const platform = { fs, codec: nativeCodec, processes: processOfBoot('first') };
  return openOn(platform, { root, patience: { engine: 200, git: 100 } });
}

/** What holds at once, what holds after the next edit, and that the same call does it then. */
async function check(state: State, story: Story, faulty: boolean): Promise<void> {
  const { bob, server, fs, error } = state;
  for (const one of [bob, server]) expect(one.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(bob.pipe('', 'cat-file', 'blob', `:b.txt`).toString()).toBe('b\n');
  const workspace = await opened(nodeFs(), bob.dir);
  const session = workspace.session({ id: 'next' });
  await session.edit('create', { path: 'next.txt', file_text: 'next\n' });
  const done = story.isDone(state);
  story.check(state, done);
  // What a dead process would have answered, nobody hears.
  if (error === null && !fs.crashed) expect(done).toBe(true);
  expect(readFileSync(bob.path('b.txt'), 'utf8')).toBe(TYPED);
  expect((await workspace.verify()).data).toMatchObject({ faults: [], changed: [] });
  const again = (await story.run(workspace, git).catch(one => one)) as {
    data: { renamed_from?: string };
  };
  expect(again).toHaveProperty('data');
  if (story.name === 'push') {
    expect(again.data.renamed_from).toBeUndefined();
    expect(server.git('for-each-ref', 'refs/vedit-peers').split('\n')).toHaveLength(2);
  } else expect(story.isDone(state)).toBe(true);
  expect((await workspace.verify()).data).toMatchObject({ faults: [], changed: [] });
  await workspace.close();
  expect(leftovers(bob.path('.git'), faulty)).toEqual([]);
}

/**
 * Files that only an unfinished or a badly ended call leaves. What was fetched stays where it could not be removed, and is
 * swept a day later.
 */
function leftovers(gitDir: string, isFaulty: boolean): string[] {
  const names = readdirSync(gitDir, { recursive: true, encoding: 'utf8' });
  const usual = /^vedit\/(tmp$|live$|live\/|events$|wanted$|packs|fetch$)/;
  const left = names.filter(name => /\.lock$/.test(name) || (name.startsWith('vedit/') && !usual.test(name)));
  return isFaulty ? left.filter(name => !name.startsWith('vedit/fetch/')) : left;
}

/** Every `stride`-th call that changes something, of each story. */
export async function trySharing(tally: Tally, stride = 1, from = 0): Promise<void> {
  const template = await prepared();
  for (const story of STORIES) {
    const whole = await run(template, story);
    note(tally, story.name, await brokenIn(whole.bob.path('..'), () => check(whole, story, false)));
    const faults = faultsOf(whole.fs.trace);
    for (let i = from; i < faults.length; i += stride) {
      const { call, fault } = faults[i]!;
      const state = await run(template, story, fault);
      tally.points++;
      tally.states++;
      note(
        tally,
        `${fault.kind} at ${describe(call)} of a ${story.name}`,
        await brokenIn(state.bob.path('..'), () => check(state, story, true)),
      );
    }
  }
}
