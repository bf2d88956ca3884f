/** A file line by line on the page, from diffs alone, against git's own texts and the engine's own blame. */

import { describe, expect, it } from 'vitest';
import type { Session } from '../../../../../src/index.ts';
import type { BlameLine } from '../../../../../src/queries/blame.ts';
import { BEFORE } from '../../../../../src/surfaces/web/page/model/file-story.ts';
import { Story, tintOf } from '../../../../../src/surfaces/web/page/model/story.ts';
import { ownRepo, type Place, personRepo } from '../../../../helpers/person-repo.ts';
import { lots, randomWork } from '../../../../helpers/random-work.ts';

async function storyOf(session: Session): Promise<Story> {
  return new Story(await session.timeline());
}

/** Two agents and a person: edits, an undo and a redo, a change by hand, a move, a deletion, a commit. */
async function live(repo: Place): Promise<Session> {
  const workspace = await repo.open();
  const one = workspace.session({ id: 'one', agent: 'fixer' });
  const two = workspace.session({ id: 'two', agent: 'reviewer' });
  const replace = (session: Session, path: string, from: string, to: string) =>
    session.edit('str_replace', { path, old_str: from, new_str: to });
  await replace(one, 'a.txt', 'b\n', 'B\nB2\n');
  await replace(two, 'a.txt', 'h\n', 'H\n');
  await one.undo();
  repo.write('a.txt', `by hand\n${repo.read('a.txt')}by hand`);
  await replace(two, 'a.txt', 'm\n', '');
  await one.redo();
  await one.edit('move', { path: 'a.txt', new_path: 'sub/b.txt' });
  await replace(two, 'sub/b.txt', 'B2', 'B3');
  await one.edit('create', { path: 'a.txt', file_text: 'another\n' });
  repo.write('sub/b.txt', repo.read('sub/b.txt').replace('k\n', 'committed\n'));
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'by hand');
  await one.edit('delete', { path: 'crlf.txt' });
  await one.undo();
  await replace(two, 'crlf.txt', 'y', 'Y');
  await replace(two, 'sub/b.txt', 'p', 'P');
  return one;
}

/** At every step of every file. */
async function checkBlame(session: Session): Promise<void> {
  const story = await storyOf(session);
  for (const file of story.files) {
    for (const [at, { entry, change }] of file.steps.entries()) {
      if (change.kind === 'delete' || change.binary) continue;
      const { data } = await session.blame({ path: change.path, at: story.entries[entry]!.commit });
      const engine = (data.lines as BlameLine[]).map(line => line.commit);
      const page = file.origins(at + 1)!.map((origin, line) => {
        if (typeof origin === 'object') return origin.source?.commit ?? story.entries[origin.entry]!.commit;
        return origin === BEFORE && story.find(engine[line]!) === null ? engine[line] : origin;
      });
      expect([entry, page]).toEqual([entry, engine]);
    }
  }
}

const FILES = { 'a.txt': 'abcdefghijklmnop'.replace(/./g, '$&\n'), 'crlf.txt': '\ufeffx\r\ny\r\nz' };

describe.each([
  ['beside the branch', personRepo],
  ['on the branch', ownRepo],
])('the story of a file, %s', (_where, make) => {
  it('has every text as git has it', async () => {
    const repo = make(FILES);
    const story = await storyOf(await live(repo));
    const texts = story.files.flatMap(file =>
      file.steps.map(({ entry, change }, at) => ({ file, at, commit: story.entries[entry]!.commit, change })),
    );
    expect(texts.length).toBeGreaterThan(12);
    for (const { file, at, commit, change } of texts) {
      const after =
        change.kind === 'delete'
          ? ''
          : repo.pipe('', 'cat-file', '-p', `${commit}:${change.path}`).toString();
      const old = change.from ?? change.path;
      const before =
        change.kind === 'create' ? '' : repo.pipe('', 'cat-file', '-p', `${commit}~:${old}`).toString();
      expect([file.before(at)!.join(''), file.after(at + 1)!.join('')]).toEqual([before, after]);
    }
  });

  it('blames every line on the commit that the engine blames, and a sync for the commits it brought', async () => {
    const repo = make(FILES);
    const session = await live(repo);
    await checkBlame(session);
  });

  it('blames what ways back brought back on those who wrote it', async () => {
    const repo = make(FILES);
    const session = await live(repo);
    const other = await repo.session('three');
    await session.rollback('~6', { withOthers: true });
    await session.undo();
    await other.edit('move', { path: 'sub/b.txt', new_path: 'crlf.txt', overwrite: true });
    await other.undo();
    await session.restore({ path: 'sub/b.txt', from: '~5' });
    await session.revert('@');
    repo.git('checkout', '-q', 'sub/b.txt');
    await other.view({ path: 'sub/b.txt' });
    await other.edit('insert', { path: 'sub/b.txt', insert_line: 0, insert_text: 'top' });
    await checkBlame(session);
  });

  it.each([1, 2])('blames as the engine, whatever was done: %i', async seed => {
    const repo = make({ 'a.txt': 'one\ntwo\nthree\nfour\n', 'b.txt': 'one\n' });
    await randomWork(repo, lots(seed * 31), 60);
    await checkBlame(await repo.session());
  });
});

describe('a story', () => {
  it('knows who took back what', async () => {
    const story = await storyOf(await live(personRepo(FILES)));
    const undo = story.entries.findIndex(entry => entry.op === 'undo');
    const [link] = story.relationsOf(undo);
    expect(link!.words).toBe('takes back');
    expect(story.relationsOf(link!.entry).map(one => one.words)).toContain('taken back by');
  });

  it('gives each agent the colour of its name, the same in every story, and outside changes none of them', async () => {
    const story = await storyOf(await live(personRepo(FILES)));
    const tints = story.groups.map(group => [group.name, group.tint]);
    expect(tints).toEqual([
      ['fixer', tintOf('fixer')],
      ['reviewer', tintOf('reviewer')],
      ['not through vedit', 'tint-other'],
      ['Ada', 'tint-other'],
    ]);
  });

  it('takes two files that had one name after each other for two', async () => {
    const story = await storyOf(await live(personRepo(FILES)));
    const names = story.files.map(file => [file.name, file.steps.length]);
    expect(names).toContainEqual(['a.txt', 1]);
    expect(names).toContainEqual(['sub/b.txt', 10]);
  });
});
