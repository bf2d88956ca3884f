/** A story of a page that shares its history with others through a git server; `globalThis.run` tells it. */

import { Buffer } from 'buffer/index.js';
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/web';
import { EditError, isomorphicGit, memoryFs, openWorkspace } from 'versioned-edit';

globalThis.Buffer ??= Buffer;

/** `user` and `password`: what the server asks for. */
globalThis.run = async ({ url, user, password }) => {
  const fs = memoryFs();
  const dir = '/shop';
  const onAuth = () => ({ username: user, password });
  await git.clone({ fs, http, dir, url, onAuth });
  await git.setConfig({ fs, dir, path: 'user.name', value: 'Page' });
  await git.setConfig({ fs, dir, path: 'user.email', value: 'page@example.com' });
  const workspace = await openWorkspace({ root: dir, fs });
  const session = workspace.session({ agent: 'page' });
  await session.edit('str_replace', {
    path: 'list.txt',
    old_str: 'one',
    new_str: 'uno',
    reason: 'in a page',
  });

  const refused = await workspace.push({ git: isomorphicGit() }).catch(error => error);
  const asked = [];
  const credentials = request => {
    asked.push(request);
    return { username: user, password };
  };
  const own = isomorphicGit({ credentials });
  const pushed = await workspace.push({ git: own });
  const fetched = await workspace.fetch({ git: own });
  const again = await workspace.fetch({ git: own });
  const [peer] = (await workspace.peers()).data.peers;
  const merged = await workspace.merge({ peer: peer.name });
  const last = await workspace.push({ git: own });
  const { data: log } = await session.log();
  const { data: verified } = await workspace.verify();
  const text = await fs.promises.readFile(`${dir}/list.txt`, 'utf8');
  await workspace.close();
  return {
    refused: refused instanceof EditError ? [refused.code, refused.retryable] : String(refused),
    asked: asked.length,
    clone: pushed.data.clone,
    pushed: pushed.data.trails.map(({ result }) => result),
    fetched: fetched.data.fetched.length,
    again: again.message,
    op: merged.data.op,
    last: last.data.trails.map(({ result }) => result),
    log: log.entries.map(({ op, agent }) => `${op} ${agent ?? ''}`.trim()),
    faults: verified.faults,
    text,
  };
};
