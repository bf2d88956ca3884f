/** Repositories as earlier versions wrote them: what they hold is read and gone on with, whatever is written today. */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isEditError, type Session, type Workspace } from '../../src/index.ts';
import { FIXTURES, unpacked as unpackedOf } from '../helpers/kept-repositories.ts';
import { ADA, git } from '../helpers/landing.ts';
import type { Place } from '../helpers/person-repo.ts';
import { vedit } from '../helpers/vedit.ts';

interface Facts {
  trail: string;
  tip: string;
  /** Ids of blobs, by path. */
  files: Record<string, string>;
  head: Record<string, string>;
  count: number;
  /** `<id> <operation> <session> <author>`, some of them. */
  edits: string[];
  asked: {
    undo?: Record<string, string | null>;
    land?: Record<string, string | null>;
    views?: Record<string, string>;
    blame?: Record<string, string[]>;
    review?: Record<string, string[][]>;
    /** Text that nobody recorded. */
    isTyped?: true;
  };
}

/** Each by its version and name. */
const KEPT: ReadonlyArray<[story: string, Facts]> = ['0.1.0', '2026-11-24'].flatMap(version => {
  const facts: Record<string, Facts> = JSON.parse(
    readFileSync(join(FIXTURES, version, 'facts.json'), 'utf8'),
  );
  return Object.entries(facts).map(([name, one]): [string, Facts] => [`${version}/${name}`, one]);
});
const WHOLE = KEPT.filter(([name]) => !/killed|setAside/.test(name));
const asking = (question: keyof Facts['asked']) => WHOLE.filter(([, { asked }]) => asked[question]);

const unpacked = (story: string): Place => unpackedOf(dirname(story), basename(story));

async function opened(name: string): Promise<{ repo: Place; workspace: Workspace }> {
  const repo = unpacked(name);
  return { repo, workspace: await repo.open({ user: ADA }) };
}

const textOf = (repo: Place, path: string): string | null =>
  existsSync(repo.path(path)) ? repo.read(path) : null;

it('each repository has its facts, and each of them its repository', () => {
  const packed = readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.tar.gz'),
  );
  expect(packed.map(name => name.replace('.tar.gz', '')).sort()).toEqual(KEPT.map(([name]) => name).sort());
});

