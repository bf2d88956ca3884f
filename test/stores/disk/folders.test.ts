/** Folders that stay open: only so many, closed when nobody uses them any more, and given up when their path leads elsewhere. */

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { FileHandle } from '../../../src/fs/fs.ts';
import { nodeFs } from '../../../src/fs/node/node-fs.ts';
import { OpenFolder, OpenFolders } from '../../../src/stores/disk/folders.ts';
import { overriding } from '../../helpers/overriding.ts';

const MOST = 8;

/** A root with `count` folders, each opened, kept and given back. */
async function kept(count: number): Promise<{ root: string; folders: OpenFolders; handles: FileHandle[] }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vedit-folders-')));
  const folders = new OpenFolders(nodeFs(), root);
  onTestFinished(async () => {
    await folders.close();
    rmSync(root, { recursive: true });
  });
  const handles: FileHandle[] = [];
  for (let at = 0; at < count; at++) {
    mkdirSync(join(root, `${at}`));
    const handle = watched(await nodeFs().open(join(root, `${at}`), 'directory'));
    await (await folders.keep(new OpenFolder(handle, `${at}`, []))).close();
    handles.push(handle);
  }
  return { root, folders, handles };
}

const closed = new WeakSet<FileHandle>();

/** The number of a closed handle is soon another's, so the handle itself tells. */
function watched(handle: FileHandle): FileHandle {
  const own: FileHandle = overriding(handle, {
    close: () => {
      closed.add(own);
      return handle.close();
    },
  });
  return own;
}

const isOpen = (handle: FileHandle): boolean => !closed.has(handle);

it('is the same folder again as long as it is there', async () => {
  const { folders, handles } = await kept(2);
  for (const [at, handle] of handles.entries()) {
    const open = await folders.get(`${at}`);
    expect(open?.handle).toBe(handle);
    await open?.close();
    expect(isOpen(handle)).toBe(true);
  }
  expect(await folders.get('another')).toBeNull();
});

it('only so many stay open: the oldest is closed for one more', async () => {
  const { folders, handles } = await kept(MOST + 2);
  expect(handles.map(isOpen)).toEqual([false, false, ...Array(MOST).fill(true)]);
  expect(await folders.get('1')).toBeNull();
  expect((await folders.get('2'))?.handle).toBe(handles[2]);
});

it('one that is given up while somebody uses it is closed by the last who does', async () => {
  const { folders, handles } = await kept(1);
  const [handle] = handles as [FileHandle];
  const [one, other] = [await folders.get('0'), await folders.get('0')];
  expect([one?.handle, other?.handle]).toEqual([handle, handle]);
  await folders.close();
  expect(isOpen(handle)).toBe(true);
  await one?.close();
  expect(isOpen(handle)).toBe(true);
  await other?.close();
  expect(isOpen(handle)).toBe(false);
});

it('one whose path leads elsewhere is given up and closed', async () => {
  const { root, folders, handles } = await kept(1);
  renameSync(join(root, '0'), join(root, 'moved'));
  mkdirSync(join(root, '0'));
  expect(await folders.get('0')).toBeNull();
  expect(isOpen(handles[0]!)).toBe(false);
});

it('closing leaves nothing open', async () => {
  const { folders, handles } = await kept(3);
  await folders.close();
  expect(handles.map(isOpen)).toEqual([false, false, false]);
});
