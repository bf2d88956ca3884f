/** Index files made by the real git, changed by the engine, and read by git again. */

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { EditError } from '../../../src/errors.ts';
import { type Fs, lstatOf } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { type IndexChange, updateIndex } from '../../../src/git/index/file.ts';
import { repository, type Sandbox } from '../../helpers/real-git.ts';

export const fs: Fs = nodeFs();
export const sha1 = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex');
export const blobId = (content: Uint8Array): string =>
  sha1(Buffer.concat([Buffer.from(`blob ${content.length}\0`), content]));
export const indexOf = (box: Sandbox): Uint8Array => readFileSync(box.path('.git/index'));

/** A repository with these files, committed, whose index has this version. */
export function committed(files: Record<string, string>, version = 2, ...config: string[]): Sandbox {
  const box = repository();
  for (const setting of config) box.git('config', ...setting.split('='));
  for (const [path, words] of Object.entries(files)) box.write(path, words);
  box.git('update-index', '--index-version', String(version));
  box.git('add', '-A');
  box.git('commit', '-q', '-m', 'start');
  return box;
}

/** Writes the files, records their blobs, and brings the index in step, as an edit does. `null` deletes. */
export async function edit(
  box: Sandbox,
  files: Record<string, string | null>,
  executable = false,
): Promise<Uint8Array> {
  const changes: IndexChange[] = [];
  for (const [path, words] of Object.entries(files)) {
    if (words === null) {
      if (existsSync(box.path(path))) rmSync(box.path(path));
      changes.push({ path, entry: null });
      continue;
    }
    if (existsSync(box.path(path)) && statSync(box.path(path)).isDirectory())
      rmSync(box.path(path), { recursive: true });
    box.write(path, words);
    if (executable) chmodSync(box.path(path), 0o755);
    const oid = box.pipe(words, 'hash-object', '-w', '--stdin').toString().trim();
    changes.push({
      path,
      entry: { mode: executable ? '100755' : '100644', oid, stat: await lstatOf(fs, box.path(path)) },
    });
  }
  return replaceIndex(box, changes);
}

export async function replaceIndex(
  box: Sandbox,
  changes: IndexChange[],
  smudged: Uint8Array[] = [],
): Promise<Uint8Array> {
  const bytes = await updateIndex(indexOf(box), changes, sha1, smudged);
  writeFileSync(box.path('.git/index.new'), bytes);
  renameSync(box.path('.git/index.new'), box.path('.git/index'));
  return bytes;
}

/** Every entry with all that git knows of it, one text an entry, by name and stage. */
export function entries(box: Sandbox): Map<string, string> {
  const text = box.git('-c', 'core.quotePath=true', 'ls-files', '--stage', '--debug', '-t', '-v');
  const found = new Map<string, string>();
  for (const part of text.split(/\n(?=\S)/)) {
    const [head = '', ...rest] = part.split('\n');
    const [info, name = ''] = head.split('\t');
    found.set(`${name} ${info!.slice(-1)}`, [info, ...rest].join('\n'));
  }
  return found;
}

/** What git says must all be well, and no other entry may differ. */
export function check(box: Sandbox, before: Map<string, string>, changed: string[]): void {
  const after = entries(box);
  for (const path of changed) {
    before.delete(`${path} 0`);
    after.delete(`${path} 0`);
  }
  expect(after).toEqual(before);
  expect(box.git('fsck', '--strict', '--no-dangling')).toBe('');
  expect(box.git('diff-files')).toBe('');
  expect(
    box
      .git('status', '--porcelain')
      .split('\n')
      .filter(line => line !== '' && !/^[AMD] /.test(line)),
  ).toEqual([]);
}

export const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'accepted',
    error => (error as EditError).code,
  );
