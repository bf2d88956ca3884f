/** Repositories of any size: files spread over nested folders of a hundred entries, all of them on disk. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN_GIT } from './shell.mjs';

/** Runs git without config of the machine. @returns {string} */
export function git(folder, args, input) {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    env: PLAIN_GIT,
    input,
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString();
}

/** `00/03/file-00312.txt`: a hundred files in a folder, a hundred folders in a folder. */
export function pathOf(index) {
  const two = number => String(number).padStart(2, '0');
  return `${two(Math.floor(index / 10_000))}/${two(Math.floor(index / 100) % 100)}/file-${String(index).padStart(5, '0')}.txt`;
}

/** Thirty lines, one of which counts how often the file was edited. */
export function contentOf(index, count) {
  const lines = Array.from(
    { length: 30 },
    (_, line) => `line ${line} of file ${index}: ${mixed(index * 31 + line)}`,
  );
  lines[15] = `count ${count}`;
  return `${lines.join('\n')}\n`;
}

/** Digits that look different in every line, so that nothing compresses to nothing. */
function mixed(seed) {
  return (
    (Math.imul(seed + 1, 0x9e3779b1) >>> 0).toString(36) +
    (Math.imul(seed + 7, 0x85ebca6b) >>> 0).toString(36)
  ).padEnd(14, '0');
}

/** A person's repository with one commit, everything checked out and the index fresh. */
export function makeRepository(folder, files) {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '-q', '-b', 'main']);
  git(folder, ['config', 'user.name', 'A Person']);
  git(folder, ['config', 'user.email', 'person@example.com']);
  git(folder, ['fast-import', '--quiet'], importStream(files));
  git(folder, ['reset', '-q', '--hard']);
  return folder;
}

function importStream(files) {
  const parts = [
    'commit refs/heads/main\ncommitter A Person <person@example.com> 1700000000 +0000\n',
    data('all files\n'),
  ];
  for (let index = 0; index < files; index++)
    parts.push(`M 100644 inline ${pathOf(index)}\n${data(contentOf(index, 0))}`);
  return `${parts.join('')}\ndone\n`;
}

/** The data command of git-fast-import(1); the texts here are ASCII. */
export function data(text) {
  return `data ${text.length}\n${text}\n`;
}

/** A copy whose index knows the new files, so that no later command has to read them all. */
export function copyRepository(from, to) {
  execFileSync('cp', ['-a', from, to]);
  git(to, ['update-index', '-q', '--refresh']);
  return to;
}

/** The files of one repository, edited one after another: always the line that counts. */
export class Files {
  #folder;
  #files;
  #next = 0;

  constructor(folder, files) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Another file each time, spread over all folders. @returns {{ path: string, old_str: string, new_str: string }} */
  nextEdit() {
    const path = pathOf((this.#next++ * 7919) % this.#files);
    const count = countIn(this.#folder, path);
    return { path, old_str: `count ${count}\n`, new_str: `count ${count + 1}\n` };
  }

  /** The same, to be called without it. */
  edits() {
    return { nextEdit: () => this.nextEdit() };
  }

  /** The same edit done by hand. @returns {string} the path */
  editByHand() {
    const { path, old_str, new_str } = this.nextEdit();
    const file = join(this.#folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(old_str, new_str));
    return path;
  }
}

/** How often the file was edited. */
export function countIn(folder, path) {
  return Number(/^count (\d+)$/m.exec(readFileSync(join(folder, path), 'utf8'))[1]);
}