describe.each(WHOLE)('%s', (name, facts) => {
  it('has the edits that were made, by whom they were made, and is sound', async () => {
    const { repo, workspace } = await opened(name);
    const session = workspace.session({ id: 'reader' });
    const { entries } = (await session.log({ limit: 10_000 })).data;
    const made = entries.filter(({ op }) => op !== null);
    const told = made.map(one => `${one.commit.slice(0, 12)} ${one.op} ${one.session ?? '-'} ${one.author}`);
    expect(told.length).toBe(facts.count);
    expect(told.sort().slice(0, facts.edits.length)).toEqual(facts.edits);
    const status = (await session.status()).data;
    expect([status.trail, status.head]).toEqual([facts.trail, facts.tip]);
    if (!facts.asked.isTyped) expect((await workspace.verify()).data.faults).toEqual([]);
    const ids = Object.keys(facts.files).map(path => [path, repo.git('hash-object', '--no-filters', path)]);
    expect(Object.fromEntries(ids)).toEqual(facts.files);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('takes one more edit, and gives it back', async () => {
    const { repo, workspace } = await opened(name);
    const session = workspace.session({ agent: 'next' });
    const { data } = await session.edit('create', { path: 'next/edit.txt', file_text: 'next\n' });
    await session.undo();
    await workspace.close();
    expect(repo.git('rev-parse', `${data.commit}~`)).toBe(facts.tip);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    const ids = Object.keys(facts.files).map(path => [path, repo.git('hash-object', '--no-filters', path)]);
    expect(Object.fromEntries(ids)).toEqual(facts.files);
  });
});

it.each(asking('blame'))('%s: each line is of whom it was', async (name, { asked }) => {
  const { workspace } = await opened(name);
  for (const [path, who] of Object.entries(asked.blame!)) {
    const { data } = await workspace.session({ id: 'reader' }).blame({ path });
    expect([path, data.lines.map(({ author }) => author)]).toEqual([path, who]);
  }
});

it.each(asking('views'))('%s: files have the text that was recorded', async (name, { asked }) => {
  const { workspace } = await opened(name);
  for (const [path, text] of Object.entries(asked.views!)) {
    const { data } = await workspace.session({ id: 'reader' }).read(path);
    expect([path, data.text]).toEqual([path, text]);
  }
});

it.each(asking('undo'))('%s: the newest edit is taken back', async (name, { asked }) => {
  const { repo, workspace } = await opened(name);
  await workspace.session({ agent: 'next' }).undo({ scope: 'trail' });
  for (const [path, text] of Object.entries(asked.undo!))
    expect([path, textOf(repo, path)]).toEqual([path, text]);
});

it.each(asking('review'))('%s: what is left to review', async (name, { asked }) => {
  const { workspace } = await opened(name);
  const { hunks } = (await workspace.review()).data;
  for (const [path, texts] of Object.entries(asked.review!)) {
    const left = hunks.filter(hunk => hunk.path === path).map(({ after }) => after.lines);
    expect([path, left]).toEqual([path, texts]);
  }
});

it.each(asking('land'))(
  '%s: a landing commits the text that the files hold',
  async (name, { asked, head }) => {
    const { repo, workspace } = await opened(name);
    const plan = await workspace.land({ git, dryRun: true });
    expect(plan.data.commits.length).toBeGreaterThan(0);
    for (const [path, id] of Object.entries(head)) expect(repo.git('rev-parse', `HEAD:${path}`)).toBe(id);
    await workspace.land({ git, message: 'All of it' });
    for (const [path, text] of Object.entries(asked.land!)) {
      const committed =
        repo.git('ls-tree', 'HEAD', path) === '' ? null : repo.pipe('', 'show', `HEAD:${path}`);
      expect([path, committed?.toString() ?? null]).toEqual([path, text]);
    }
  },
);

it.each(WHOLE)('%s: commands answer', async name => {
  const repo = unpacked(name);
  const commands = [
    ['log'],
    ['log', '--graph', '--stat'],
    ['status'],
    ['sessions'],
    ['trails'],
    ['review', '--list'],
  ];
  for (const args of commands) {
    const { code, out, err } = await vedit(repo, args);
    expect({ args, code, err, isEmpty: out === '' }).toEqual({ args, code: 0, err: '', isEmpty: false });
  }
});

it.each([
  ['0.1.0/everyEdit', 'e-1', 'a.txt', 'line 2\n', 'two\n', { call_id: 'call-1', reason: 'line 2 to two' }],
  ['0.1.0/keptFiles', 'id-0', 'a.txt', 'line 2\n', 'second\n', {}],
])(
  '%s: an edit that is sent again with its id is not done again',
  async (name, edit_id, path, old_str, new_str, more) => {
    const { repo, workspace } = await opened(name);
    const before = repo.read(path);
    const session = workspace.session({ agent: 'fixer', id: 'fixer-1', model: 'm1' });
    const { data } = await session.edit('str_replace', { path, old_str, new_str, edit_id, ...more });
    expect([data.repeated, repo.read(path)]).toEqual([true, before]);
  },
);

it('reviews: what was rejected is still refused, with the reason', async () => {
  const { workspace } = await opened('0.1.0/reviews');
  const session = workspace.session({ agent: 'fixer', id: 'fixer-1' });
  const again = session.edit('str_replace', { path: 'a.txt', old_str: 'line 8\n', new_str: 'changed 8\n' });
  await expect(again).rejects.toMatchObject({
    code: 'REJECTED',
    message: expect.stringContaining('eight stays'),
  });
});

it('everyEdit: refusals that were kept are told', async () => {
  const { workspace } = await opened('0.1.0/everyEdit');
  const refusals = await workspace.session({ id: 'reader' }).refusals();
  expect(refusals.map(({ code, path }) => [code, path])).toEqual([['NO_MATCH', 'a.txt']]);
});

/** Makes an edit; before it locks of git go that a copy would hold for good, where the refusal says so. */
async function edited(repo: Place, session: Session): Promise<string> {
  const edit = { path: 'next.txt', file_text: 'next\n' };
  for (const lock of ['refs/vedit/main.lock', 'index.lock', 'HEAD.lock', 'refs/heads/main.lock'])
    try {
      return (await session.edit('create', edit)).data.commit!;
    } catch (error) {
      if (!isEditError(error, 'LOCKED')) throw error;
      rmSync(repo.path('.git', lock), { force: true });
    }
  return (await session.edit('create', edit)).data.commit!;
}

const [BEFORE, AFTER] = ['ONE\ntwo\nthree\n', 'ONE\nTWO\nthree\n'];

describe('what a killed process left, in a copy of the repository', () => {
  it.each(
    ['0.1.0', '2026-11-24'].flatMap(
      version =>
        [
          [`${version}/killedBeforeRef`, ['fixer'], [BEFORE]],
          [`${version}/killedAnswered`, ['writer', 'fixer'], [AFTER]],
          [`${version}/killedLarge`, ['writer', 'fixer'], [AFTER]],
          // It was not answered, and the file of a copy is none that the engine knows.
          [`${version}/killedAfterRef`, ['writer', 'fixer'], [BEFORE, AFTER]],
          [`${version}/killedOnTheBranch`, ['writer', 'fixer'], [BEFORE, AFTER]],
        ] as const,
    ),
  )('%s: the edit is there or is not, whole, and the next one goes on', async (name, who, texts) => {
    const repo = unpacked(name);
    const workspace = await repo.open({ user: ADA, patience: { git: 20 } });
    const commit = await edited(repo, workspace.session({ agent: 'next' }));
    await workspace.close();
    const authors = repo.git('log', '--format=%an', commit).split('\n');
    expect(authors.filter(author => author === 'fixer' || author === 'writer')).toEqual(who);
    expect(texts).toContain(repo.read('a.txt').slice(0, BEFORE.length));
    if (texts.length === 1) expect((await (await repo.open()).verify()).data.faults).toEqual([]);
    expect(repo.git('fsck', '--strict', '--no-dangling')).toBe('');
    expect(readdirSync(repo.path('.git/vedit')).filter(file => /^(journal|keep-|lock)/.test(file))).toEqual(
      [],
    );
  });
});

it('what was set aside is put in place', async () => {
  const { repo, workspace } = await opened('2026-11-24/setAside');
  const session = workspace.session({ agent: 'next' });
  expect(repo.read('a.txt')).toBe(BEFORE);
  const { data } = await session.edit('create', { path: 'next.txt', file_text: 'next\n' });
  await workspace.close();
  expect(repo.git('rev-parse', 'refs/vedit/main')).toBe(data.commit);
  expect(repo.read('a.txt')).toBe(AFTER);
});
