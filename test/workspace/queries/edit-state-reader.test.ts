/** What became of an edit far down in a trail is the same whether the batches above it are passed over at once or row by row. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { nativeCodec } from '../../../src/git/native/codec.ts';
import { nodePlatform } from '../../../src/git/native/platform.ts';
import { encodeCommit } from '../../../src/git/objects/commit.ts';
import type { ObjectType } from '../../../src/git/objects/object.ts';
import { EditStates } from '../../../src/trail/history/edit-states.ts';
import { KeptEntries } from '../../../src/trail/kept-entries.ts';
import { formatMessage, type TrailMeta } from '../../../src/trail/message.ts';
import { useEntries } from '../../../src/trail/walk.ts';
import { openContext } from '../../../src/workspace/opening/open-context.ts';
import {
  editStateOf,
  type LoggedState,
  trailRows,
} from '../../../src/workspace/queries/edit-state-reader.ts';
import { openTrail } from '../../../src/workspace/trails/open-trail.ts';
import { type Place, personRepo } from '../../helpers/person-repo.ts';
import { lots } from '../../helpers/random-work.ts';

const COMMITS = 260;
const PATHS = Array.from({ length: 12 }, (_, n) => `f${n}.txt`);
const who = { name: 'A', email: 'a@example.com', offsetMinutes: 0 };

async function put(repo: Place, type: ObjectType, content: Uint8Array): Promise<string> {
  const { oid, deflated } = await nativeCodec.encode(type, content);
  const path = repo.path('.git/objects', oid.slice(0, 2), oid.slice(2));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, deflated);
  return oid;
}

/** A trail of edits, undos and restores beside a branch that moves and says to hold some of them. */
async function longTrail(draw: (below: number) => number): Promise<{ repo: Place; commits: string[] }> {
  const repo = personRepo(Object.fromEntries(PATHS.map(path => [path, '0\n'])));
  const trees = ['1', '2', '3'].map(text => {
    for (const path of PATHS) if (draw(2)) repo.write(path, `${text}\n`);
    repo.git('add', '-A');
    return repo.git('write-tree');
  });
  let head = repo.git('rev-parse', 'HEAD');
  let seconds = 1_700_000_100;
  const make = (parents: string[], message: string): Promise<string> => {
    const by = { ...who, seconds: ++seconds };
    return put(
      repo,
      'commit',
      encodeCommit({ tree: trees[draw(3)]!, parents, author: by, committer: by, message }),
    );
  };
  const commits: string[] = [];
  const some = (): string => commits[draw(commits.length)]!;
  for (let n = 0; n < COMMITS; n++) {
    const meta: TrailMeta = { op: 'str_replace', paths: [PATHS[draw(PATHS.length)]!], head };
    if (n === 0) meta.trail = 'refs/vedit/main';
    else if (draw(7) === 0) Object.assign(meta, { op: 'undo', undoes: [some()] });
    else if (draw(40) === 0) Object.assign(meta, { op: 'rollback', restores: some() });
    else if (draw(60) === 0) Object.assign(meta, { op: 'outside' });
    const parent = commits.at(-1) ?? head;
    commits.push(await make([parent], formatMessage(`edit ${n}`, undefined, meta)));
    if (draw(20) > 0) continue;
    const from = Math.max(0, commits.length - 1 - draw(12));
    const lands = draw(2) ? commits[from] : `${commits[from]}..${commits.at(-1)}`;
    head = await make([head], draw(3) ? 'by hand\n' : `by hand\n\nVedit-Lands: ${lands}\n`);
  }
  repo.git('update-ref', 'refs/heads/main', head);
  repo.git('update-ref', 'refs/vedit/main', commits.at(-1)!);
  return { repo, commits };
}

async function statesOf(repo: Place, commits: readonly string[], batch: number): Promise<LoggedState[]> {
  const context = await openContext(nodePlatform(), { root: repo.dir });
  const { fs, codec, objects, folder } = context;
  const trail = await openTrail(context);
  const none = { few: 0, get: async () => null, rowsFrom: async () => null, learn: async () => {} };
  rmSync(`${folder}/entries`, { force: true });
  mkdirSync(folder, { recursive: true });
  useEntries(objects, batch > 0 ? new KeptEntries({ fs, codec, objects, folder, batch, few: 2 }) : none);
  for await (const _ of trailRows(context, trail));
  const states: LoggedState[] = [];
  for (const commit of commits) states.push(await editStateOf(context, trail, commit));
  await objects.close();
  return states;
}

describe('what became of an edit', () => {
  it.each([1, 2])('is the same where batches are passed over at once (%i)', async seed => {
    const { repo, commits } = await longTrail(lots(seed * 4243));
    const asked = commits.filter((_, n) => n % 12 === 0);
    const expected = await statesOf(repo, asked, 0);
    const pass = vi.spyOn(EditStates.prototype, 'passAll');
    for (const batch of [2, 9]) expect(await statesOf(repo, asked, batch)).toEqual(expected);
    expect(pass.mock.results.filter(({ value }) => value === true).length).toBeGreaterThan(50);
    pass.mockRestore();
    expect(expected.filter(({ undone }) => undone).length).toBeGreaterThan(0);
    expect(expected.filter(({ landed }) => landed !== null).length).toBeGreaterThan(0);
  });
});
