/** What other programs make of texts and patches: git and diff, many of them by one shell. */

import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
};

export type Texts = Record<string, string>;

/** The files that `git apply` leaves, `null` where it refuses the patch; one answer for each case. */
export function gitApply(cases: ReadonlyArray<{ files: Texts; patch: string }>): Array<Texts | null> {
  return inFolder(folder => {
    for (const [i, { files, patch }] of cases.entries()) {
      for (const [path, text] of Object.entries(files)) write(join(folder, `${i}`, path), text);
      write(join(folder, `${i}.patch`), patch);
    }
    const script = `i=0; while [ $i -lt ${cases.length} ]; do mkdir -p $i; if (cd $i && git apply --whitespace=nowarn ../$i.patch 2>/dev/null); then echo $i; fi; i=$((i+1)); done`;
    const done = new Set(shell(folder, script).toString().split('\n'));
    return cases.map((_, i) => (done.has(`${i}`) ? read(join(folder, `${i}`)) : null));
  });
}

/** What `command` prints for each pair, run in a folder with the texts as a/f.txt and b/f.txt; $i is its number. */
export function diffs(
  pairs: ReadonlyArray<readonly [string, string]>,
  command: (i: number) => string,
): string[] {
  return inFolder(folder => {
    for (const [i, [a, b]] of pairs.entries()) {
      write(join(folder, `${i}`, 'a/f.txt'), a);
      write(join(folder, `${i}`, 'b/f.txt'), b);
    }
    const script = pairs.map((_, i) => `(cd ${i}; ${command(i)}) > ${i}.patch`).join('\n');
    shell(folder, `${script}\ntrue`);
    return pairs.map((_, i) => readFileSync(join(folder, `${i}.patch`), 'utf8'));
  });
}

/** A text, and whether the file is executable. */
export type Tree = Record<string, { text: string; executable: boolean }>;

/** What `git diff-tree` with these options prints for each pair of trees. */
export function treeDiffs(pairs: ReadonlyArray<readonly [Tree, Tree]>, options: string): string[] {
  return inFolder(folder => {
    for (const [i, trees] of pairs.entries()) {
      for (const [k, tree] of trees.entries()) {
        mkdirSync(join(folder, `${i}-${k}`));
        for (const [path, { text, executable }] of Object.entries(tree))
          write(join(folder, `${i}-${k}`, path), text, executable ? 0o755 : 0o644);
      }
    }
    const tree = (i: number, k: number): string =>
      `$(git --work-tree=../${i}-${k} add -A . && git write-tree)`;
    const lines = pairs.map(
      (_, i) => `a=${tree(i, 0)}; b=${tree(i, 1)}; git diff-tree -p ${options} $a $b > ../${i}.patch`,
    );
    shell(folder, ['git init -q repo', 'cd repo', ...lines].join('\n'));
    return pairs.map((_, i) => readFileSync(join(folder, `${i}.patch`), 'utf8'));
  });
}

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'vedit-patch-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function shell(cwd: string, script: string): Buffer {
  return execFileSync('sh', [], { cwd, env: ENV, input: script, maxBuffer: 1e9 });
}

function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

function read(folder: string): Texts {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    paths.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
