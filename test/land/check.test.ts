/** Plans that are right pass the last look; those that are broken, each in a way that matters, do not. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { LandOptions } from '../../src/index.ts';
import { checkStates } from '../../src/land/check.ts';
import type { PathContents } from '../../src/land/contents.ts';
import { type LandPlan, planLanding } from '../../src/land/plan.ts';
import { statesOf } from '../../src/land/plan-commits.ts';
import { landNames } from '../../src/land/select.ts';
import { type Held, memoryPlace } from '../model/landings/place.ts';

const text = (path: string, value: string): [string, Held] => [
  path,
  { mode: '100644', bytes: Buffer.from(value) },
];

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join('');
const CACHE = 'const cache = {};\n';
const TIMER = 'const timer = 1;\n';

type Scene = Awaited<ReturnType<typeof scene>>;

/** Two agents, and a person whose own text is in the files; `made`: the edit of lines 5 and 6. */
async function scene() {
  const place = await memoryPlace(
    new Map([
      text('a.txt', LINES),
      text('b.txt', 'one\r\ntwo\r\nthree'),
      text('c.txt', 'c 1\nc 2\nc 3\n'),
      text('e.txt', 'e 1\ne 2\n'),
      text('i.bin', 'i\0'),
      text('z.txt', 'z\n'),
    ]),
    false,
  );
  const { workspace } = place;
  const [one, two] = ['s1', 's2'].map(id => workspace.session({ id, agent: id }));
  const swap = (session: typeof one, old_str: string, new_str: string) =>
    session!.edit('str_replace', { path: 'a.txt', old_str, new_str });
  const byHand = async (path: string, change: (text: string) => string, mode = '100644') => {
    const { bytes } = (await place.read(path))!;
    await place.write(path, { mode, bytes: Buffer.from(change(Buffer.from(bytes).toString())) });
  };
  await swap(one, 'line 3\n', 'three\n');
  const { data: made } = await swap(one, 'line 5\nline 6\n', 'five\nsix\n');
  await swap(one, 'line 8\n', '');
  await swap(two, 'line 10\n', 'line 10\nnew\n');
  await swap(two, 'line 12\n', 'Twelve\n');
  await swap(two, 'Twelve\n', 'TWELVE\n');
  await swap(one, 'line 14\n', `line 14\n${CACHE}`);
  await workspace.reject({ path: 'a.txt', lines: { start_line: 15, end_line: 15 }, reason: 'no' });
  await byHand('a.txt', now => now.replace('line 14\n', `line 14\n${CACHE}`));
  await one!.record(['a.txt']);
  await swap(one, 'line 18\n', `line 18\n${TIMER}`);
  await workspace.reject({ path: 'a.txt', lines: { start_line: 20, end_line: 20 }, reason: 'no' });
  await byHand('a.txt', now => `${now.replace('line 18\n', `line 18\n${TIMER}`)}mine\n`);
  await one!.edit('str_replace', { path: 'b.txt', old_str: 'two', new_str: 'TWO' });
  await one!.edit('move', { path: 'c.txt', new_path: 'd.txt' });
  await one!.edit('delete', { path: 'e.txt' });
  await one!.edit('move', { path: 'i.bin', new_path: 'j.bin' });
  await workspace.accept({ path: 'a.txt', lines: { start_line: 3, end_line: 3 } });
  await byHand('j.bin', () => 'j\0');
  await one!.edit('create', { path: 'x.sh', file_text: 'echo\n' });
  await byHand('d.txt', now => now, '100755');
  await byHand('a.txt', now => `mine too\n${now}`);
  return { ...place, made: made.commit! };
}

async function planned({ context, made }: Scene, options: LandOptions): Promise<LandPlan> {
  const commits = options.commits && [made];
  const all = { ...options, commits };
  return planLanding(context, all, commits ? await landNames(context, commits) : null);
}

type Change = [path: string, change: ((text: string) => string) | null, mode?: string];

/** The states of the plan, with files of one of them changed. */
async function brokenBy(plan: LandPlan, all: readonly Change[], at: number): Promise<PathContents[]> {
  const { contents } = plan;
  const states = statesOf(plan.commits).map(state => new Map(state));
  const state = states.at(at)!;
  for (const [path, change, mode] of all) {
    const now = state.get(path) ?? contents.before.get(path) ?? null;
    const old = now && (await contents.read(now.oid));
    const bytes = change && Buffer.from(change(old ? Buffer.from(old).toString() : ''));
    const oid = bytes && (await contents.keep(bytes));
    state.set(path, oid === null ? null : { mode: mode ?? now?.mode ?? '100644', oid });
  }
  return states;
}

const put = (after: string, line: string) => (now: string) =>
  now.replace(`${after}\n`, `${after}\n${line}\n`);
