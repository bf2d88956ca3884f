/** The command of the published package, and what it keeps of V8 for the next run. */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { published } from '../helpers/published.ts';

const { folder, remove } = published();
afterAll(remove);

const bin = join(folder, 'node_modules/versioned-edit/bin/vedit.js');
let cache = '';
let count = 0;
beforeEach(() => {
  cache = join(folder, `cache-${count++}`);
});

function vedit(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: cache };
  return execFileSync(process.execPath, [bin, ...args], { cwd: folder, env, encoding: 'utf8' });
}

const kept = (): string[] => {
  const place = join(cache, 'versioned-edit');
  return existsSync(place) ? readdirSync(place).map(name => join(place, name)) : [];
};

it('keeps what V8 compiled in the cache folder of the user, one file a command, readable by nobody else', () => {
  expect(vedit('--version')).toMatch(/^vedit \d/);
  vedit('completion', 'bash');
  expect(kept()).toHaveLength(2);
  const [first] = kept();
  const { mode, mtimeMs, size } = statSync(first!);
  expect([mode & 0o777, size > 10_000]).toEqual([0o600, true]);
  vedit('--version');
  vedit('completion', 'bash');
  expect(statSync(first!).mtimeMs).toBe(mtimeMs);
});

it('uses it: what is kept is not compiled again', () => {
  vedit('--version');
  const [file] = kept();
  const program = `
    import { load } from ${JSON.stringify(join(bin, '../load.js'))};
    const { keep } = load('--version');
    console.log(keep());`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: cache },
    encoding: 'utf8',
  });
  expect(ran.stdout).toBe('false\n');
  expect(kept()).toEqual([file]);
});

it('keeps what help ran apart from what a command ran, which is far more', () => {
  for (const help of ['--help', '-h']) expect(vedit('replace', help)).toContain('Usage: vedit replace');
  expect(kept().map(path => basename(path))).toEqual([expect.stringMatching(/^--help-/)]);
});

it('adds what a longer run compiled, now and then', () => {
  const cwd = join(folder, 'made');
  mkdirSync(cwd);
  const sizeAfter = (random: number, run: string): number => {
    const program = `
      import { load } from ${JSON.stringify(join(bin, '../load.js'))};
      Math.random = () => ${random};
      const { exports, keep } = load('init');
      ${run}
      keep();`;
    const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: cache };
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd, env });
    return statSync(kept()[0]!).size;
  };
  const whole = `await exports.main(['init']);`;
  const short = sizeAfter(0, '');
  expect(sizeAfter(0.5, whole)).toBe(short);
  const long = sizeAfter(0, whole);
  expect(long).toBeGreaterThan(short * 1.1);
  expect(sizeAfter(0, '')).toBe(long);
});

it('makes it anew where it does not fit', () => {
  vedit('--version');
  const [file] = kept();
  writeFileSync(file!, 'of another V8');
  expect(vedit('--version')).toMatch(/^vedit \d/);
  expect(readFileSync(file!).length).toBeGreaterThan(10_000);
});

it('writes it whole, whatever happens: synced before its rename, and apart from a process of the same number elsewhere', () => {
  vedit('--version');
  const [own] = kept();
  rmSync(own!);
  writeFileSync(`${own}.7`, 'of a process in another container');
  const program = `
    import fs from 'node:fs';
    import { createRequire } from 'node:module';
    Object.defineProperty(process, 'pid', { value: 7 });
    for (const name of ['fsyncSync', 'renameSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        console.log(name);
        return real(...args);
      };
    }
    const { load } = createRequire(import.meta.url)(${JSON.stringify(join(bin, '../load.js'))});
    load('--version').keep();`;
  const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: cache };
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' });
  expect(ran.stdout).toBe('fsyncSync\nrenameSync\n');
  expect(kept().sort()).toEqual([own, `${own}.7`]);
  expect(readFileSync(`${own}.7`, 'utf8')).toBe('of a process in another container');
});

it('trusts nothing that others may write', () => {
  vedit('--version');
  const [file] = kept();
  writeFileSync(file!, 'from somebody else');
  chmodSync(file!, 0o666);
  expect(vedit('--version')).toMatch(/^vedit \d/);
  expect(statSync(file!).mode & 0o777).toBe(0o600);
});

it('removes what builds before it kept, after a week', () => {
  vedit('--version');
  const [own] = kept();
  const others = ['log', 'status'].map(command =>
    own!.replace(/--version-.{16}/, `${command}-${'0'.repeat(16)}`),
  );
  for (const other of others) writeFileSync(other, 'of another build');
  const [old, young] = others;
  for (const path of [old!, own!]) utimesSync(path, 1_000_000_000, 1_000_000_000);
  vedit('completion', 'bash');
  expect([existsSync(own!), existsSync(old!), existsSync(young!)]).toEqual([true, false, true]);
});

it('works the same where nothing can be kept', () => {
  writeFileSync(cache, 'a file where the folder would be');
  expect(vedit('--version')).toMatch(/^vedit \d/);
  expect(readFileSync(cache, 'utf8')).toBe('a file where the folder would be');
});

it('keeps nothing of a call that failed', () => {
  mkdirSync(cache);
  expect(() => vedit('bogus')).toThrow();
  expect(kept()).toEqual([]);
});

it('runs on as it was when it is written over by another version meanwhile, and does not hold its file open', () => {
  const built = join(bin, '../../dist/cli/main.cjs');
  const bytes = readFileSync(built);
  const program = `
    import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
    import { setTimeout } from 'node:timers/promises';
    import { load } from ${JSON.stringify(join(bin, '../load.js'))};
    const { exports } = load('completion');
    const isOpen = () => readdirSync('/proc/self/fd').some(name => {
      try {
        return readlinkSync('/proc/self/fd/' + name).endsWith('/main.cjs');
      } catch {
        return false;
      }
    });
    await setTimeout(1_500);
    writeFileSync(${JSON.stringify(built)}, 'another version');
    if (process.platform === 'linux') console.log(isOpen());
    process.exitCode = await exports.main(['completion', 'bash']);`;
  try {
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('complete -F');
    expect(ran.stdout).not.toContain('true\n');
  } finally {
    writeFileSync(built, bytes);
  }
});
