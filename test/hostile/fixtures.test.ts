import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { runTool } from '../../src/index.ts';
import { type HostilePlace, hostilePlace, SECRET } from '../fuzz/hostile-place.ts';
import { pathCalls } from '../fuzz/path-calls.ts';
import { vedit } from '../helpers/vedit.ts';

/** What is at the path, and the codes with which the tools may answer. */
const FIXTURES: ReadonlyArray<
  readonly [what: string, path: string, make: (place: HostilePlace) => void, code: RegExp]
> = [
  ['a pipe', 'pipe', place => execFileSync('mkfifo', [place.path('pipe')]), /SPECIAL_FILE/],
  ['a folder', 'src', () => {}, /IS_DIRECTORY|FILE_EXISTS/],
  [
    'a file in place of a folder',
    'src/deep/er/b.ts/x',
    () => {},
    /FILE_EXISTS|FILE_NOT_FOUND|IS_DIRECTORY|STALE/,
  ],
  ['a link to a file outside', 'leak', () => {}, /OUTSIDE_WORKSPACE/],
  ['a link to a folder outside', 'out/secret', () => {}, /OUTSIDE_WORKSPACE/],
  ['a link into .git', 'g/config', () => {}, /PROTECTED_PATH/],
  ['a nested repository', 'nested/x', () => {}, /NESTED_REPOSITORY/],
  ['more than 64 MiB', 'huge', place => grown(place, 'huge', 64 * 1024 * 1024 + 1), /TOO_LARGE/],
  ['a socket', 'socket', place => void createServer().listen(place.path('socket')).unref(), /SPECIAL_FILE/],
  [
    'a bare repository',
    'bare/config',
    place => execFileSync('git', ['init', '-q', '--bare', place.path('bare')]),
    /NESTED_REPOSITORY/,
  ],
];

function grown(place: HostilePlace, path: string, size: number): void {
  writeFileSync(place.path(path), '');
  truncateSync(place.path(path), size);
}

it.each(FIXTURES)(
  '%s is refused by every tool at once, and by the command line',
  async (what, path, make, code) => {
    const place = hostilePlace();
    make(place);
    await new Promise(done => setTimeout(done, 10));
    place.trespasses();
    const session = await place.session();
    for (const call of pathCalls(path)) {
      if (call.filter || call.tool === 'blame' || call.input.at !== undefined) continue;
      // A folder may be moved.
      if (what === 'a folder' && call.tool === 'move') continue;
      const result = await runTool(session, call.tool, call.input);
      if (result.ok && call.tool === 'view') continue;
      const expected = call.tool === 'restore' || call.inText ? /^[A-Z_]+$/ : code;
      expect([call, result]).toEqual([
        call,
        expect.objectContaining({ ok: false, code: expect.stringMatching(expected) }),
      ]);
      expect(JSON.stringify(result)).not.toContain(SECRET);
    }
    const { code: exit } = await vedit(place, ['create', path, '--text', 'x', '--overwrite']);
    expect([1, 128]).toContain(exit);
    expect(place.trespasses()).toEqual([]);
    expect(place.git('for-each-ref', 'refs/vedit')).toBe('');
  },
);

it.runIf(process.getuid?.() === 0)('a device is refused and not read', async () => {
  const place = hostilePlace();
  execFileSync('mknod', [place.path('zero'), 'c', '1', '5']);
  const session = await place.session();
  for (const call of pathCalls('zero').filter(
    call => !call.filter && !call.inText && call.input.at === undefined,
  )) {
    const { ok } = await runTool(session, call.tool, call.input);
    expect([call, ok]).toEqual([call, false]);
  }
});

it('a hard link to a file outside: that file keeps its content', async () => {
  const place = hostilePlace();
  linkSync(place.path('..', 'outside', 'secret'), place.path('hard'));
  const session = await place.session();
  await session.edit('create', { path: 'hard', file_text: 'mine\n', overwrite: true });
  expect(readFileSync(place.path('..', 'outside', 'secret'), 'utf8')).toBe(SECRET);
  await session.undo();
  expect(place.read('hard')).toBe(SECRET);
  expect(statSync(place.path('hard')).nlink).toBe(1);
});

it('files that are in the way of the engine itself are not followed', async () => {
  const place = hostilePlace();
  for (const path of ['.git/vedit', '.git/refs/vedit']) mkdirSync(place.path(path), { recursive: true });
  execFileSync('ln', ['-s', place.path('..', 'outside'), place.path('.git/vedit/tmp')]);
  place.trespasses();
  const session = await place.session();
  const result = await runTool(session, 'create', { path: 'x.txt', file_text: 'x' });
  expect([result.ok, place.trespasses()]).toEqual([false, []]);
});
