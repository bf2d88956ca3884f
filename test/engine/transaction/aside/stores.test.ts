/** A store that refuses one path keeps no other from being written. */

import { expect, it } from 'vitest';
import {
  openWorkspace,
  type Session,
  type SimpleFiles,
  simpleStore,
  type Workspace,
} from '../../../../src/index.ts';
import { codeOf } from '../../../helpers/person-repo.ts';
import { sandbox } from '../../../helpers/real-git.ts';

class Files implements SimpleFiles {
  readonly files = new Map<string, Uint8Array>();
  refused: string | null = null;

  read = (path: string): Uint8Array | null => this.files.get(path) ?? null;
  list = (): string[] => [...this.files.keys()];
  write = (path: string, bytes: Uint8Array | null): void => {
    if (this.refused !== null && path.startsWith(this.refused)) throw new Error('403 Forbidden');
    if (bytes) this.files.set(path, bytes);
    else this.files.delete(path);
  };
  text = (path: string): string | null => {
    const bytes = this.files.get(path);
    return bytes ? new TextDecoder().decode(bytes) : null;
  };
}

async function start(): Promise<{ files: Files; workspace: Workspace; session: Session; trail(): string }> {
  const repo = sandbox();
  repo.git('init', '-q', '-b', 'main', '--bare');
  const files = new Files();
  const workspace = await openWorkspace({ root: repo.dir, store: simpleStore(files) });
  const session = workspace.session({ id: 's' });
  await session.edit('create', { path: 'a.txt', file_text: 'a\n' });
  return { files, workspace, session, trail: () => repo.git('ls-tree', '-r', '--name-only', 'HEAD') };
}

it('the edit is told as set aside, others go on, a read says where it is, and status and doctor name it', async () => {
  const { files, workspace, session } = await start();
  files.refused = 'no';
  const { data } = await session.edit('create', { path: 'no/b.txt', file_text: 'b\n' });
  expect(data.warnings).toEqual([expect.stringMatching(/no\/b\.txt is set aside: .*403 Forbidden/)]);
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  expect(files.text('a.txt')).toBe('A\n');
  await expect(session.view({ path: 'no/b.txt' })).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: expect.stringMatching(/in history and not in the file.*403 Forbidden/),
  });
  expect((await session.status()).data.set_aside).toMatchObject([
    { path: 'no/b.txt', why: expect.stringContaining('403') },
  ]);
  expect((await workspace.doctor()).message).toContain('no/b.txt is set aside');
  expect(await codeOf(session.edit('create', { path: 'no/b.txt', file_text: 'c\n' }))).toBe('STORE_FAILED');
  await workspace.close();
});

it('a store that works again ends it', async () => {
  const { files, workspace, session } = await start();
  files.refused = 'no';
  await session.edit('create', { path: 'no/b.txt', file_text: 'b\n' });
  files.refused = null;
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  expect([files.text('no/b.txt'), (await session.status()).data.set_aside]).toEqual(['b\n', []]);
  await workspace.close();
});

it.each<[string, (session: Session) => Promise<unknown>]>([
  ['undo', session => session.undo()],
  ['delete', session => session.edit('delete', { path: 'no/b.txt' })],
])('and so does %s of it', async (_, end) => {
  const { files, workspace, session, trail } = await start();
  files.refused = 'no';
  await session.edit('create', { path: 'no/b.txt', file_text: 'b\n' });
  await end(session);
  await session.edit('str_replace', { path: 'a.txt', old_str: 'a', new_str: 'A' });
  expect([files.text('no/b.txt'), trail(), (await session.status()).data.set_aside]).toEqual([
    null,
    'a.txt',
    [],
  ]);
  expect((await workspace.verify()).data).toMatchObject({ sound: true });
  await workspace.close();
});