const turn = (from: string, to: string) => (now: string) => now.replace(from, to);

const A: ReadonlyArray<[what: string, change: (text: string) => string]> = [
  ['a line that nobody touched is there twice', put('line 1', 'line 1')],
  ['an edited line is there twice', put('three', 'three')],
  ['an edited line is there twice, apart', put('line 16', 'three')],
  ['two lines changed places', turn('line 1\nline 2\n', 'line 2\nline 1\n')],
  ['two edited lines changed places', turn('five\nsix\n', 'six\nfive\n')],
  ['an edited line is one line too far up', turn('line 2\nthree\n', 'three\nline 2\n')],
  ['a line that was put in is one line too far up', turn('line 10\nnew\n', 'new\nline 10\n')],
  ['a deleted line is back in another place', put('line 16', 'line 8')],
  ['what an edit wrote over lands', turn('TWELVE', 'Twelve')],
  ['what an edit wrote over lands beside it', put('line 11', 'Twelve')],
  ['a line that nobody wrote', put('line 2', 'nobody wrote this')],
  ['words of two versions in one line', turn('five\n', 'line 5 five\n')],
  ['rejected text in another place', put('line 16', TIMER.trimEnd())],
  ['the last line end is gone', now => now.slice(0, -1)],
  ['all line ends are others', now => now.replaceAll('\n', '\r\n')],
  ['one line end is another', turn('three\n', 'three\r\n')],
  ['a blank at the end of a line', turn('three\n', 'three \n')],
  ['a tab in place of a blank', turn('line 1\n', 'line\t1\n')],
  ['an empty line', put('line 2', '')],
  ['a byte order mark', now => `\ufeff${now}`],
];

const OTHERS: ReadonlyArray<[what: string, ...changes: Change[]]> = [
  ['line ends of a file are lost', ['b.txt', now => now.replaceAll('\r', '')]],
  ['a last line end that nobody put there', ['b.txt', now => `${now}\r\n`]],
  ['both names of a moved file', ['c.txt', () => 'c 1\nc 2\nc 3\n']],
  ['a moved file has a name that nobody gave it', ['d.txt', null], ['dd.txt', () => 'c 1\nc 2\nc 3\n']],
  ['a mode that nobody set', ['x.sh', now => now, '100755']],
  ['a link in place of a file', ['d.txt', now => now, '120000']],
  ['a new file is no text', ['x.sh', () => 'echo\0']],
  ['a content that nobody made of a file that is no text', ['j.bin', () => 'k\0']],
  ['a file that nobody asked for is changed', ['z.txt', () => 'zz\n']],
  ['a file that nobody asked for is deleted', ['z.txt', null]],
  ['a file that nobody made', ['y.txt', () => 'y\n']],
];

const SELECTED: ReadonlyArray<[what: string, options: LandOptions, change: Change, at?: number]> = [
  ['what nobody wrote in the first of many commits', { each: true }, ['a.txt', put('line 1', 'nobody')], 0],
  ['what nobody wrote, on another branch', { onto: 'topic' }, ['a.txt', put('line 1', 'nobody')]],
  ['what nobody wrote, of what was accepted', { accepted: true }, ['a.txt', put('line 1', 'nobody')]],
  ['what a named edit did not write', { commits: ['5'] }, ['a.txt', turn('six', 'words')]],
];

describe('the last look at a landing', () => {
  let at: Scene;
  beforeAll(async () => {
    at = await scene();
  });

  const plans = new Map<string, Promise<LandPlan>>();
  const planFor = (options: LandOptions): Promise<LandPlan> => {
    const key = JSON.stringify(options);
    const plan = plans.get(key) ?? planned(at, options);
    plans.set(key, plan);
    return plan;
  };

  const caught = async (options: LandOptions, changes: readonly Change[], state = -1): Promise<void> => {
    const plan = await planFor(options);
    const states = await brokenBy(plan, changes, state);
    expect(states).not.toEqual(statesOf(plan.commits));
    await expect(checkStates(plan, states)).rejects.toMatchObject({ code: 'CONFLICT' });
  };

  it.each<LandOptions>([
    {},
    { session: 's1' },
    { outside: true },
    { each: true },
    { accepted: true },
    { commits: ['5'] },
    { onto: 'topic' },
  ])('lets what is right pass: %j', async options => {
    const plan = await planFor(options);
    await checkStates(plan, statesOf(plan.commits));
  });

  it.each(A)('catches, in a text: %s', (_what, change) => caught({}, [['a.txt', change]]));

  it.each(OTHERS)('catches, of a file: %s', (_what, ...changes) => caught({}, changes));

  it.each(SELECTED)('catches, of a choice: %s', (_what, options, change, state) =>
    caught(options, [change], state),
  );
});
