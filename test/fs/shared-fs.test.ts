/** What the engine makes in a shared repository, and what the real git makes in the same one. */

import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../helpers/real-git.ts';

const SCRIPT = join(import.meta.dirname, 'shared-edit.mjs');

/** Git under an umask of its own. */
function gitUnder(umask: string, box: Sandbox, ...args: string[]): void {
  const config = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('sh', ['-c', `umask ${umask} && exec git "$@"`, 'sh', ...config, ...args], { cwd: box.dir });
}

function sharedRepo(value: string, umask: string): Sandbox {
  const box = sandbox();
  gitUnder(umask, box, 'init', '-q', '-b', 'main', '--template=', `--shared=${value}`);
  box.write('a.txt', 'one\n');
  chmodSync(box.path('a.txt'), 0o640);
  gitUnder(umask, box, 'add', '-A');
  gitUnder(umask, box, 'commit', '-qm', 'start');
  return box;
}

type Modes = Record<string, string>;

/** By kind of file: of each kind all modes that there are. */
function kinds(modes: Modes, wanted: (path: string) => boolean = () => true): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [path, mode] of Object.entries(modes)) {
    const kind = KINDS.find(([, pattern]) => pattern.test(path))?.[0];
    if (kind && wanted(path)) found[kind] = [...new Set([...(found[kind] ?? []), mode])].sort();
  }
  return found;
}

const KINDS: readonly [string, RegExp][] = [
  [
    'folder',
    /^\.git\/(objects\/[0-9a-f]{2}|objects\/pack|refs\/vedit|refs\/heads\/topic|logs|vedit|vedit\/(tmp|live|packs))$/,
  ],
  ['object', /^\.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/],
  ['pack', /^\.git\/objects\/pack\/.*\.(pack|idx)$/],
  [
    'file',
    /^\.git\/(index|refs\/.*\/\w+|logs\/.*\/\w+|logs\/HEAD|vedit\/(journal|keep-).*|vedit\/packs\/.+)$/,
  ],
];

function modesOf(root: string): Modes {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    paths.map(path => [path, (lstatSync(join(root, path)).mode & 0o7777).toString(8)]),
  );
}

/** Of all that git makes when it adds, commits, branches and packs. */
function gitsKinds(value: string, umask: string): Record<string, string[]> {
  const box = sharedRepo(value, umask);
  gitUnder(umask, box, 'branch', 'topic/one');
  const loose = kinds(modesOf(box.dir));
  gitUnder(umask, box, 'repack', '-q', '-d');
  return { ...loose, pack: kinds(modesOf(box.dir)).pack! };
}

it.each(
  ['umask', 'group', 'all', '0660', '0640'].flatMap(value =>
    ['022', '077'].map(umask => [value, umask] as const),
  ),
)(
  'core.sharedRepository %s under umask %s: every file and folder has the mode that git gives',
  (value, umask) => {
    const box = sharedRepo(value, umask);
    box.git('config', 'vedit.trail', 'HEAD');
    const before = new Set(Object.keys(modesOf(box.dir)));
    const out = execFileSync(process.execPath, [SCRIPT, realpathSync(box.dir), umask], { encoding: 'utf8' });
    const { edited, closed } = JSON.parse(out) as { edited: Modes; closed: Modes };
    const gits = gitsKinds(value, umask);
    const replaced = (path: string): boolean => !before.has(path) || /index$|logs\/|heads\/main$/.test(path);
    // A checkpoint packs the loose objects of the edits.
    const { pack, object, ...both } = gits;
    expect(kinds(edited, replaced)).toEqual({ ...both, object });
    expect(kinds(closed, replaced)).toEqual({ ...both, pack });
    // Files of the work tree are not git's.
    const plain = (0o666 & ~Number.parseInt(umask, 8)).toString(8);
    expect([edited['a.txt'], edited['large.txt'], edited['new/deep.txt']]).toEqual(['640', plain, plain]);
  },
);
